// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase

/// The users or the sessions of one application: in the memory, and below it in the store that instances share, if there is
/// one (docs/reference/Services.md#shared-cache).
package struct TieredUserTokenCache: Sendable {
    package typealias Key = UserTokenCache.Key
    package typealias Query = UserTokenCache.Query

    /// The tokens that a caller accepts instead of a new one.
    package enum Freshness: Sendable {
        /// Any token that may still be given out.
        case usable
        /// A token that came after this one, whose refresh is due.
        case successor(of: CachedAccessToken)
        /// No cached token, because the caller requests a new one.
        case new

        func accepts(_ token: CachedAccessToken) -> Bool {
            switch self {
            case .usable: true
            case .successor(let old): token.expiresAt > old.expiresAt && token.accessToken != old.accessToken
            case .new: false
            }
        }

        var mustBeNew: Bool {
            switch self {
            case .usable: false
            case .successor, .new: true
            }
        }
    }

    /// The result of spending a refresh token.
    package struct Redeemed: Sendable {
        package let token: CachedAccessToken
        package let successor: Secret?
        /// The token is kept, and the caller gets this error.
        package var failure: MSALTokenError?
    }

    /// Spends a refresh token.
    package typealias Redemption =
        @Sendable (UserTokenCache.Renewable, Secret) async throws(MSALTokenError) -> Redeemed

    let memory: UserTokenCache
    let shared: SharedUserStore?
    let environment: ServerEnvironment
    /// Makes the error for a user or session that is unknown. Nearly no call needs it.
    let missing: @Sendable () -> MSALTokenError
    /// Makes the error for a user or session without a refresh token.
    let exhausted: @Sendable () -> MSALTokenError
    /// Whether a user whose account the service has deleted is forgotten. A session stays, and says so.
    let forgetsDeletedUsers: Bool

    var now: Int64 { environment.time.wholeSeconds }

    /// A token that is not in the memory: from the store, or with the refresh token.
    package func renewal(
        of query: Query,
        for key: Key,
        freshness: Freshness,
        correlationID: UUID? = nil,
        redeem: @escaping Redemption
    ) async throws(MSALTokenError) -> FetchedToken {
        try await memory.renewal(
            of: query,
            for: key,
            mustBeNew: freshness.mustBeNew,
            held: { memory.token(of: key, for: query, at: now) },
            body: {
                await environment.logged(as: correlationID) {
                    let renewal = UserRenewal(
                        levels: self,
                        key: key,
                        query: query,
                        freshness: freshness,
                        redeem: redeem
                    )
                    return await Result(catching: renewal.run)
                }
            }
        )
    }

    /// The user behind a key: from the memory, or from the store.
    ///
    /// - Returns: The user, and what a look into the store has found, if one was due.
    /// - Throws: The error for an unknown one; `.cacheUnavailable` if it may be in the store, which does not respond.
    nonisolated(nonsending) func user(
        of key: Key,
        for query: Query
    ) async throws(MSALTokenError) -> (user: TokenUser, snapshot: SharedUserSnapshot?) {
        if let user = memory.checkedUser(key, at: now) { return (user, nil) }
        guard let shared else { throw missing() }
        return try await environment.logged { () async throws(MSALTokenError) in
            let found: SharedUserSnapshot?
            switch try await lookUp(for: key, query: query, in: shared) {
            case .found(let snapshot), .unwritten(let snapshot): found = snapshot
            case .unreachable: found = nil
            case .gone: throw missing()
            }
            guard let user = memory.renewable(key, at: now)?.user else { throw .cacheUnavailable }
            return (user, found)
        }
    }

    /// Keeps the tokens of a sign-in, in the memory and in the store. A store that does not respond does not fail it.
    func signIn(_ user: TokenUser, as key: Key, token: CachedAccessToken, for query: Query, refreshToken: Secret?) async
    {
        memory.signIn(user, as: key, token: token, for: query, refreshToken: refreshToken, at: now)
        guard let shared, let snapshot = await snapshot(of: key, for: query) else { return }
        memory.keepOwn(key, since: snapshot.place.version, at: now)
        let grant = snapshot.successor(of: user, refreshToken: refreshToken ?? snapshot.grant?.refreshToken)
        let entry = SharedUserChange(
            key: key,
            query: query,
            grant: grant,
            token: token,
            snapshot: snapshot,
            condition: .always
        )
        _ = await write(entry, in: shared)
    }

    /// Keeps the tokens with which a session begins, in the memory and in the store.
    ///
    /// - Returns: Whether it is kept. It is not if the key is that of another user's session.
    func begin(
        _ key: Key,
        of user: TokenUser,
        token: CachedAccessToken,
        for query: Query,
        refreshToken: Secret?
    ) async -> Bool {
        let snapshot = await snapshot(of: key, for: query)
        if let other = snapshot?.grant?.user, !other.isSamePerson(as: user) { return false }
        guard memory.begin(key, of: user, token: token, for: query, refreshToken: refreshToken, at: now) else {
            return false
        }
        guard let shared, let snapshot else { return true }
        memory.keepOwn(key, since: snapshot.place.version, at: now)
        let grant = SharedGrant(user: user, refreshToken: refreshToken)
        let entry = SharedUserChange(key: key, query: query, grant: grant, token: token, snapshot: snapshot)
        guard await write(entry, in: shared) == .refused else { return true }
        // Another call began this session at the same moment.
        guard let other = await self.snapshot(of: key, for: query)?.grant?.user, !other.isSamePerson(as: user) else {
            return true
        }
        memory.remove(key)
        return false
    }

    /// Forgets a user or session: always in the memory, and in the store if it responds.
    ///
    /// - Throws: `.cacheUnavailable` if the store was not reached.
    func remove(_ key: Key) async throws(MSALTokenError) {
        memory.signOut(key)
        guard let shared else { return }
        do throws(SharedStoreError) {
            try await shared.removeAll(of: key)
        } catch {
            throw error == .cancelled ? .cancellation : .signOutUnavailable
        }
    }

    private func snapshot(of key: Key, for query: Query) async -> SharedUserSnapshot? {
        guard let shared else { return nil }
        // The store reports its failures itself.
        return try? await shared.lookUp(for: key, query: query, at: now)
    }
}

