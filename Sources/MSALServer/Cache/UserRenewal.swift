// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// One renewal of a user's token in two levels. Of all instances one spends the refresh token, and the others wait for it.
struct UserRenewal: Sendable {
    let levels: UserTokenLevels
    let key: UserTokenCache.Key
    let want: UserTokenCache.Want
    let freshness: UserTokenLevels.Freshness
    let redeem: UserTokenLevels.Redemption

    private var memory: UserTokenCache { levels.memory }

    func run() async throws(MSALTokenError) -> Fetched {
        guard let shared = levels.shared else { return try await spend() }
        switch try await look(in: shared) {
        case .token(let token, let sight):
            levels.restore(key, for: want, over: sight, in: shared)
            return Fetched(token, from: .cache)
        case .sight(let sight): return try await runInTurn(after: sight, in: shared)
        case .unreachable: return try await runAlone()
        }
    }

    /// The result of a look into the store, which decides how this renewal goes on.
    private enum Look: Sendable {
        case token(AppToken, SharedSight)
        case sight(SharedSight)
        case unreachable
    }

    private func look(in shared: SharedUsers) async throws(MSALTokenError) -> Look {
        switch try await levels.look(for: key, want: want, in: shared) {
        case .found(let sight), .unwritten(let sight):
            // The memory was just compared with the store, so the age of that comparison does not matter here.
            let token = memory.token(of: key, for: want, anyAge: true, at: levels.now)
            if let token, freshness.accepts(token) { return .token(token, sight) }
            return .sight(sight)
        case .gone: throw levels.missing()
        case .unreachable: return .unreachable
        }
    }

    /// Waits for the lease, or for the token that its holder writes. A lost lease blocks nobody for longer than it lives.
    private func runInTurn(
        after first: SharedSight,
        in shared: SharedUsers
    ) async throws(MSALTokenError) -> Fetched {
        let time = shared.store.time
        let end = time.uptime + shared.leaseTime
        var sight = first
        while true {
            let lease: (any MSALStoreLease)?
            do throws(StoreFault) {
                lease = try await shared.lease(on: sight.place)
            } catch {
                guard error != .cancelled else { throw .cancellation }
                return try await runAlone()
            }
            if let lease { return try await runAsHolder(of: lease, in: shared) }
            let isOver = time.uptime >= end
            if !isOver { try await pause(time) }
            switch try await look(in: shared) {
            case .token(let token, _): return Fetched(token, from: .cache)
            case .sight(let latest):
                if isOver { return try await spend(over: latest, in: shared) }
                sight = latest
            case .unreachable: return try await runAlone()
            }
            try await pause(time)
        }
    }

    private func runAsHolder(
        of lease: any MSALStoreLease,
        in shared: SharedUsers
    ) async throws(MSALTokenError) -> Fetched {
        let look: Look
        do throws(MSALTokenError) {
            // The holder before may have brought the token since the last look.
            look = try await self.look(in: shared)
        } catch {
            await shared.release(lease)
            throw error
        }
        switch look {
        case .token(let token, _):
            await shared.release(lease)
            return Fetched(token, from: .cache)
        case .sight(let sight): return try await spend(over: sight, in: shared, lease: lease)
        // The lease is not given back, because the store does not answer. It ends by itself.
        case .unreachable: return try await runAlone()
        }
    }

    private func pause(_ time: any TimeSource) async throws(MSALTokenError) {
        do throws(CancellationError) {
            try await time.sleep(for: Self.pause)
        } catch {
            throw .cancellation
        }
    }

    /// The time between two questions to the store.
    private static let pause = Duration.milliseconds(25)

    /// Goes on without the store, as far as the memory has the user.
    private func runAlone() async throws(MSALTokenError) -> Fetched {
        guard memory.renewable(key, at: levels.now) != nil else { throw .cacheUnavailable }
        let token = memory.token(of: key, for: want, anyAge: true, at: levels.now)
        if let token, freshness.accepts(token) { return Fetched(token, from: .cache) }
        return try await spend()
    }
}

