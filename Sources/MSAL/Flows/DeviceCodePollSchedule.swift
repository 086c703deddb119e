// Licensed under the MIT License. See LICENSE.

import MSALCore

/// The times at which the service is asked (RFC 8628 §3.5; docs/reference/SignInModeRules.md#device-code-polling). Pure.
struct DeviceCodePollSchedule: Sendable {
    /// The consequence of a failed question.
    enum Next: Sendable {
        /// Ask again after ``DeviceCodePollSchedule/pause``. `nil`: the service is reached, and the user is not done.
        case retry(AuthError?)
        case end(AuthError)
    }

    /// The service may send something that is no JSON this often in a row.
    private static let toleratedFailures = 5
    /// Timeouts lengthen the pause to this, unless the service wants a longer one.
    private static let longestBackoff = Duration.seconds(300)
    /// The last question comes this long before the end, so that the service gets it while the code is good.
    private static let reserve = Duration.seconds(2)
    private static let shortestPause = Duration.seconds(1)

    /// The pause that the service wants.
    private(set) var interval: Duration
    /// The pause before the next question.
    private(set) var pause: Duration
    /// The longer pause while one connection after the other times out.
    private var backoff: Duration?
    /// Whether the service named the time of the next question with `Retry-After`.
    private var isNamedByService = false
    private var unreadable = 0

    init(interval: Duration) {
        self.interval = interval
        pause = interval
    }

    /// The pause before the next question; `nil` if there is none before the end, which is `left` from now.
    ///
    /// A pause that would reach beyond the end becomes shorter, because the user may have approved meanwhile. A time that
    /// the service named stays.
    func pause(left: Duration) -> Duration? {
        if pause < left { return pause }
        let shortened = left - Self.reserve
        return isNamedByService || shortened < Self.shortestPause ? nil : shortened
    }

    /// `now`: The time to which a date in `Retry-After` is compared.
    mutating func next(after error: AuthError, now: Date) -> Next {
        defer { pause = max(pause, interval) }
        isNamedByService = false
        if case .transport(let failure) = error.kind {
            unreadable = 0
            guard failure.isTransient else { return .end(error) }
            // RFC 8628 §3.5: back off, for instance by doubling, where connections time out.
            if failure.kind == .timedOut {
                backoff = max(interval, min((backoff ?? interval) * 2, Self.longestBackoff))
            }
            pause = backoff ?? interval
            return .retry(error)
        }
        backoff = nil
        pause = interval
        if case .invalidResponse = error.kind {
            unreadable += 1
            return unreadable < Self.toleratedFailures ? .retry(error) : .end(error)
        }
        unreadable = 0
        switch error.kind {
        case .tokenRefused(let refusal):
            honorRetryAfter(by: refusal.retryAfter, now: now)
            if refusal.isNamed("authorization_pending") { return .retry(nil) }
            if refusal.isNamed("slow_down") {
                interval += .seconds(5)
                return .retry(nil)
            }
            return .end(error)
        case .http(let status, let headers) where status == 429 || status >= 500:
            honorRetryAfter(by: headers.first { $0.key.lowercased() == "retry-after" }?.value, now: now)
            return .retry(error)
        case .invalidParameter, .unexpected, .invalidRedirectURI, .redirectSchemeNotRegistered, .interactionRequired,
            .authorizationRefused, .declinedScopes, .protectionPolicyRequired, .canceled, .sessionAlreadyRunning,
            .invalidState, .invalidResponse, .authorityValidationFailed, .http, .transport, .ambiguousAccount,
            .accountRequired, .deviceNotRegistered, .mismatchedUser, .broker, .store:
            return .end(error)
        }
    }

    private mutating func honorRetryAfter(by retryAfter: String?, now: Date) {
        guard let named = retryAfter.flatMap({ RetryAfter.delay($0, now: now) }) else { return }
        pause = named
        isNamedByService = named > interval
    }
}
