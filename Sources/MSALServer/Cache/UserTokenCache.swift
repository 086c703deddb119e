// Licensed under the MIT License. See LICENSE.

package import MSALBase
package import MSALCore
private import Synchronization

/// The tokens of the users of web applications, in the memory of this process
/// (docs/reference/Services.md#users-memory).
package final class UserTokenCache: Sendable {
    /// A user of one client in a cloud.
    package struct Key: Sendable, Hashable {
        package let client: AccessTokenCache.Partition
        /// The home account ID in lower case.
        package let homeAccountID: String

        package init(client: AccessTokenCache.Partition, homeAccountID: String) {
            self.client = client
            self.homeAccountID = homeAccountID.lowercased()
        }
    }

    /// The tenant, scopes and claims that a call asks for.
    package struct Query: Sendable, Hashable {
        /// The tenant, in lower case.
        package let realm: String
        /// The scopes in lower case, without those of OpenID Connect.
        package let scopes: Set<String>
        package let claims: String?

        package init(realm: String, scopes: ScopeSet, claims: String? = nil) {
            self.realm = realm.lowercased()
            self.scopes = scopes.subtracting(.openID).normalized
            self.claims = claims
        }

        /// The service counts the requests of a user for the same scopes together.
        func throttlingKey(of key: Key) -> AccessTokenKey {
            AccessTokenKey(
                partition: key.client,
                realm: realm,
                target: "\(key.homeAccountID) \(scopes.sorted().joined(separator: " "))"
            )
        }

        /// The scopes for which a token can be used that was got for this request.
        func target(of token: CachedAccessToken) -> Set<String> {
            let target = ScopeSet(token.scopes).normalized
            // One scope, as `<resource>/.default`, stands for all that were granted.
            let isDefault = scopes.count == 1 && scopes.allSatisfy { $0.hasSuffix("/.default") }
            return isDefault ? target.union(scopes) : target
        }
    }

    /// A user and the refresh token that renews the user's tokens.
    package struct Renewable: Sendable {
        package let user: TokenUser
        /// The refresh token; `nil` if the service gave none.
        package let refreshToken: Secret?
        let signInPeriod: SignInPeriod
    }

    /// The result of a renewal. All callers that waited get it, even if they asked for other scopes.
    private struct Renewal: Sendable {
        let query: Query
        /// The ticket that the flights gave out when the renewal began.
        let began: UInt64
        let result: Result<FetchedToken, MSALTokenError>
    }

    private struct State {
        var users: [Key: Entry] = [:]
        var bytes = 0
        var nextSweep: Int64 = 0
        var evictions: [EvictionCause: Int] = [:]

        /// Changes a user's entry.
        mutating func change(_ key: Key, by body: (inout Entry?) -> Void) {
            var entry = users[key]
            bytes -= entry?.bytes ?? 0
            body(&entry)
            bytes += entry?.bytes ?? 0
            users[key] = entry
        }

        mutating func evict(_ key: Key, because cause: EvictionCause) {
            guard users[key] != nil else { return }
            evictions[cause, default: 0] += 1
            change(key) { $0 = nil }
        }
    }

    private let state = Mutex(State())
    private let limits: MSALUserTokenLimits
    /// The pauses that the service asked for (docs/reference/Services.md#throttling).
    let throttling = ThrottlingMemory()
    private let idleSeconds: Int64
    /// The seconds after which a user is compared with the store; `nil` without one.
    private let checkInterval: Int64?
    /// The renewals under way, one for each user at most, because the service may replace the refresh token each time.
    private let flights = SingleFlight<Key, Renewal, MSALTokenError>(cancellation: .cancellation)

    /// `checkInterval` is the time for which a user's entry is used without a look into the store that instances share, if
    /// there is one.
    package init(limits: MSALUserTokenLimits, checkInterval: Duration? = nil) {
        self.limits = limits
        self.checkInterval = checkInterval.map { max(0, $0.components.seconds) }
        idleSeconds = max(1, limits.idleTime.components.seconds)
    }

    /// The number of users, and the bytes that are counted for them.
    package var size: (users: Int, bytes: Int) { state.withLock { ($0.users.count, $0.bytes) } }

    /// The size of the cache in users and bytes, and the number of users who have left it since the last call.
    func takeUse() -> MemoryUse {
        state.withLock { state in
            defer { state.evictions = [:] }
            return MemoryUse(entries: state.users.count, bytes: state.bytes, evictions: state.evictions)
        }
    }

    /// A token that holds the scopes and may still be given out.
    ///
    /// Unless `anyAge` is set, there is none for a user whose entry was not compared with the store for `checkInterval`.
    package func token(of key: Key, for query: Query, anyAge: Bool = false, at now: Int64) -> CachedAccessToken? {
        state.withLock { state in
            guard let entry = use(key, in: &state, at: now), anyAge || isChecked(entry, at: now) else { return nil }
            let token = entry.token(for: query, at: now)
            token?.touch(at: now)
            return token
        }
    }

    private func isChecked(_ entry: Entry, at now: Int64) -> Bool {
        guard let checkInterval else { return true }
        // A clock that was set back must not make a user count for longer.
        return now >= entry.checkedAt && now - entry.checkedAt < checkInterval
    }

    /// The user and the refresh token; `nil` if the user is not in the memory.
    package func renewable(_ key: Key, at now: Int64) -> Renewable? {
        state.withLock { state in use(key, in: &state, at: now)?.renewable }
    }

    /// The user, unless a look into the store is due.
    func checkedUser(_ key: Key, at now: Int64) -> TokenUser? {
        state.withLock { state in
            use(key, in: &state, at: now).flatMap { isChecked($0, at: now) ? $0.user : nil }
        }
    }

    /// How the user's entry compares with the store; `nil` if the user is not in the memory.
    func syncState(of key: Key) -> SyncState? { state.withLock { $0.users[key]?.syncState } }

    /// Notes that the entry was compared with the store, and that the store does not have it.
    func keepOwn(_ key: Key, since version: MSALStoreVersion?, at now: Int64) {
        state.withLock { state in
            state.users[key]?.syncState = .own(since: version)
            state.users[key]?.checkedAt = now
        }
    }

    /// Notes that the store has the entry under this version, unless the memory has a newer refresh token meanwhile.
    func confirm(_ version: MSALStoreVersion, of key: Key, refreshToken: Secret?, at now: Int64) {
        state.withLock { state in
            guard state.users[key]?.refreshToken == refreshToken else { return }
            state.users[key]?.syncState = .copy(of: version)
            state.users[key]?.checkedAt = now
        }
    }

    /// Takes over an entry of the store, unless the one in the memory is newer.
    func adopt(
        _ grant: SharedGrant,
        version: MSALStoreVersion,
        token: CachedAccessToken?,
        of key: Key,
        for query: Query,
        at now: Int64
    ) {
        state.withLock { state in
            state.change(key) { held in
                var entry =
                    held ?? Entry(user: grant.user, lastUse: now, syncState: .copy(of: version), checkedAt: now)
                entry.adopt(grant, version: version, token: token, of: key, for: query, at: now)
                held = entry
            }
            makeRoom(in: &state, sparing: key, at: now)
        }
    }

    /// Keeps the tokens of a sign-in. The user's tokens for other scopes stay.
    package func signIn(
        _ user: TokenUser,
        as key: Key,
        token: CachedAccessToken,
        for query: Query,
        refreshToken: Secret?,
        at now: Int64
    ) {
        state.withLock { state in
            state.change(key) { held in
                var entry = held ?? Entry(user: user, lastUse: now, syncState: .new, checkedAt: now)
                entry.user = user
                entry.lastUse = now
                entry.checkedAt = now
                entry.syncState = .new
                entry.refreshToken = refreshToken ?? entry.refreshToken
                entry.keep(token, for: query)
                held = entry
            }
            makeRoom(in: &state, sparing: key, at: now)
        }
    }

    /// Stores the first tokens of a long-running session, replacing an earlier session of the same user.
    ///
    /// - Returns: Whether it is kept. It is not if the key is that of another user's session.
    package func begin(
        _ key: Key,
        of user: TokenUser,
        token: CachedAccessToken,
        for query: Query,
        refreshToken: Secret?,
        at now: Int64
    ) -> Bool {
        state.withLock { state in
            if let held = use(key, in: &state, at: now), !held.user.isSamePerson(as: user) { return false }
            state.change(key) { held in
                var entry = Entry(
                    user: user,
                    refreshToken: refreshToken,
                    lastUse: now,
                    syncState: .new,
                    checkedAt: now
                )
                entry.keep(token, for: query)
                held = entry
            }
            makeRoom(in: &state, sparing: key, at: now)
            return true
        }
    }

    /// Keeps the tokens of a refresh, unless the user has signed out meanwhile.
    ///
    /// The successor of `spent` is kept only if nothing newer has come, for instance with a sign-in.
    ///
    /// - Returns: The user and the refresh token now; `nil` if the user has signed out.
    @discardableResult
    package func renew(
        _ key: Key,
        with token: CachedAccessToken,
        for query: Query,
        spent: Secret,
        successor: Secret?,
        at now: Int64
    ) -> Renewable? {
        state.withLock { state in
            var kept: Renewable?
            state.change(key) { held in
                guard var entry = held, entry.user.homeAccountID == token.user?.homeAccountID else { return }
                if let user = token.user { entry.user = user }
                if let successor, entry.refreshToken == spent { entry.refreshToken = successor }
                entry.lastUse = now
                entry.syncState = entry.syncState.changed
                entry.keep(token, for: query)
                kept = entry.renewable
                held = entry
            }
            makeRoom(in: &state, sparing: key, at: now)
            return kept
        }
    }

    /// Forgets a refresh token that the service will not take again.
    package func drop(_ refreshToken: Secret, of key: Key) {
        state.withLock { state in
            state.change(key) { entry in
                guard entry?.refreshToken == refreshToken else { return }
                entry?.refreshToken = nil
                entry?.measure()
            }
        }
    }

    /// Forgets a user who signs out here.
    func signOut(_ key: Key) {
        state.withLock { state in
            state.users[key]?.signInPeriod.finish()
            state.evict(key, because: .removed)
        }
    }

    /// Forgets a user.
    package func remove(_ key: Key) { state.withLock { $0.evict(key, because: .removed) } }

    /// Renews one thing of a user at a time, or waits for the equal renewal that is under way.
    ///
    /// `mustBeNew` accepts only a renewal that begins after this call. `held` looks whether the memory has the token by now,
    /// because another renewal may have brought it.
    package func renewal(
        of query: Query,
        for key: Key,
        mustBeNew: Bool,
        held: @Sendable () -> CachedAccessToken?,
        body: @escaping @Sendable () async -> Result<FetchedToken, MSALTokenError>
    ) async throws(MSALTokenError) -> FetchedToken {
        let ticket = flights.ticket()
        while true {
            if !mustBeNew, let token = held() { return FetchedToken(token, from: .service) }
            let renewal = try await flights.run(key) { [flights] in
                let began = flights.ticket()
                return .success(Renewal(query: query, began: began, result: await body()))
            }
            if renewal.query == query, !mustBeNew || renewal.began > ticket { return try renewal.result.get() }
        }
    }

    // MARK: - Removal of unused users

    private func use(_ key: Key, in state: inout State, at now: Int64) -> Entry? {
        guard let entry = state.users[key] else { return nil }
        // A sum could be too large for `Int64`, because the program chooses the idle time.
        guard now - entry.lastUse < idleSeconds else {
            state.evict(key, because: .expired)
            return nil
        }
        if entry.lastUse < now { state.users[key]?.lastUse = now }
        return entry
    }

    private func makeRoom(in state: inout State, sparing spared: Key, at now: Int64) {
        if state.nextSweep <= now {
            state.nextSweep = now + Self.sweepInterval
            for (key, entry) in state.users where now - entry.lastUse >= idleSeconds {
                state.evict(key, because: .expired)
            }
        }
        guard state.bytes > limits.maximumBytes else { return }
        // A tenth more than needed, so that the next users do not sort all others again.
        let goal = limits.maximumBytes / 10 * 9
        for (key, _) in state.users.sorted(by: { $0.value.lastUse < $1.value.lastUse }) where key != spared {
            guard state.bytes > goal else { break }
            state.evict(key, because: .size)
        }
    }

    private static let sweepInterval: Int64 = 60
}
