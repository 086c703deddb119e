// Licensed under the MIT License. See LICENSE.

package import MSALCore
private import Synchronization

/// The time limits and repetitions of requests, for all applications of this process.
///
/// A request is repeated after a 5xx status without `Retry-After`, after timeouts, and where the host was not found or
/// the connection failed; never after 4xx, TLS failures and cancellation. Changes count from the next request on. Safe
/// to use from any thread.
public final class MSALHTTPConfig: NSObject, Sendable {
    private let settings = Mutex(RetrySettings())

    /// How often a failed request is repeated; once by default. Negative numbers count as zero.
    public var retryCount: Int {
        get { settings.withLock { $0.count } }
        set { settings.withLock { $0.count = max(0, newValue) } }
    }

    /// Seconds before a repetition; 0.5 by default. Two where this machine has no network.
    public var retryInterval: TimeInterval {
        get { settings.withLock { $0.interval.seconds } }
        set { settings.withLock { $0.interval = .clamped(seconds: newValue) } }
    }

    /// Seconds that one attempt may take; 300 by default.
    public var timeoutIntervalForRequest: TimeInterval {
        get { settings.withLock { $0.timeout.seconds } }
        set { settings.withLock { $0.timeout = .clamped(seconds: newValue) } }
    }

    /// The settings for the next request.
    package var snapshot: RetrySettings { settings.withLock { $0 } }
}

extension Duration {
    /// Limits seconds that an app sets to a range that a clock can hold: not a number, negative and endless values.
    static func clamped(seconds: TimeInterval) -> Duration {
        guard !seconds.isNaN else { return .zero }
        return .seconds(min(max(seconds, 0), 1e9))
    }
}
