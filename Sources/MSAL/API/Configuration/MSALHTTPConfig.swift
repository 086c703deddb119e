// Licensed under the MIT License. See LICENSE.

package import MSALCore
private import Synchronization

/// The timeouts and retries of requests, for all applications of this process. An application may have a
/// ``MSALPublicClientApplicationConfig/retryPolicy`` of its own.
///
/// A request is retried after a 5xx status without `Retry-After`, after timeouts, and if the host was not found or the
/// connection failed; never after 4xx, TLS failures, and cancellation. Changes apply to the next request. Thread-safe.
public final class MSALHTTPConfig: NSObject, Sendable {
    private let settings = Mutex(RetrySettings())

    /// The number of retries for a failed request; 1 by default, 0 to 100. Numbers out of range count as the nearest.
    public var retryCount: Int {
        get { settings.withLock { $0.count } }
        set { settings.withLock { $0.count = max(0, newValue) } }
    }

    /// The number of seconds before a retry; 0.5 by default, and 300 at most. Two seconds if this machine has no network.
    public var retryInterval: TimeInterval {
        get { settings.withLock { $0.interval.seconds } }
        set { settings.withLock { $0.interval = .clamped(seconds: newValue) } }
    }

    /// The timeout of one attempt, in seconds; 300 by default.
    public var timeoutIntervalForRequest: TimeInterval {
        get { settings.withLock { $0.timeout.seconds } }
        set { settings.withLock { $0.timeout = .clamped(seconds: newValue) } }
    }

    /// The settings for the next request. An application's own `policy` replaces the retries, but not the timeout.
    package func snapshot(policy: RetrySettings?) -> RetrySettings {
        settings.withLock { shared in
            var settings = policy ?? shared
            settings.timeout = shared.timeout
            return settings
        }
    }
}

extension Duration {
    /// Clamps seconds that an app sets to a range that a clock can represent: not a number, negative, and infinite
    /// values.
    static func clamped(seconds: TimeInterval) -> Duration {
        guard !seconds.isNaN else { return .zero }
        return .seconds(min(max(seconds, 0), 1e9))
    }
}
