// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// Returns tokens from a cache, and fetches each of them only once.
package final class AccessTokenSource: Sendable {
    /// Receives the outcome of a refresh in the background.
    package typealias Observer = @Sendable (Result<MSALTokenResult, MSALTokenError>) -> Void
    /// Gets a token from the service.
    package typealias TokenRequest = @Sendable () async throws(MSALTokenError) -> CachedAccessToken

    /// The rules that differ between a registration and a machine's identity.
    struct Policy: Sendable {
        /// Whether all callers respect a pause that the service requested (docs/reference/Services.md#throttling).
        var keepsPauses = false
        /// Whether an expired token may be used while the service is unavailable
        /// (docs/reference/Services.md#extended-lifetime).
        var allowsExtendedLifetime = false
    }

    package let cache: AccessTokenCache
    private let environment: ServerEnvironment
    private let policy: Policy
    private let shared: SharedApplicationTokens?
    private let observer: Observer?

    /// `shared`: The store that instances share, if there is one.
    init(
        cache: AccessTokenCache,
        environment: ServerEnvironment,
        policy: Policy = Policy(),
        shared: SharedApplicationTokens? = nil,
        observer: Observer? = nil
    ) {
        self.shared = shared
        self.cache = cache
        self.environment = environment
        self.policy = policy
        self.observer = observer
    }

    /// What the cache has for a call.
    package enum Lookup: Sendable {
        /// A token that may be used.
        case hit(CachedAccessToken)
        /// The service has to be called, for this reason.
        case miss(MSALTokenResult.Reason)
    }

    /// Looks a token up in the cache for a call with these options. Nothing here suspends.
    package func lookup(_ key: AccessTokenKey, options: MSALTokenOptions, at now: Int64) -> Lookup {
        if let reason = options.cacheBypassReason { return .miss(reason) }
        guard let token = cache.token(for: key, at: now) else { return .miss(.noCachedToken) }
        return token.isUsable(at: now) ? .hit(token) : .miss(.expired)
    }

    /// Fetches a token, or waits for the equal call that is under way: from the store that instances share, or else from
    /// the service.
    ///
    /// `reason` is why the cache does not serve. Calls with other claims do not share the result. `request` calls the
    /// service.
    package func fetch(
        _ key: AccessTokenKey,
        because reason: MSALTokenResult.Reason,
        options: MSALTokenOptions,
        request: @escaping TokenRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let mustBeNew = options.cacheBypassReason != nil
        let flights = cache.flights
        let flight = AccessTokenCache.FlightKey(token: key.lowercased ?? key, claims: options.claims)
        let ticket = mustBeNew ? flights.ticket() : nil
        do throws(MSALTokenError) {
            let fetched = try await environment.limited(to: options.timeout) { [self] () throws(MSALTokenError) in
                try await flights.run(flight, startedAfter: ticket) { [self] in
                    // An equal call may have ended between this caller's lookup and its turn.
                    let now = environment.time.wholeSeconds
                    if !mustBeNew, let token = cache.token(for: key, at: now), token.isUsable(at: now) {
                        return .success(FetchedToken(token, from: .service))
                    }
                    if !mustBeNew, let token = await sharedToken(for: key) {
                        return .success(FetchedToken(token, from: .cache))
                    }
                    return await requestToken(for: key, by: request).map { FetchedToken($0, from: .service) }
                }
            }
            return MSALTokenResult(fetched, reason: reason)
        } catch {
            let now = environment.time.wholeSeconds
            guard
                policy.allowsExtendedLifetime, reason == .expired, error.isOutage,
                let token = cache.token(for: key, at: now), token.isUsableInOutage(at: now)
            else { throw error }
            return MSALTokenResult(token, source: .cacheExtended, reason: reason)
        }
    }

    /// Fetches the successor of a token in the background, if it is time. The caller goes on at once.
    package func refresh(behind token: CachedAccessToken, for key: AccessTokenKey, request: @escaping TokenRequest) {
        environment.refresh(behind: token, called: "A token", observer: observer) { [self] () throws(MSALTokenError) in
            if let found = await sharedToken(for: key, after: token) { return MSALTokenResult(found, source: .cache) }
            return MSALTokenResult(try await requestToken(for: key, by: request).get(), source: .service)
        }
    }

    /// A token that another instance got. It may be used, and came after `old`. The memory keeps it.
    private func sharedToken(for key: AccessTokenKey, after old: CachedAccessToken? = nil) async -> CachedAccessToken? {
        guard let shared else { return nil }
        let now = environment.time.wholeSeconds
        let found = await environment.logged { await shared.token(for: key.sharedName, at: now) }
        guard let found, found.isUsable(at: now), old.map({ found.expiresAt > $0.expiresAt }) ?? true else {
            return nil
        }
        cache.store(found, for: key, at: now)
        return found
    }

    /// Calls the service, unless it asked for a pause, and keeps the token.
    private func requestToken(
        for key: AccessTokenKey,
        by request: TokenRequest
    ) async -> Result<CachedAccessToken, MSALTokenError> {
        if policy.keepsPauses, let refusal = cache.throttling.refusal(of: key, at: environment.time.wholeSeconds) {
            return .failure(refusal)
        }
        let outcome = await environment.logged { await Result(catching: request) }
        let now = environment.time.wholeSeconds
        switch outcome {
        case .success(let token):
            cache.store(token, for: key, at: now)
            if let shared {
                let work: @Sendable () async -> Void = { [environment] in
                    await environment.logged { await shared.keep(token, for: key.sharedName, at: now) }
                }
                if shared.store.configuration.writesThrough { await work() } else { environment.behind(work) }
            }
        case .failure(let failure):
            if policy.keepsPauses { cache.throttling.note(failure, of: key, at: now) }
        }
        return outcome
    }
}

extension AccessTokenKey {
    /// Spellings share a token in the store as well.
    fileprivate var sharedName: SharedApplicationTokens.Name {
        let key = lowercased ?? self
        return SharedApplicationTokens.Name(realm: key.realm, target: key.target, qualifier: key.qualifier)
    }
}

extension MSALTokenError {
    /// Whether the service failed to respond, rather than refused.
    fileprivate var isOutage: Bool { kind == .serviceUnavailable || kind == .network && isRetryable }
}
