// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport
package import SealedStore

extension TokenCache {
    /// The first of the refresh tokens to try for an account, the client's own and its family's
    /// (docs/reference/Silent.md#refresh-tokens).
    package func refreshTokens(
        homeAccountID: String,
        environments: [String]
    ) throws(StoreError) -> (app: RefreshTokenRecord?, family: RefreshTokenRecord?) {
        let tokens = try findRefreshTokens(homeAccountID: homeAccountID, environments: environments)
        return (tokens.app.first, tokens.family.first)
    }

    /// Every refresh token to try for an account, each secret once: the client's own first, then the family's, the one
    /// changed last before the others. There are several if libraries stored them under different names of a cloud.
    package func refreshTokenCandidates(
        homeAccountID: String,
        environments: [String]
    ) throws(StoreError) -> [RefreshTokenRecord] {
        let tokens = try findRefreshTokens(homeAccountID: homeAccountID, environments: environments)
        var secrets: Set<Secret> = []
        return (tokens.app + tokens.family).filter { secrets.insert($0.secret).inserted }
    }

    /// The app metadata name the family. It is `"1"` while nothing is known, and none if the client is known to be in
    /// no family. The metadata are always read from the store.
    private func findRefreshTokens(
        homeAccountID: String,
        environments: [String]
    ) throws(StoreError) -> StoredRefreshTokens {
        let clientID = clientID
        return try store.read { (store) throws(StoreError) -> StoredRefreshTokens in
            let own = try store.refreshTokens(
                RecordFilter(
                    .refreshToken,
                    homeAccountID: homeAccountID,
                    clientID: clientID,
                    environments: environments
                )
            )
            var stored = StoredRefreshTokens(app: own.filter { $0.familyID == nil }.newestFirst(environments))
            guard let familyID = try store.family(of: clientID, environments: environments) else { return stored }
            let family = try store.refreshTokens(
                RecordFilter(
                    .refreshToken,
                    homeAccountID: homeAccountID,
                    environments: environments,
                    familyID: familyID
                )
            )
            // Peers may store a family token under a family this client's metadata do not name.
            let others = own.filter { $0.familyID != nil && $0.familyID != familyID }
            stored.family = family.newestFirst(environments) + others.newestFirst(environments)
            return stored
        }
    }

    /// The account records of a user, one for each tenant and name of the cloud.
    package func accountRecords(homeAccountID: String, environments: [String]) throws(StoreError) -> [AccountRecord] {
        let filter = RecordFilter(.account, homeAccountID: homeAccountID, environments: environments)
        return try store.read { (store) throws(StoreError) -> [AccountRecord] in try store.accountRecords(filter) }
    }

    /// This client's id token of an account in one tenant.
    package func idToken(
        homeAccountID: String,
        environments: [String],
        realm: String
    ) throws(StoreError) -> IDTokenRecord? {
        let filter = RecordFilter(
            .idToken,
            homeAccountID: homeAccountID,
            clientID: clientID,
            environments: environments,
            realms: [realm]
        )
        return try store.read { (store) throws(StoreError) -> IDTokenRecord? in try store.idTokens(filter).first }
    }

    /// The home account ids known under a user name, compared without case; more than one is an ambiguity.
    package func homeAccountIDs(username: String, environments: [String]?) throws(StoreError) -> [String] {
        let name = username.normalizedKey
        return try store.read { (store) throws(StoreError) -> [String] in
            let accounts = try store.accountRecords(RecordFilter(.account, environments: environments))
            return Set(accounts.filter { $0.username?.normalizedKey == name }.map(\.homeAccountID)).sorted()
        }
    }

    /// All tokens that fit `query` with the records that belong to them, in the order of preference.
    func candidates(for query: AccessTokenQuery) throws(StoreError) -> [AccessTokenHit] {
        let clientID = clientID
        return try store.read { (store) throws(StoreError) -> [AccessTokenHit] in
            let tokens = try store.accessTokens(query.filter(clientID: clientID))
                .filter(query.accepts)
                .sorted { query.prefers($0, over: $1) }
            guard !tokens.isEmpty else { return [] }
            let idTokens = try store.idTokens(
                RecordFilter(
                    .idToken,
                    homeAccountID: query.homeAccountID,
                    clientID: clientID,
                    environments: query.environments,
                    realms: Set(tokens.map(\.realm)).sorted()
                )
            )
            let accounts = try store.accountRecords(
                RecordFilter(.account, homeAccountID: query.homeAccountID, environments: query.environments)
            )
            return tokens.map { AccessTokenHit($0, idTokens: idTokens, accounts: accounts) }
        }
    }
}

/// The refresh tokens of an account that a client may spend, in the order to try them.
private struct StoredRefreshTokens: Sendable {
    var app: [RefreshTokenRecord]
    var family: [RefreshTokenRecord] = []
}

extension TokenStoreReading {
    /// The family whose refresh tokens a client may use; `nil` if it is known to be in none.
    func family(of clientID: String, environments: [String]?) throws(StoreError) -> String? {
        let known = try appMetadata(RecordFilter(.appMetadata, clientID: clientID, environments: environments))
        guard !known.isEmpty else { return "1" }
        return known.lazy.compactMap(\.familyID).first { !$0.isEmpty }
    }
}

extension [RefreshTokenRecord] {
    /// The tokens, the one changed last first. Among equals the one of the earlier environment comes first.
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
    /// Whether `left` is the better of two matches (docs/reference/Cache.md#lookup). The current time plays no part, so
    /// the order stays the same until the records change.
    fileprivate func prefers(_ left: AccessTokenRecord, over right: AccessTokenRecord) -> Bool {
        let ranks = (rank(ofRealm: left.realm), rank(ofRealm: right.realm))
        guard ranks.0 == ranks.1 else { return ranks.0 < ranks.1 }
        let exact = (hasExactScopes(left), hasExactScopes(right))
        guard exact.0 == exact.1 else { return exact.0 }
        guard left.expiresOn == right.expiresOn else { return left.expiresOn > right.expiresOn }
        guard left.cachedAt == right.cachedAt else { return left.cachedAt > right.cachedAt }
        // The two differ only in the host, so any fixed order will do.
        return left.identity.text < right.identity.text
    }

    private func hasExactScopes(_ token: AccessTokenRecord) -> Bool {
        token.target.scopeKeys.subtracting(ScopeSet.openID.normalized)
            == wantedScopes.subtracting(ScopeSet.openID.normalized)
    }
}
