// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// One renewal of a user's token in two levels. Only one of the instances redeems the refresh token, and the others
/// wait for it.
struct UserRenewal: Sendable {
    let levels: TieredUserTokenCache
    let key: UserTokenCache.Key
    let query: UserTokenCache.Query
    let freshness: TieredUserTokenCache.Freshness
    let redeem: TieredUserTokenCache.Redemption

    private var memory: UserTokenCache { levels.memory }

    func run() async throws(MSALTokenError) -> FetchedToken {
        guard let shared = levels.shared else { return try await redeemRefreshToken() }
        switch try await lookUp(in: shared) {
        case .token(let token, let snapshot):
            levels.restore(key, for: query, over: snapshot, in: shared)
            return FetchedToken(token, from: .cache)
        case .snapshot(let snapshot): return try await renewUnderLease(after: snapshot, in: shared)
        case .unreachable: return try await renewWithoutStore()
        }
    }

    /// The result of a store lookup, which decides how this renewal proceeds.
    private enum Lookup: Sendable {
        case token(CachedAccessToken, SharedUserSnapshot)
        case snapshot(SharedUserSnapshot)
        case unreachable
    }

    private func lookUp(in shared: SharedUserStore) async throws(MSALTokenError) -> Lookup {
        switch try await levels.lookUp(for: key, query: query, in: shared) {
        case .found(let snapshot), .unwritten(let snapshot):
            // The memory was just compared with the store, so the age of that comparison does not matter here.
            let token = memory.token(of: key, for: query, anyAge: true, at: levels.now)
            if let token, freshness.accepts(token) { return .token(token, snapshot) }
            return .snapshot(snapshot)
        case .gone: throw levels.missing()
        case .unreachable: return .unreachable
        }
    }

    /// Waits for the lease, or for the token that its holder writes. A lost lease blocks other instances only until it
    /// expires.
    private func renewUnderLease(
        after first: SharedUserSnapshot,
        in shared: SharedUserStore
    ) async throws(MSALTokenError) -> FetchedToken {
        let time = shared.store.time
        let end = time.uptime + shared.leaseTime
        var snapshot = first
        while true {
            let lease: (any MSALStoreLease)?
            do throws(SharedStoreError) {
                lease = try await shared.lease(on: snapshot.place)
            } catch {
                guard error != .cancelled else { throw .cancellation }
                return try await renewWithoutStore()
            }
            if let lease { return try await renewAsLeaseHolder(of: lease, in: shared) }
            let isOver = time.uptime >= end
            if !isOver { try await pause(time) }
            switch try await lookUp(in: shared) {
            case .token(let token, _): return FetchedToken(token, from: .cache)
            case .snapshot(let latest):
                if isOver { return try await redeemRefreshToken(over: latest, in: shared) }
                snapshot = latest
            case .unreachable: return try await renewWithoutStore()
            }
            try await pause(time)
        }
    }

    private func renewAsLeaseHolder(
        of lease: any MSALStoreLease,
        in shared: SharedUserStore
    ) async throws(MSALTokenError) -> FetchedToken {
        let lookup: Lookup
        do throws(MSALTokenError) {
            // The previous holder may have stored the token since the last lookup.
            lookup = try await self.lookUp(in: shared)
        } catch {
            await shared.release(lease)
            throw error
        }
        switch lookup {
        case .token(let token, _):
            await shared.release(lease)
            return FetchedToken(token, from: .cache)
        case .snapshot(let snapshot): return try await redeemRefreshToken(over: snapshot, in: shared, lease: lease)
        // The lease is not released, because the store does not respond. It expires on its own.
        case .unreachable: return try await renewWithoutStore()
        }
    }

    private func pause(_ time: any TimeSource) async throws(MSALTokenError) {
        do throws(CancellationError) {
            try await time.sleep(for: Self.pause)
        } catch {
            throw .cancellation
        }
    }

    /// The time between two requests to the store.
    private static let pause = Duration.milliseconds(25)

    /// Continues without the store if the user is in memory.
    private func renewWithoutStore() async throws(MSALTokenError) -> FetchedToken {
        guard memory.renewable(key, at: levels.now) != nil else { throw .cacheUnavailable }
        let token = memory.token(of: key, for: query, anyAge: true, at: levels.now)
        if let token, freshness.accepts(token) { return FetchedToken(token, from: .cache) }
        return try await redeemRefreshToken()
    }
}

