// Licensed under the MIT License. See LICENSE.

import MSALCore

/// When the service is asked next, and when no more (RFC 8628 §3.5; docs/reference/Ways.md#device-code-polling). Pure.
struct DeviceCodePace: Sendable {
    /// What follows a failed question.
    enum Next: Sendable {
        /// Ask again after ``DeviceCodePace/pause``. `nil`: the service is reached, and the user is not done.
        case again(AuthError?)
        case end(AuthError)
    }

    /// How often in a row the service may send something that is no JSON.
    private static let patience = 5

    private(set) var interval: Duration
    /// The pause before the next question.
    private(set) var pause: Duration
    private var unreadable = 0

    init(interval: Duration) {
        self.interval = interval
        pause = interval
    }

    /// `now`: The time to which a date in `Retry-After` is compared.
    mutating func next(after error: AuthError, now: Date) -> Next {
        defer { pause = max(pause, interval) }
        pause = interval
        if case .invalidResponse = error.kind {
            unreadable += 1
            return unreadable < Self.patience ? .again(error) : .end(error)
        }
        unreadable = 0
        switch error.kind {
        case .tokenRefused(let refusal):
            if let retryAfter = refusal.retryAfter { pause = RetryAfter.delay(retryAfter, now: now) ?? interval }
            if refusal.isNamed("authorization_pending") { return .again(nil) }
            if refusal.isNamed("slow_down") {
                interval += .seconds(5)
                return .again(nil)
            }
            return .end(error)
        case .http(let status, let headers) where status == 429 || status >= 500:
            let retryAfter = headers.first { $0.key.lowercased() == "retry-after" }?.value
            if let retryAfter { pause = RetryAfter.delay(retryAfter, now: now) ?? interval }
            return .again(error)
        case .transport(let failure) where failure.isTransient:
            // RFC 8628 §3.5: back off, for instance by doubling, where connections time out.
            if failure.kind == .timedOut { interval = min(interval * 2, .seconds(300)) }
            return .again(error)
        case .invalidParameter, .unexpected, .invalidRedirectURI, .redirectSchemeNotRegistered, .interactionRequired,
            .authorizationRefused, .declinedScopes, .protectionPolicyRequired, .canceled, .sessionAlreadyRunning,
            .invalidState, .invalidResponse, .authorityValidationFailed, .http, .transport, .ambiguousAccount,
            .accountRequired, .deviceNotRegistered, .store:
            return .end(error)
        }
    }
}
