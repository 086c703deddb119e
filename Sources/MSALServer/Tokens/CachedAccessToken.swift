// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase
package import MSALCore
private import Synchronization

/// An access token as the cache holds it. Only the marks about its use change.
package final class CachedAccessToken: Sendable {
    // The members that each use reads stand first, close together. With many tokens, access to the machine's memory is
    // slow.

    /// The end of its life in seconds since 1970.
    package let expiresAt: Int64
    private let state: State

    package let accessToken: Secret
    /// `Bearer`, or the type of a bound token.
    package let tokenType: String
    /// The time from which a new one is fetched in the background. It is `nil` if the service wants none.
    package let refreshAt: Int64?
    /// The end of the time in which it may serve while the service is out of order.
    package let extendedExpiresAt: Int64?
    /// The scopes that were granted.
    package let scopes: [String]
    package let tenant: String?
    /// The request that brought it.
    package let correlationID: UUID?
    /// The thumbprint of the certificate to which it is bound.
    package let keyID: String?
    /// The user whom it represents; `nil` for the application itself.
    package let user: TokenUser?

    /// The part of a token that changes during its life. The token and its copies share it.
    private final class State: Sendable {
        let lastUse = Atomic<Int64>(0)
        /// The time from which the next token may be fetched. It is `.max` while a caller fetches one, or if the
        /// service requested no refresh.
        let nextRefresh: Atomic<Int64>
        let hasSuccessor = Atomic(false)
        /// Whether a thread has taken the token itself. The next threads then get copies.
        let isTaken = Atomic(false)

        init(nextRefresh: Int64) { self.nextRefresh = Atomic(nextRefresh) }
    }

    /// The condition under which an API accepts a token: from every bearer, or from the holder of a key alone.
    package struct Binding: Sendable {
        package var type = "Bearer"
        package var keyID: String?
    }

    /// The times of a token in seconds since 1970.
    package struct Life: Sendable {
        package let expiresAt: Int64
        package let refreshAt: Int64?
        package let extendedExpiresAt: Int64?

        package init(until expiresAt: Int64, refreshAt: Int64? = nil, extendedExpiresAt: Int64? = nil) {
            self.expiresAt = expiresAt
            self.refreshAt = refreshAt
            self.extendedExpiresAt = extendedExpiresAt
        }
    }

    package init(
        accessToken: Secret,
        binding: Binding = Binding(),
        life: Life,
        scopes: [String],
        tenant: String? = nil,
        correlationID: UUID? = nil,
        user: TokenUser? = nil
    ) {
        self.accessToken = accessToken
        tokenType = binding.type
        keyID = binding.keyID
        expiresAt = life.expiresAt
        refreshAt = life.refreshAt
        state = State(nextRefresh: life.refreshAt ?? .max)
        extendedExpiresAt = life.extendedExpiresAt
        self.scopes = scopes
        self.tenant = tenant
        self.correlationID = correlationID
        self.user = user
    }

    private init(copying other: CachedAccessToken) {
        // The copy has a text of its own. So two threads that give out the token do not write to the same memory.
        accessToken = Secret(String(decoding: Array(other.accessToken.exposed.utf8), as: UTF8.self))
        tokenType = other.tokenType
        keyID = other.keyID
        expiresAt = other.expiresAt
        refreshAt = other.refreshAt
        extendedExpiresAt = other.extendedExpiresAt
        scopes = other.scopes
        tenant = other.tenant
        correlationID = other.correlationID
        user = other.user
        state = other.state
    }

    /// The token for one more thread: the first gets this object, every other a copy.
    func copyForThread() -> CachedAccessToken {
        state.isTaken.exchange(true, ordering: .relaxed) ? CachedAccessToken(copying: self) : self
    }

    /// A token counts as expired five minutes before its end, because an API compares it with another clock.
    package static let margin: Int64 = 300

    /// Whether it may still be given out at `now`, in seconds since 1970.
    package func isUsable(at now: Int64) -> Bool { expiresAt - Self.margin > now }

    /// Whether it may serve at `now` while the service is out of order.
    package func isUsableInOutage(at now: Int64) -> Bool { extendedExpiresAt.map { $0 > now } ?? false }

    /// Whether it has ended for good, also for an outage.
    package func isPast(at now: Int64) -> Bool { expiresAt <= now && !isUsableInOutage(at: now) }

    /// Notes a use. By these notes, the cache finds the token that was not used for the longest time.
    package func touch(at now: Int64) {
        // This writes once a second at most, because processors share memory cheaply only while none of them writes to
        // it.
        if state.lastUse.load(ordering: .relaxed) != now { state.lastUse.store(now, ordering: .relaxed) }
    }

    /// The time of the last use in seconds since 1970.
    package var lastUsedAt: Int64 { state.lastUse.load(ordering: .relaxed) }

    /// Notes that a cache has dropped this token, or has replaced it.
    package func markReplaced() { state.hasSuccessor.store(true, ordering: .relaxed) }

    /// Whether a cache has dropped or replaced it.
    package var isReplaced: Bool { state.hasSuccessor.load(ordering: .relaxed) }

    /// The size of its texts in bytes.
    package var textBytes: Int {
        scopes.reduce(accessToken.exposed.utf8.count + (tenant?.utf8.count ?? 0)) { $0 + $1.utf8.count + 16 }
    }

    /// Whether it is time to fetch a new token in the background, unless a fetch is in progress.
    package func isRefreshDue(at now: Int64) -> Bool { state.nextRefresh.load(ordering: .relaxed) <= now }

    /// Whether this caller shall fetch a new token in the background. Only one caller gets `true` until the attempt has
    /// ended.
    package func beginRefresh(at now: Int64) -> Bool {
        let moment = state.nextRefresh.load(ordering: .relaxed)
        guard moment <= now else { return false }
        return state.nextRefresh.compareExchange(expected: moment, desired: .max, ordering: .acquiringAndReleasing)
            .exchanged
    }

    /// Ends the attempt that ``beginRefresh(at:)`` began. The next one is possible from `retryAt` on.
    package func endRefresh(retryAt: Int64) { state.nextRefresh.store(retryAt, ordering: .releasing) }
}

