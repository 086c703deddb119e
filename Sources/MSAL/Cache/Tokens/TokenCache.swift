// Licensed under the MIT License. See LICENSE.

import MSALSupport
package import SealedStore

/// The token cache of one client: the rules of lookup, saving and removal on top of a store.
///
/// Every call is synchronous, touches the store at most for one transaction, and may be made from any thread.
package struct TokenCache: Sendable {
    package let store: any TokenStore
    /// The client id as the app spells it; compared without case.
    package let clientID: String

    package init(store: any TokenStore, clientID: String) {
        self.store = store
        self.clientID = clientID.trimmed
    }

    /// The best access token for `query`, usable or not: see ``AccessTokenHit/State``.
    ///
    /// Among all matches the usable ones come first, then the resolved realm, the exact scope set (OpenID
    /// Connect's own scopes ignored), the latest expiry, the latest storage.
    ///
    /// `buffer`: The time that a token must have left to count as usable.
    package func accessToken(
        for query: AccessTokenQuery,
        now: Date,
        buffer: Duration
    ) throws(StoreError) -> AccessTokenHit? {
        let candidates = try candidates(for: query)
        // Nearly always there is only one candidate, so this avoids a copy of the rest.
        if let first = candidates.first {
            let state = first.token.life.state(at: now, buffer: buffer)
            if state == .usable || candidates.count == 1 { return first.with(state) }
        }
        var best: AccessTokenHit?
        for candidate in candidates {
            let state = candidate.token.life.state(at: now, buffer: buffer)
            if let best, best.state.rank <= state.rank { continue }
            best = candidate.with(state)
        }
        return best
    }

    /// The sign-in state and authority maps this client keeps of an account; `nil` if it keeps none.
    package func metadata(homeAccountID: String) throws(StoreError) -> AccountMetadata? {
        let clientID = clientID
        return try store.read { (store) throws(StoreError) -> AccountMetadata? in
            try store.accountMetadata(clientID: clientID, homeAccountID: homeAccountID)
        }
    }

    /// The account that was current last in single-account use.
    package func principalAccount() throws(StoreError) -> PrincipalAccount? {
        let clientID = clientID
        let record = try store.read { (store) throws(StoreError) -> AccountMetadataRecord in
            try store.clientMetadata(clientID)
        }
        guard record.principalHomeAccountID != nil || record.principalUsername != nil else { return nil }
        return PrincipalAccount(
            homeAccountID: record.principalHomeAccountID,
            username: record.principalUsername,
            environment: record.principalEnvironment
        )
    }

    /// Remembers the current account of single-account use, or forgets it.
    package func setPrincipalAccount(_ account: PrincipalAccount?) throws(StoreError) {
        let clientID = clientID
        try store.write(.normal) { (transaction) throws(StoreError) in
            var record = try transaction.clientMetadata(clientID)
            record.principalHomeAccountID = account?.homeAccountID
            record.principalUsername = account?.username
            record.principalEnvironment = account?.environment
            try transaction.save(.accountMetadata(record))
        }
    }
}

/// The account of single-account use as it was last known (docs/reference/Protocol.md#current-account).
package struct PrincipalAccount: Sendable, Hashable {
    package var homeAccountID: String?
    package var username: String?
    package var environment: String?

    package init(homeAccountID: String?, username: String?, environment: String?) {
        self.homeAccountID = homeAccountID
        self.username = username
        self.environment = environment
    }
}

extension AccessTokenHit.State {
    /// The order in which states are preferred, best first.
    var rank: Int {
        switch self {
        case .usable: 0
        case .refreshDue: 1
        case .extended: 2
        case .expired: 3
        }
    }
}

extension AccessTokenHit {
    func with(_ state: State) -> AccessTokenHit {
        var copy = self
        copy.state = state
        return copy
    }
}
