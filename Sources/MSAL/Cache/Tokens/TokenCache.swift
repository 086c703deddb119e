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
}
