// Licensed under the MIT License. See LICENSE.

import MSALBase
package import SealedStore

/// The token cache of one client: the rules for lookup, saving, and removal on top of a store.
///
/// Every call is synchronous, makes at most one transaction on the store, and may come from any thread.
package struct TokenCache: Sendable {
    let store: any TokenStore
    /// The client ID as the app spells it. Comparisons ignore case.
    let clientID: String

    package init(store: any TokenStore, clientID: String) {
        self.store = store
        self.clientID = clientID.trimmed
    }

    /// The best access token for `query`, which may be expired; see
    /// ``TokenStoreReading/accessToken(for:clientID:now:buffer:)``.
    package func accessToken(
        for query: AccessTokenQuery,
        now: Date,
        buffer: Duration
    ) throws(StoreError) -> AccessTokenHit? {
        try store.read { (store) throws(StoreError) -> AccessTokenHit? in
            try store.accessToken(for: query, clientID: clientID, now: now, buffer: buffer)
        }
    }

    /// The sign-in state and the authority maps that this client stores for an account; `nil` if there are none.
    package func metadata(homeAccountID: String) throws(StoreError) -> AccountMetadata? {
        try store.read { (store) throws(StoreError) -> AccountMetadata? in
            try store.accountMetadata(clientID: clientID, homeAccountID: homeAccountID)
        }
    }

    /// Stores the current account of single-account use; `nil` deletes it.
    func setPrincipalAccount(_ account: PrincipalAccount?) throws(StoreError) {
        try store.write(.normal) { (transaction) throws(StoreError) in
            var record = try transaction.clientMetadata(clientID)
            record.principalHomeAccountID = account?.homeAccountID
            record.principalUsername = account?.username
            record.principalEnvironment = account?.environment
            try transaction.save(.accountMetadata(record))
        }
    }
}

/// The last known account of single-account use (docs/reference/Protocol.md#current-account).
package struct PrincipalAccount: Sendable, Hashable {
    package var homeAccountID: String?
    package var username: String?
    var environment: String?
}

extension TokenStoreReading {
    /// The last current account in single-account use of this client.
    func principalAccount(clientID: String) throws(StoreError) -> PrincipalAccount? {
        let record = try clientMetadata(clientID)
        guard record.principalHomeAccountID != nil || record.principalUsername != nil else { return nil }
        return PrincipalAccount(
            homeAccountID: record.principalHomeAccountID,
            username: record.principalUsername,
            environment: record.principalEnvironment
        )
    }

    /// Whether the store has all values of this sign-in, except the time.
    fileprivate func knows(_ save: TokenSave, clientID: String) throws(StoreError) -> Bool {
        guard let metadata = try accountMetadata(clientID: clientID, homeAccountID: save.homeAccountID),
            metadata.signInState == .signedIn, metadata.notingSignIn(save) == metadata,
            let account = save.account, case .account(let held) = try record(account.identity)
        else { return false }
        var merged = account.merged(over: held)
        merged.lastModified = held.lastModified
        return merged == held
    }
}

/// The sign-in of an account whose tokens are kept by the machine's identity broker.
extension TokenCache {
    /// Stores the names of an account and the state "signed in", but no token. Writes nothing if the store already has
    /// them.
    ///
    /// `isSignIn`: Whether the user has just signed in. Otherwise, an account that was signed out meanwhile stays
    /// signed out.
    ///
    /// - Returns: Whether the account is in the store now.
    func saveAccount(_ save: TokenSave, isSignIn: Bool) throws(StoreError) -> Bool {
        let isKnown = try store.read { (store) throws(StoreError) -> Bool in try store.knows(save, clientID: clientID) }
        if isKnown { return true }
        return try store.write(.normal) { (transaction) throws(StoreError) -> Bool in
            let known = try transaction.accountMetadata(clientID: clientID, homeAccountID: save.homeAccountID)
            guard isSignIn || known?.signInState != .signedOut else {
                Log.info("The account was not stored: it was signed out meanwhile.")
                return false
            }
            if let account = save.accountRecord { try transaction.merge(account, keepingUser: false) }
            let app = RecordFilter(.appMetadata, clientID: clientID, environments: save.environments)
            if try transaction.appMetadata(app).isEmpty {
                try transaction.save(
                    .appMetadata(AppMetadataRecord(clientID: clientID, environment: save.environment, familyID: nil))
                )
            }
            try transaction.setAccountMetadata(
                (known ?? AccountMetadata()).notingSignIn(save),
                clientID: clientID,
                homeAccountID: save.homeAccountID
            )
            return true
        }
    }

    /// Deletes the sign-in state of the account. Also deletes its names if no client uses them.
    func forgetSignIn(homeAccountID: String) throws(StoreError) {
        try store.write(.full) { (transaction) throws(StoreError) in
            try transaction.setAccountMetadata(AccountMetadata(), clientID: clientID, homeAccountID: homeAccountID)
            try transaction.forgetNamesUnlessUsed(homeAccountID: homeAccountID)
        }
    }
}
