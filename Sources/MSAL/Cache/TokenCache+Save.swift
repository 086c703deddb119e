// Licensed under the MIT License. See LICENSE.

import MSALBase
package import SealedStore

extension TokenCache {
    /// Stores one token response in one transaction (docs/reference/Cache.md#saving).
    ///
    /// - Returns: Whether it is in the store now. The response to a redeemed refresh token is dropped if that token was
    ///   deleted or the client signed the account out meanwhile, because a refresh must not restore what the user
    ///   removed.
    package func save(_ save: TokenSave) throws(StoreError) -> Bool {
        try store.save(save, clientID: clientID)
    }
}

extension TokenStoreWriting {
    /// Stores the records of a token response, and deletes the records that they replace.
    ///
    /// - Returns: Whether it was stored; `false` if the user removed the account meanwhile.
    func store(_ save: TokenSave, clientID: String) throws(StoreError) -> Bool {
        if let lease = save.lease { try end(lease) }
        let known = try accountMetadata(clientID: clientID, homeAccountID: save.homeAccountID)
        guard try stillHolds(save.redeemedRefreshToken, save: save, metadata: known) else {
            Log.info("The refreshed tokens were not stored: the account was signed out or removed meanwhile.")
            return false
        }
        if save.replacesAccounts {
            try deleteCredentials(homeAccountID: nil, clientID: clientID)
            try noteSignOutOfAll(clientID: clientID)
        }
        if let token = save.accessTokenRecord(clientID: clientID) { try replace(token, aliases: save.environments) }
        if let token = save.idTokenRecord(clientID: clientID) { try replace(token, aliases: save.environments) }
        for token in save.refreshTokenRecords(clientID: clientID) { try replace(token, aliases: save.environments) }
        try setFamily(
            save.familyID ?? "",
            clientID: clientID,
            environment: save.environment,
            aliases: save.environments
        )
        if let account = save.accountRecord { try merge(account, keepingUser: save.keepsUser) }
        let metadata = (save.replacesAccounts ? AccountMetadata() : known ?? AccountMetadata()).notingSignIn(save)
        if save.replacesAccounts || metadata != known {
            try setAccountMetadata(metadata, clientID: clientID, homeAccountID: save.homeAccountID)
        }
        try purgeAccessTokens(expiredBefore: save.now)
        return true
    }
}

extension TokenStoreReading {
    /// Whether the response to a silent request may be stored. The account must not be signed out here. The store must
    /// still have the redeemed refresh token, or a newer one that replaced it
    /// (docs/reference/Store.md#no-resurrection).
    fileprivate func stillHolds(
        _ redeemed: RefreshTokenRecord?,
        save: TokenSave,
        metadata: AccountMetadata?
    ) throws(StoreError) -> Bool {
        guard let redeemed else { return true }
        let state = metadata?.signInState ?? .unknown
        guard state != .signedOut else { return false }
        let held = try refreshTokens(
            RecordFilter(
                .refreshToken,
                homeAccountID: redeemed.homeAccountID,
                clientID: redeemed.familyID == nil ? redeemed.clientID : nil,
                environments: save.environments + [redeemed.environment],
                familyID: redeemed.familyID
            )
        )
        return held.contains { $0.familyID == redeemed.familyID }
    }
}

extension AccountMetadata {
    /// This metadata, with the state "signed in" and the authority of the returned tokens.
    func notingSignIn(_ save: TokenSave) -> AccountMetadata {
        var account = self
        account.signInState = .signedIn
        guard save.requestAuthority != save.resultAuthority else { return account }
        let key = save.requestAuthority.absoluteString
        if save.instanceAware {
            account.instanceAwareAuthorityMap[key] = save.resultAuthority
        } else {
            account.authorityMap[key] = save.resultAuthority
        }
        return account
    }
}

extension TokenStoreWriting {
    /// Records every account of the client as signed out and deletes its authority maps.
    fileprivate func noteSignOutOfAll(clientID: String) throws(StoreError) {
        for homeAccountID in try accountMetadata(clientID: clientID).keys {
            try setAccountMetadata(
                AccountMetadata(signInState: .signedOut),
                clientID: clientID,
                homeAccountID: homeAccountID
            )
        }
    }
}
