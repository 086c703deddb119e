// Licensed under the MIT License. See LICENSE.

import MSALCore

/// When and how often failed requests to the service are retried.
///
/// ```swift
/// var options = MSALCredentialOptions()
/// options.retryPolicy = MSALServerRetryPolicy(maximumRetries: 4, multiplier: 2, jitter: 0.5)
/// options.requestTimeout = .seconds(20)  // With all retries and delays.
/// ```
///
/// A request is also retried if the connection failed; never after TLS failures, cancellation, and responses with
/// `Retry-After`. An authorization code is never sent again if the service may have received it. ``none`` also turns off
/// the separate retries of requests to managed identity hosts and to issuers of assertions, such as GitHub Actions.
public struct MSALServerRetryPolicy: Sendable {
    private(set) var settings = RetrySettings()

    /// No retries, for a program that retries failed calls itself.
    public static let none = MSALServerRetryPolicy(maximumRetries: 0)

    /// Creates a policy. A value out of range is replaced with the nearest one in the range.
    ///
    /// - Parameters:
    ///   - maximumRetries: The number of attempts after the first; 0 to 100.
    ///   - initialDelay: The delay before the first retry; two seconds instead if this machine has no network.
    ///   - multiplier: The factor by which each further delay is longer, up to five minutes; at least 1.
    ///   - jitter: The largest part of a delay that is randomly left out; 0 to 1.
    ///   - statuses: The HTTP statuses to retry. Other statuses than 408, 425, 429, and 500 to 599 are ignored.
    public init(
        maximumRetries: Int = 1,
        initialDelay: Duration = .milliseconds(500),
        multiplier: Double = 1,
        jitter: Double = 0,
        statuses: Set<Int> = Set(500...599)
    ) {
        settings.count = maximumRetries
        settings.interval = initialDelay
        settings.multiplier = multiplier
        settings.jitter = jitter
        settings.statuses = statuses
    }
}
