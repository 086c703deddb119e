// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport

/// Gives out tokens from a cache and fetches each of them once.
package final class AppTokens: Sendable {
    /// The failure of a refresh in the background, for an observer.
    package typealias Observer = @Sendable (MSALTokenError) -> Void
    package typealias Outcome = Result<AppToken, MSALTokenError>

    private struct FlightKey: Hashable, Sendable {
        let token: AppTokenKey
        let claims: String?
    }

    package let cache: AppTokenCache
    private let environment: ServerEnvironment
    private let observer: Observer?
    private let flights = SingleFlight<FlightKey, AppToken, MSALTokenError>(cancellation: .cancellation)

    package init(cache: AppTokenCache, environment: ServerEnvironment, observer: Observer? = nil) {
        self.cache = cache
        self.environment = environment
        self.observer = observer
    }

    /// The cached token, if it may be used. Nothing here suspends.
    package func hit(for key: AppTokenKey, at now: Int64) -> AppToken? {
        guard let token = cache.token(for: key, at: now), token.isUsable(at: now) else { return nil }
        return token
    }

    /// Fetches a token, or waits for the equal call that is under way.
    ///
    /// `reason` is why the cache does not serve. Calls with other `claims` do not share the result. `redeem` asks the service.
    package func fetch(
        _ key: AppTokenKey,
        because reason: MSALTokenResult.Reason,
        claims: String? = nil,
        redeem: @escaping @Sendable () async -> Outcome
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let mustBeNew = reason == .forcedRefresh || reason == .claims
        let token = try await flights.run(
            FlightKey(token: key, claims: claims),
            startedAfter: mustBeNew ? flights.ticket() : nil
        ) { [cache, environment] in
            // An equal call may have ended between this caller's look and its turn.
            let now = environment.time.wholeSeconds
            if !mustBeNew, let token = cache.token(for: key, at: now), token.isUsable(at: now) {
                return .success(token)
            }
            let outcome = await redeem()
            if case .success(let token) = outcome { cache.store(token, for: key) }
            return outcome
        }
        return MSALTokenResult(token, source: .service, reason: reason)
    }

    /// Fetches the successor of a token in the background, if it is time. The caller goes on at once.
    package func refresh(
        behind token: AppToken,
        for key: AppTokenKey,
        at now: Int64,
        redeem: @escaping @Sendable () async -> Outcome
    ) {
        guard token.beginRefresh(at: now) else { return }
        // The process owns the task. It ends with its one request.
        Task { [cache, environment, observer] in
            let outcome = await redeem()
            switch outcome {
            case .success(let successor): cache.store(successor, for: key)
            case .failure(let failure):
                Log.warning("A token could not be refreshed ahead of time: \(failure.message)")
                observer?(failure)
            }
            token.endRefresh(retryAt: environment.time.wholeSeconds + Self.pauseAfterFailure)
        }
    }

    /// The seconds between a failed refresh and the next attempt.
    private static let pauseAfterFailure: Int64 = 30
}
