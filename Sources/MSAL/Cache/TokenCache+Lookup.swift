// Licensed under the MIT License. See LICENSE.

import MSALBase
package import MSALCore
package import SealedStore

extension TokenCache {
    /// The first refresh tokens to try for an account: the client's own and that of its family
    /// (docs/reference/Silent.md#refresh-tokens).
    package func refreshTokens(
        homeAccountID: String,
        environments: [String]
    ) throws(StoreError) -> (app: RefreshTokenRecord?, family: RefreshTokenRecord?) {
        let tokens = try store.read { (store) throws(StoreError) -> StoredRefreshTokens in
            try store.findRefreshTokens(homeAccountID: homeAccountID, clientID: clientID, environments: environments)
        }
        return (tokens.app.first, tokens.family.first)
    }

    /// The account records of a user: one for each tenant and each host name of the cloud.
    func accountRecords(homeAccountID: String, environments: [String]) throws(StoreError) -> [AccountRecord] {
        let filter = RecordFilter(.account, homeAccountID: homeAccountID, environments: environments)
        return try store.read { (store) throws(StoreError) -> [AccountRecord] in try store.accountRecords(filter) }
    }

    /// This client's ID token of an account in one tenant.
    func idToken(homeAccountID: String, environments: [String], realm: String) throws(StoreError) -> IDTokenRecord? {
        let filter = RecordFilter(
            .idToken,
            homeAccountID: homeAccountID,
            clientID: clientID,
            environments: environments,
            realms: [realm]
        )
        return try store.read { (store) throws(StoreError) -> IDTokenRecord? in try store.idTokens(filter).first }
    }

    /// The home account IDs with this user name, compared case-insensitively. If there are several, the name is
    /// ambiguous.
    func homeAccountIDs(username: String, environments: [String]?) throws(StoreError) -> [String] {
        try store.read { (store) throws(StoreError) -> [String] in
            try store.homeAccountIDs(username: username, environments: environments)
        }
    }
}

extension TokenStoreReading {
    /// See ``TokenCache/homeAccountIDs(username:environments:)``.
    func homeAccountIDs(username: String, environments: [String]?) throws(StoreError) -> [String] {
        let filter = RecordFilter(.account, environments: environments, username: username)
        return Set(try accountRecords(filter).map(\.homeAccountID)).sorted()
    }

    /// The best access token for `query`. It may be expired: see ``AccessTokenHit/State``.
    ///
    /// Matches are ordered by these criteria: usable before unusable, the resolved realm before others, the exact scope
    /// set before a larger one (ignoring OpenID Connect's own scopes), the latest expiry, and the latest storage.
    ///
    /// `buffer`: How long a token must remain valid to be usable.
    func accessToken(
        for query: AccessTokenQuery,
        clientID: String,
        now: Date,
        buffer: Duration
    ) throws(StoreError) -> AccessTokenHit? {
        var tokens = try accessTokens(query.filter(clientID: clientID)).filter(query.accepts)
        // In most cases there is only one token, so nothing needs to be compared.
        if tokens.count > 1 { tokens.sort { query.prefers($0, over: $1) } }
        var best: (token: AccessTokenRecord, state: AccessTokenHit.State)?
        for token in tokens {
            let state = token.life.state(at: now, buffer: buffer)
            if let best, best.state.rank <= state.rank { continue }
            best = (token, state)
        }
        guard let best else { return nil }
        return try hit(best.token, for: query, clientID: clientID, state: best.state)
    }

    /// The token with its related records.
    private func hit(
        _ token: AccessTokenRecord,
        for query: AccessTokenQuery,
        clientID: String,
        state: AccessTokenHit.State
    ) throws(StoreError) -> AccessTokenHit {
        let idTokens = try idTokens(
            RecordFilter(
                .idToken,
                homeAccountID: query.homeAccountID,
                clientID: clientID,
                environments: query.environments,
                realms: [token.realm]
            )
        )
        let accounts = try accountRecords(
            RecordFilter(.account, homeAccountID: query.homeAccountID, environments: query.environments)
        )
        return AccessTokenHit(token, state: state, idTokens: idTokens, accounts: accounts)
    }

