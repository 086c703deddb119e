// Licensed under the MIT License. See LICENSE.

import MSALCore
private import Synchronization

/// Repeats the failure of a silent request from memory for a while, so that a loop in an app does not storm the service
/// (docs/reference/Silent.md#throttling).
package final class Throttle: Sendable {
    private struct Entry {
        let error: AuthError
        let created: Date
        let until: Date
        let endsWithSignIn: Bool

        /// Whether the time is over. It counts as over, too, if the clock was set back since it began.
        func isOver(at now: Date) -> Bool { until <= now || created > now }
    }

    private let entries = Mutex<[RefreshKey: Entry]>([:])
    private let capacity = 1000

    init() {}

    /// The remembered failure of this request, marked as such; `nil` if it may be sent.
    func failure(for key: RefreshKey, now: Date) -> AuthError? {
        entries.withLock { entries in
            for candidate in [key, key.withoutClaims] {
                guard let entry = entries[candidate] else { continue }
                if entry.isOver(at: now) {
                    entries[candidate] = nil
                    continue
                }
                var error = entry.error
                error.isThrottled = true
                return error
            }
            return nil
        }
    }

    /// Remembers a failure, if it is of a kind worth remembering.
    func remember(_ error: AuthError, for key: RefreshKey, now: Date) {
        guard let (target, delay, endsWithSignIn) = plan(error, key: key, now: now) else { return }
        entries.withLock { entries in
            // An expired entry goes at once: it may hold a token of an account that was signed out meanwhile.
            entries = entries.filter { !$0.value.isOver(at: now) }
            if entries.count >= capacity, let oldest = entries.min(by: { $0.value.created < $1.value.created })?.key {
                entries[oldest] = nil
            }
            entries[target] = Entry(
                error: error,
                created: now,
                until: now + delay,
                endsWithSignIn: endsWithSignIn
            )
        }
    }

    /// A user just signed in: requests that failed for want of a sign-in may be sent again.
    func noteSignIn() {
        entries.withLock { entries in entries = entries.filter { !$0.value.endsWithSignIn } }
    }

    private func plan(_ error: AuthError, key: RefreshKey, now: Date) -> (RefreshKey, TimeInterval, Bool)? {
        if case .http(let status, let headers) = error.kind {
            let header = headers.first { $0.key.caseInsensitiveCompare("Retry-After") == .orderedSame }?.value
            guard status == 429 || status >= 500 || header != nil else { return nil }
            guard let header else { return (key.withoutClaims, 60, false) }
            return RetryAfter.delay(header, now: now).map { (key.withoutClaims, $0.seconds, false) }
        }
        if case .declinedScopes = error.kind { return (key, 120, true) }
        guard let oauth = error.oauth else { return nil }
        if let delay = oauth.retryAfter.flatMap({ RetryAfter.delay($0, now: now) }) {
            return (key.withoutClaims, delay.seconds, false)
        }
        return (key, 120, true)
    }
}

extension Duration {
    /// This span in seconds, as Foundation's dates count.
    package var seconds: TimeInterval {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