extension UserRenewal {
    /// Spends the refresh token in the memory, and keeps the tokens of the response. The lease is given back in any case.
    private func spend(
        over sight: SharedSight? = nil,
        in shared: SharedUsers? = nil,
        lease: (any MSALStoreLease)? = nil
    ) async throws(MSALTokenError) -> Fetched {
        let spent: Spent
        do throws(MSALTokenError) {
            spent = try await spendOnce(over: sight, in: shared)
        } catch {
            if let lease, let shared { await shared.release(lease) }
            throw error
        }
        if let shared {
            let work: @Sendable () async -> Void = {
                let result = await write(spent, lease: lease)
                guard let lease else { return }
                if result == .failed {
                    // A store that does not answer must not keep the caller twice.
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
        return Fetched(spent.redeemed.token, from: .service)
    }

    /// The tokens of a renewal, and the entry of the store that they replace.
    private struct Spent: Sendable {
        let redeemed: UserTokenLevels.Redeemed
        /// The entry that the tokens replace; `nil` if the user has signed out.
        let held: UserTokenCache.Renewable?
        let place: (sight: SharedSight, shared: SharedUsers)?
    }

    private func spendOnce(
        over first: SharedSight?,
        in shared: SharedUsers?
    ) async throws(MSALTokenError) -> Spent {
        var sight = first
        var isRepeated = false
        while true {
            guard let known = memory.renewable(key, at: levels.now) else { throw levels.missing() }
            guard let refreshToken = known.refreshToken else { throw levels.exhausted() }
            do throws(MSALTokenError) {
                let redeemed = try await redeem(known, refreshToken)
                let held = memory.renew(
                    key,
                    with: redeemed.token,
                    for: want,
                    spent: refreshToken,
                    successor: redeemed.successor,
                    at: levels.now
                )
                return Spent(
                    redeemed: redeemed,
                    held: held,
                    place: sight.flatMap { sight in shared.map { (sight, $0) } }
                )
            } catch {
                guard error.oauthError == "invalid_grant" else { throw error }
                if !isRepeated, let shared, let latest = await successor(of: refreshToken, in: shared) {
                    isRepeated = true
                    sight = latest
                    continue
                }
                await forget(refreshToken, after: error, over: sight, in: shared)
                throw error
            }
        }
    }

    /// The entry of another instance, if its refresh token is newer than the one that the service refused.
    private func successor(of refreshToken: Secret, in shared: SharedUsers) async -> SharedSight? {
        guard case .found(let sight) = try? await levels.look(for: key, want: want, in: shared),
            let newer = memory.renewable(key, at: levels.now)?.refreshToken, newer != refreshToken
        else { return nil }
        return sight
    }

    /// Forgets a refresh token that the service will never accept again (docs/reference/Services.md#users-tokens).
    private func forget(
        _ refreshToken: Secret,
        after error: MSALTokenError,
        over sight: SharedSight?,
        in shared: SharedUsers?
    ) async {
        switch error.userInfo["MSALOAuthSubErrorKey"] as? String {
        case "user_account_deleted" where levels.forgetsDeletedUsers:
            memory.signOut(key)
            // The store reports its failures itself. The next look at this user ends in the same way.
            try? await shared?.removeAll(of: key)
        case "bad_token", "token_expired", "user_account_deleted":
            memory.drop(refreshToken, of: key)
            guard let shared, let sight, var grant = sight.grant, grant.refreshToken == refreshToken else { return }
            grant.refreshToken = nil
            _ = await levels.write(SharedEntry(key: key, want: want, grant: grant, sight: sight), in: shared)
        default:
            break
        }
    }

    /// Writes the new tokens to the store. If the store has newer ones, or the user has signed out, the memory follows it.
    private func write(_ spent: Spent, lease: (any MSALStoreLease)?) async -> UserTokenLevels.Write {
        guard let held = spent.held, let (sight, shared) = spent.place else { return .refused }
        let grant = sight.successor(of: held.user, refreshToken: held.refreshToken)
        var entry = SharedEntry(key: key, want: want, grant: grant, token: spent.redeemed.token, sight: sight)
        entry.lease = lease
        let result = await levels.write(entry, during: held.stay, in: shared)
        // A store that does not answer changes nothing here.
        if result == .refused { _ = try? await levels.look(for: key, want: want, in: shared) }
        return result
    }
}
