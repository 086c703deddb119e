// Licensed under the MIT License. See LICENSE.

import Foundation
package import SealedStore

extension TokenCache {
    /// Files one token response in one transaction (docs/reference/Cache.md#saving).
    ///
    /// A response to a redeemed refresh token is dropped if that token is gone or the client signed the account
    /// out meanwhile: a refresh must not bring back what the user removed.
    package func save(_ save: TokenSave) throws(StoreError) -> TokenSaved {
        let response = ResponseRecords(save, clientID: clientID)
        let clientID = clientID
        let filing = ResponseFiling(clientID: clientID.normalizedKey, save: save) {
            (transaction) throws(StoreError) -> TokenSaved in
            let known = try transaction.accountMetadata(clientID: clientID, homeAccountID: save.homeAccountID)
            guard try transaction.stillHolds(save.redeemedRefreshToken, save: save, metadata: known) else {
                return TokenSaved(
                    isPersisted: false,
                    accessToken: response.accessToken,
                    idToken: response.idToken,
                    account: response.account
                )
            }
            if save.replacesAccounts {
                try transaction.deleteCredentials(homeAccountID: nil, clientID: clientID)
                try transaction.noteSignOutOfAll(clientID: clientID)
            }
            if let token = response.accessToken {
                try transaction.replace(token, aliases: save.environments)
            }
            if let token = response.idToken {
                try transaction.replace(token, aliases: save.environments)
            }
            for token in response.refreshTokens {
                try transaction.replace(token, aliases: save.environments)
            }
            try transaction.setFamily(
                save.familyID ?? "",
                clientID: clientID,
                environment: save.environment,
                aliases: save.environments
            )
            let account = try response.account.map { (account) throws(StoreError) -> AccountRecord in
                try transaction.merge(account)
            }
            try transaction.setAccountMetadata(
                (known.flatMap { save.replacesAccounts ? nil : $0 } ?? AccountMetadata()).notingSignIn(save),
                clientID: clientID,
                homeAccountID: save.homeAccountID
            )
            try transaction.purgeAccessTokens(expiredBefore: save.now)
            return TokenSaved(
                isPersisted: true,
                accessToken: response.accessToken,
                idToken: response.idToken,
                account: account
            )
        }
        return try store.fileResponse(filing, save.refreshToken == nil ? .normal : .full)
    }
}

/// The records a response consists of.
private struct ResponseRecords {
    var accessToken: AccessTokenRecord?
    var idToken: IDTokenRecord?
    /// With a family two records of one secret: the family's and the client's own.
    var refreshTokens: [RefreshTokenRecord] = []
    var account: AccountRecord?

    init(_ save: TokenSave, clientID: String) {
        let now = save.now.wholeSeconds
        if let token = save.accessToken {
            accessToken = AccessTokenRecord(
                homeAccountID: save.homeAccountID,
                environment: save.environment,
                clientID: clientID,
                realm: save.realm,
                target: token.target,
                secret: token.secret,
                cachedAt: now,
                expiresOn: token.expiresOn.wholeSeconds,
                extendedExpiresOn: token.extendedExpiresOn?.wholeSeconds,
                refreshOn: token.refreshOn?.wholeSeconds,
                tokenType: token.tokenType,
                keyID: token.keyID
            )
        }
        if let secret = save.idToken {
            idToken = IDTokenRecord(
                homeAccountID: save.homeAccountID,
                environment: save.environment,
                clientID: clientID,
                realm: save.realm,
                secret: secret
            )
        }
        if let secret = save.refreshToken {
            let families = [save.familyID, nil].filter { $0?.isEmpty != true }
            refreshTokens = Set(families).map { familyID in
                RefreshTokenRecord(
                    homeAccountID: save.homeAccountID,
                    environment: save.environment,
                    clientID: clientID,
                    secret: secret,
                    familyID: familyID,
                    lastModified: now
                )
            }
        }
        account = save.account
        account?.lastModified = now
    }
}