extension UserRenewal {
    /// Redeems the refresh token in memory, and stores the tokens of the response. The lease is always released.
    private func redeemRefreshToken(
        over snapshot: SharedUserSnapshot? = nil,
        in shared: SharedUserStore? = nil,
        lease: (any MSALStoreLease)? = nil
    ) async throws(MSALTokenError) -> FetchedToken {
        let spent: RedeemedTokens
        do throws(MSALTokenError) {
            spent = try await redeemRefreshTokenOnce(over: snapshot, in: shared)
        } catch {
            if let lease, let shared { await shared.release(lease) }
            throw error
        }
        if let shared {
            let work: @Sendable () async -> Void = {
                let result = await write(spent, lease: lease)
                guard let lease else { return }
                if result == .failed {
                    // An unresponsive store must not delay the caller twice.
                    levels.environment.behind { await shared.release(lease) }
                } else {
                    await shared.release(lease)
                }
            }
            if shared.store.configuration.writesThrough {
                // Awaited here. In the task of the renewal the writes would end when the last caller leaves.
                await Task { await work() }.value
            } else {
                levels.environment.behind(work)
            }
        }
        if let failure = spent.redeemed.failure { throw failure }
        return FetchedToken(spent.redeemed.token, from: .service)
    }

    /// The tokens of a renewal, and the entry of the store that they replace.
    private struct RedeemedTokens: Sendable {
        let redeemed: TieredUserTokenCache.Redeemed
        /// The entry that the tokens replace; `nil` if the user has signed out.
        let held: UserTokenCache.Renewable?
        let place: (snapshot: SharedUserSnapshot, shared: SharedUserStore)?
    }

    private func redeemRefreshTokenOnce(
        over first: SharedUserSnapshot?,
        in shared: SharedUserStore?
    ) async throws(MSALTokenError) -> RedeemedTokens {
        var snapshot = first
        var isRepeated = false
        while true {
            guard let known = memory.renewable(key, at: levels.now) else { throw levels.missing() }
            guard let refreshToken = known.refreshToken else { throw levels.exhausted() }
            do throws(MSALTokenError) {
                let redeemed = try await redeem(known, refreshToken)
                let held = memory.renew(
                    key,
                    with: redeemed.token,
                    for: query,
                    spent: refreshToken,
                    successor: redeemed.successor,
                    at: levels.now
                )
                return RedeemedTokens(
                    redeemed: redeemed,
                    held: held,
                    place: snapshot.flatMap { snapshot in shared.map { (snapshot, $0) } }
                )
            } catch {
                guard error.oauthError == "invalid_grant" else { throw error }
                if !isRepeated, let shared, let latest = await successor(of: refreshToken, in: shared) {
                    isRepeated = true
                    snapshot = latest
                    continue
                }
                await forget(refreshToken, after: error, over: snapshot, in: shared)
                throw error
            }
        }
    }

    /// The entry of another instance, if its refresh token is newer than the one that the service refused.
    private func successor(of refreshToken: Secret, in shared: SharedUserStore) async -> SharedUserSnapshot? {
        guard case .found(let snapshot) = try? await levels.lookUp(for: key, query: query, in: shared),
            let newer = memory.renewable(key, at: levels.now)?.refreshToken, newer != refreshToken
        else { return nil }
        return snapshot
    }

    /// Forgets a refresh token that the service will never accept again (docs/reference/Services.md#users-tokens).
    private func forget(
        _ refreshToken: Secret,
        after error: MSALTokenError,
        over snapshot: SharedUserSnapshot?,
        in shared: SharedUserStore?
    ) async {
        switch error.userInfo["MSALOAuthSubErrorKey"] as? String {
        case "user_account_deleted" where levels.forgetsDeletedUsers:
            memory.signOut(key)
            // The store reports its failures itself. The next lookup of this user has the same outcome.
            try? await shared?.removeAll(of: key)
        case "bad_token", "token_expired", "user_account_deleted":
            memory.drop(refreshToken, of: key)
            guard let shared, let snapshot, var grant = snapshot.grant, grant.refreshToken == refreshToken else {
                return
            }
            grant.refreshToken = nil
            _ = await levels.write(
                SharedUserChange(key: key, query: query, grant: grant, snapshot: snapshot),
                in: shared
            )
        default:
            break
        }
    }

    /// Writes the new tokens to the store. If the store has newer ones, or the user has signed out, the memory follows it.
    private func write(_ spent: RedeemedTokens, lease: (any MSALStoreLease)?) async -> TieredUserTokenCache.Write {
        guard let held = spent.held, let (snapshot, shared) = spent.place else { return .refused }
        let grant = snapshot.successor(of: held.user, refreshToken: held.refreshToken)
        var entry = SharedUserChange(
            key: key,
            query: query,
            grant: grant,
            token: spent.redeemed.token,
            snapshot: snapshot
        )
        entry.lease = lease
        let result = await levels.write(entry, during: held.signInPeriod, in: shared)
        // An unresponsive store changes nothing here.
        if result == .refused { _ = try? await levels.lookUp(for: key, query: query, in: shared) }
        return result
    }
}