    /// Every refresh token to try for an account: the client's own tokens first, then the family's, each newest first.
    /// No secret occurs twice. There can be several because other libraries store a token under different host names of
    /// a cloud.
    func refreshTokenCandidates(
        homeAccountID: String,
        clientID: String,
        environments: [String]
    ) throws(StoreError) -> [RefreshTokenRecord] {
        let tokens = try findRefreshTokens(homeAccountID: homeAccountID, clientID: clientID, environments: environments)
        var secrets: Set<Secret> = []
        return (tokens.app + tokens.family).filter { secrets.insert($0.secret).inserted }
    }

    /// The app metadata names the family. If there is none yet, the family is `"1"`. If it says that the client is in
    /// no family, there is no family. The metadata is always read from the store.
    fileprivate func findRefreshTokens(
        homeAccountID: String,
        clientID: String,
        environments: [String]
    ) throws(StoreError) -> StoredRefreshTokens {
        let own = try refreshTokens(
            RecordFilter(.refreshToken, homeAccountID: homeAccountID, clientID: clientID, environments: environments)
        )
        var stored = StoredRefreshTokens(app: own.filter { $0.familyID == nil }.newestFirst(environments))
        guard let familyID = try family(of: clientID, environments: environments) else { return stored }
        let family = try refreshTokens(
            RecordFilter(.refreshToken, homeAccountID: homeAccountID, environments: environments, familyID: familyID)
        )
        // Other libraries may store a family token with a family that is not in this client's metadata.
        let others = own.filter { $0.familyID != nil && $0.familyID != familyID }
        stored.family = family.newestFirst(environments) + others.newestFirst(environments)
        return stored
    }
}

/// The refresh tokens of an account that a client may redeem, in the order in which to try them.
private struct StoredRefreshTokens: Sendable {
    var app: [RefreshTokenRecord]
    var family: [RefreshTokenRecord] = []
}

extension TokenStoreReading {
    /// The family whose refresh tokens a client may use; `nil` if the client is known to be in no family.
    func family(of clientID: String, environments: [String]?) throws(StoreError) -> String? {
        let known = try appMetadata(RecordFilter(.appMetadata, clientID: clientID, environments: environments))
        guard !known.isEmpty else { return "1" }
        return known.lazy.compactMap(\.familyID).first { !$0.isEmpty }
    }
}

extension [RefreshTokenRecord] {
    /// The tokens, newest first. Among tokens of the same age, the order of `environments` decides.
    fileprivate func newestFirst(_ environments: [String]) -> [RefreshTokenRecord] {
        let hosts = environments.map(\.normalizedKey)
        return sorted { left, right in
            let times = (left.lastModified ?? .distantPast, right.lastModified ?? .distantPast)
            guard times.0 == times.1 else { return times.0 > times.1 }
            let positions = (hosts.firstIndex(of: left.environment), hosts.firstIndex(of: right.environment))
            return (positions.0 ?? .max) < (positions.1 ?? .max)
        }
    }
}

extension AccessTokenQuery {
    /// Whether `left` is the better of two matches (docs/reference/Cache.md#lookup). Does not depend on the current
    /// time, so the order changes only if the records change.
    fileprivate func prefers(_ left: AccessTokenRecord, over right: AccessTokenRecord) -> Bool {
        let ranks = (rank(ofRealm: left.realm), rank(ofRealm: right.realm))
        guard ranks.0 == ranks.1 else { return ranks.0 < ranks.1 }
        let exact = (hasExactScopes(left), hasExactScopes(right))
        guard exact.0 == exact.1 else { return exact.0 }
        guard left.life.expiresOn == right.life.expiresOn else { return left.life.expiresOn > right.life.expiresOn }
        guard left.life.cachedAt == right.life.cachedAt else { return left.life.cachedAt > right.life.cachedAt }
        // The two differ only in the host, so any fixed order is fine.
        return left.identity.text < right.identity.text
    }

    private func hasExactScopes(_ token: AccessTokenRecord) -> Bool {
        token.target.scopeKeys.subtracting(ScopeSet.openID.normalized)
            == requestedScopes.subtracting(ScopeSet.openID.normalized)
    }
}