extension TieredUserTokenCache {
    /// The result of a look into the store.
    enum Lookup: Sendable {
        /// An entry, which the memory has taken over.
        case found(SharedUserSnapshot)
        /// No entry that can be read, but the memory has tokens that were never written.
        case unwritten(SharedUserSnapshot)
        /// The user has signed out, or was never here.
        case gone
        /// The store does not respond.
        case unreachable
    }

    /// The result of a write to the store.
    enum Write: Sendable {
        case written
        /// The store has something newer, or the user has signed out.
        case refused
        /// The store does not respond.
        case failed
    }

    /// Looks into the store, and brings the memory up to date.
    func lookUp(for key: Key, query: Query, in shared: SharedUserStore) async throws(MSALTokenError) -> Lookup {
        let snapshot: SharedUserSnapshot
        do throws(SharedStoreError) {
            snapshot = try await shared.lookUp(for: key, query: query, at: now)
        } catch {
            guard error != .cancelled else { throw .cancellation }
            return .unreachable
        }
        if let grant = snapshot.grant, let version = snapshot.place.version {
            memory.adopt(grant, version: version, token: snapshot.token, of: key, for: query, at: now)
            return .found(snapshot)
        }
        // An entry that cannot be read does not mean that the user has signed out.
        let isUnreadable = snapshot.place.version != nil
        let syncState = memory.syncState(of: key)
        if syncState == .new || syncState == .own(since: nil) || isUnreadable && syncState != nil {
            memory.keepOwn(key, since: snapshot.place.version, at: now)
            return .unwritten(snapshot)
        }
        memory.remove(key)
        return .gone
    }

    /// Writes the tokens of the memory to the store.
    func write(_ entry: SharedUserChange, in shared: SharedUserStore) async -> Write {
        do throws(SharedStoreError) {
            let version = try await shared.write(entry, at: now)
            switch version {
            case .known(let version):
                memory.confirm(version, of: entry.key, refreshToken: entry.grant.refreshToken, at: now)
            case .unknown: break
            case nil: return .refused
            }
            return .written
        } catch {
            return .failed
        }
    }

    /// Writes an entry, unless its user signs out here.
    func write(
        _ entry: SharedUserChange,
        during signInPeriod: UserTokenCache.SignInPeriod,
        in shared: SharedUserStore
    ) async -> Write {
        guard !signInPeriod.isOver else { return .refused }
        let result = await write(entry, in: shared)
        // The removal may have reached the store before this write. A user who has signed in again meanwhile is kept.
        guard signInPeriod.isOver, memory.syncState(of: entry.key) == nil else { return result }
        // The store reports its failures itself.
        try? await shared.removeAll(of: entry.key)
        return .refused
    }

    /// Writes tokens that only the memory has, because the store did not respond when they came.
    func restore(_ key: Key, for query: Query, over snapshot: SharedUserSnapshot, in shared: SharedUserStore) {
        guard case .own = memory.syncState(of: key), let held = memory.renewable(key, at: now) else { return }
        let token = memory.token(of: key, for: query, at: now)
        environment.behind {
            let grant = snapshot.successor(of: held.user, refreshToken: held.refreshToken)
            let entry = SharedUserChange(key: key, query: query, grant: grant, token: token, snapshot: snapshot)
            _ = await write(entry, during: held.signInPeriod, in: shared)
        }
    }
}

extension MSALTokenError {
    /// The error if the store does not respond and the memory does not have the user.
    static var cacheUnavailable: MSALTokenError {
        MSALTokenError(
            .cacheUnavailable,
            message:
                "The store that the instances share does not respond, and the memory of this process does not contain "
                + "what is needed. The user is still signed in. Try again in a moment."
        )
    }

    fileprivate static var signOutUnavailable: MSALTokenError {
        MSALTokenError(
            .cacheUnavailable,
            message:
                "The tokens were removed from the memory of this process, but the store that the instances share does "
                + "not respond. Other instances may still have them. Try again in a moment."
        )
    }
}