extension CachedAccessToken {
    /// The token of a response (docs/reference/Services.md#saving).
    ///
    /// If the response names no scopes, the `scopes` that were asked for count.
    ///
    /// - Throws: `.invalidResponse` if the token or its life is missing, or if its type is another one.
    package convenience init(
        _ response: TokenResponse,
        binding: Binding = Binding(),
        scopes: [String],
        tenant: String?,
        user: TokenUser? = nil,
        correlationID: UUID,
        jitter: (Duration) -> Duration
    ) throws(MSALTokenError) {
        func fault(_ text: String) -> MSALTokenError {
            MSALTokenError(.invalidResponse, message: text + " It was not kept.", correlationID: correlationID)
        }
        guard let token = response.accessToken else { throw fault("The response has no access token.") }
        let type = response.tokenType ?? "Bearer"
        guard type.caseInsensitiveCompare(binding.type) == .orderedSame else {
            throw fault("The response has a token of the type \(type.visibleLine), and \(binding.type) was asked for.")
        }
        let start = Int64(response.receivedAt.timeIntervalSince1970)
        let end = Int64(response.expiresOn.timeIntervalSince1970)
        guard response.namesLifetime, end > start else {
            throw fault("The response does not contain the lifetime of its token.")
        }
        var refreshAt = response.refreshOn.map { Int64($0.timeIntervalSince1970) }
        if let moment = refreshAt {
            // A refresh time after the token's end is ignored.
            let spread = min(Double(end - start) / 10, 300)
            let early = Int64(jitter(.seconds(spread)).components.seconds)
            refreshAt = moment < end && moment > start ? moment - early : nil
        }
        self.init(
            accessToken: token,
            binding: Binding(type: type, keyID: binding.keyID),
            life: Life(
                until: end,
                refreshAt: refreshAt,
                extendedExpiresAt: response.extendedExpiresOn.map { Int64($0.timeIntervalSince1970) }
            ),
            scopes: response.scope.map { ScopeSet(parsing: $0).values } ?? scopes,
            tenant: tenant,
            correlationID: correlationID,
            user: user
        )
    }
}

/// A token that was not in the memory.
package struct FetchedToken: Sendable {
    package let token: CachedAccessToken
    /// The source: the service, or the store that instances share, which counts as a cache.
    package let source: MSALTokenResult.Source

    package init(_ token: CachedAccessToken, from source: MSALTokenResult.Source) {
        self.token = token
        self.source = source
    }
}

extension MSALTokenResult {
    /// The result of a call that the memory could not serve. `reason` is why the service was asked, if it was.
    init(_ fetched: FetchedToken, reason: Reason) {
        self.init(fetched.token, source: fetched.source, reason: fetched.source == .cache ? nil : reason)
    }
}