extension AccessTokenHit.State {
    /// The order of preference of states, lowest first.
    fileprivate var rank: Int {
        switch self {
        case .usable: 0
        case .refreshDue: 1
        case .extended: 2
        case .expired: 3
        }
    }
}

/// The requirements for an access token. The key parts are normalized once, in the initializer.
package struct AccessTokenQuery: Sendable {
    let homeAccountID: String
    /// The requested host and its aliases, the preferred one first.
    let environments: [String]
    /// The tenant; `nil` accepts any.
    let realm: String?
    /// Further realms to search after `realm`: the tenant name of a tenantless authority
    /// (docs/reference/Cache.md#tenantless-realm), or the account's tenant ID for B2C and CIAM
    /// (docs/reference/Cache.md#realm-aliases).
    let alternativeRealms: [String]
    let scopes: ScopeSet
    /// `Bearer`, `Pop`, …; in lowercase.
    let tokenType: String
    /// The key that a bound token must name; compared exactly.
    let keyID: String?
    /// The key that distinguishes app-only tokens of one app and tenant; `nil` for tokens without one.
    var extendedKey: String?

    /// The scopes in lowercase. OpenID Connect's own scopes are omitted unless the request has no others.
    var requestedScopes: Set<String> {
        let own = scopes.subtracting(.openID)
        return own.isEmpty ? scopes.normalized : own.normalized
    }

    package init(
        homeAccountID: String,
        environments: [String],
        realm: String?,
        alternativeRealms: [String] = [],
        scopes: ScopeSet,
        tokenType: String = "Bearer",
        keyID: String? = nil
    ) {
        self.homeAccountID = homeAccountID.normalizedKey
        self.environments = environments.normalizedKeys
        self.realm = realm?.normalizedKey
        self.alternativeRealms = alternativeRealms.normalizedKeys
        self.scopes = scopes
        self.tokenType = tokenType.normalizedKey
        self.keyID = keyID
    }

    /// The rank of `realm` in the order of preference; lower is better.
    func rank(ofRealm realm: String) -> Int {
        guard let preferred = self.realm, preferred != realm else { return 0 }
        return (alternativeRealms.firstIndex(of: realm) ?? alternativeRealms.count) + 1
    }

    /// The filter for the records to read. ``accepts(_:)`` checks the rules that a filter cannot express.
    func filter(clientID: String) -> RecordFilter {
        RecordFilter(
            .accessToken,
            homeAccountID: homeAccountID,
            clientID: clientID,
            environments: environments,
            realms: realm.map { [$0] + alternativeRealms }
        )
        .with(.containing(requestedScopes))
    }

    /// Whether the token type and keys match. A token of a claims request never matches
    /// (docs/reference/Cache.md#requested-claims).
    func accepts(_ token: AccessTokenRecord) -> Bool {
        token.tokenType.normalizedKey == tokenType
            && (keyID.map { $0 == token.keyID } ?? (tokenType != "bearer" || token.keyID == nil))
            && token.extendedKey == extendedKey
            && token.claimsKey.isEmpty
    }
}

/// An access token from the cache, with the other values that a result needs.
package struct AccessTokenHit: Sendable {
    package typealias State = TokenLife.State

    package let token: AccessTokenRecord
    /// The ID token of the token's realm, if any.
    let idToken: Secret?
    /// The user's name, from the account record of the token's realm, otherwise of the home tenant, otherwise of any
    /// tenant. May be missing.
    let username: String?
    /// The user's ID in that record.
    let localAccountID: String?
    /// `client_info` in that record.
    let clientInfo: String?
    package let state: State

    init(_ token: AccessTokenRecord, state: State, idTokens: [IDTokenRecord], accounts: [AccountRecord]) {
        let own = idTokens.filter { $0.realm == token.realm }
        let account =
            accounts.first { $0.realm == token.realm } ?? accounts.first { $0.isHomeTenant } ?? accounts.first
        self.token = token
        self.state = state
        idToken = (own.first { $0.environment == token.environment } ?? own.first)?.secret
        username = account?.username
        localAccountID = account?.localAccountID
        clientInfo = account?.clientInfo
    }
}
