// Licensed under the MIT License. See LICENSE.

import MSALCore

/// When and how often an application retries failed requests.
///
/// ```swift
/// configuration.retryPolicy = MSALRetryPolicy(maximumRetries: 4, multiplier: 2, jitter: 0.5, totalTimeout: .seconds(20))
/// ```
///
/// A request is also retried after timeouts, and if the host was not found or the connection failed; never after TLS
/// failures, cancellation, and responses with `Retry-After`. An authorization code is never sent again if the service
/// may have received it. Steps of native authentication are never retried.
public struct MSALRetryPolicy: Sendable {
    let settings: RetrySettings?

    /// The retries that ``MSALGlobalConfig/httpConfig`` sets for the whole process, including later changes.
    public static let global = MSALRetryPolicy(settings: nil)

    /// No retries, for an app that retries failed calls itself.
    public static let none = MSALRetryPolicy(maximumRetries: 0)

    /// Creates a policy. A value out of range is replaced with the nearest one in the range.
    ///
    /// - Parameters:
    ///   - maximumRetries: The number of attempts after the first; 0 to 100.
    ///   - initialDelay: The delay before the first retry; two seconds instead if this machine has no network.
    ///   - multiplier: The factor by which each further delay is longer, up to five minutes; at least 1.
    ///   - jitter: The largest part of a delay that is randomly left out; 0 to 1.
    ///   - totalTimeout: The time limit of a request with all retries and delays; `nil` for none.
    ///   - statuses: The HTTP statuses to retry. Other statuses than 408, 425, 429, and 500 to 599 are ignored.
    public init(
        maximumRetries: Int = 1,
        initialDelay: Duration = .milliseconds(500),
        multiplier: Double = 1,
        jitter: Double = 0,
        totalTimeout: Duration? = nil,
        statuses: Set<Int> = Set(500...599)
    ) {
        var settings = RetrySettings()
        settings.count = maximumRetries
        settings.interval = initialDelay
        settings.multiplier = multiplier
        settings.jitter = jitter
        settings.statuses = statuses
        settings.totalTimeout = totalTimeout
        self.settings = settings
    }

    private init(settings: RetrySettings?) { self.settings = settings }
}