extension TokenStoreReading {
    /// Whether a silent response may be stored: the account is not signed out here, and the refresh token that was
    /// redeemed, or a newer one in its place, is still there (docs/reference/Store.md#no-resurrection).
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

extension TokenStoreWriting {
    /// Stores an access token in place of every one of the same account, cloud, realm, client and type that
    /// shares a scope with it. Requested claims and keys make no difference; OpenID Connect's scopes count.
    ///
    /// What takes the place of a record keeps its spelling of the client id: another library may have written it.
    func replace(_ token: AccessTokenRecord, aliases: [String]) throws(StoreError) {
        var token = token
        let overlapping = try accessTokens(
            RecordFilter(
                .accessToken,
                homeAccountID: token.homeAccountID,
                clientID: token.clientID,
                environments: aliases + [token.environment],
                realms: [token.realm],
                scopes: .sharing(token.target.scopeKeys)
            )
        )
        token.clientID = overlapping.first?.clientID ?? token.clientID
        for old in overlapping
        where old.identity != token.identity
            && old.tokenType.normalizedKey == token.tokenType.normalizedKey
            && old.applicationIdentifier == token.applicationIdentifier
        {
            try delete(old.identity)
        }
        try save(.accessToken(token))
    }

    /// Stores a refresh token in place of the one of the same account, cloud, and client or family.
    func replace(_ token: RefreshTokenRecord, aliases: [String]) throws(StoreError) {
        var token = token
        let older = try refreshTokens(
            RecordFilter(
                .refreshToken,
                homeAccountID: token.homeAccountID,
                clientID: token.familyID == nil ? token.clientID : nil,
                environments: aliases,
                familyID: token.familyID
            )
        )
        let clientID = token.clientID.normalizedKey
        token.clientID = older.map(\.clientID).first { $0.normalizedKey == clientID } ?? token.clientID
        for old in older where old.familyID == token.familyID && old.environment != token.environment {
            try delete(old.identity)
        }
        try save(.refreshToken(token))
    }

    /// Stores an id token in place of the one of the same account, cloud, realm and client.
    func replace(_ token: IDTokenRecord, aliases: [String]) throws(StoreError) {
        var token = token
        let older = try idTokens(
            RecordFilter(
                .idToken,
                homeAccountID: token.homeAccountID,
                clientID: token.clientID,
                environments: aliases,
                realms: [token.realm]
            )
        )
        token.clientID = older.first?.clientID ?? token.clientID
        for old in older where old.environment != token.environment { try delete(old.identity) }
        try save(.idToken(token))
    }

    /// Stores an account over the one of the same identity, keeping what the new one does not say.
    func merge(_ account: AccountRecord) throws(StoreError) -> AccountRecord {
        var merged = account
        if case .account(let older) = try record(account.identity) { merged = account.merged(over: older) }
        try save(.account(merged))
        return merged
    }

    /// Notes the family of a client, empty for none, under every alias that has a note, else under `environment`.
    func setFamily(
        _ familyID: String,
        clientID: String,
        environment: String,
        aliases: [String]
    ) throws(StoreError) {
        var known = try appMetadata(RecordFilter(.appMetadata, clientID: clientID, environments: aliases))
        if !known.contains(where: { $0.environment == environment.normalizedKey }) {
            known.append(AppMetadataRecord(clientID: clientID, environment: environment, familyID: nil))
        }
        for var metadata in known where metadata.familyID != familyID {
            metadata.familyID = familyID
            try save(.appMetadata(metadata))
        }
    }
}

extension AccountMetadata {
    /// State signed in, and where the request's authority led to.
    fileprivate func notingSignIn(_ save: TokenSave) -> AccountMetadata {
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
    /// State signed out for every account of the client, and no memory of where their authorities led.
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

extension Date {
    /// Without the fraction: the cache counts in whole seconds.
    var wholeSeconds: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }
}
