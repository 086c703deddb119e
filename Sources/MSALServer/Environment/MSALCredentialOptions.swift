// Licensed under the MIT License. See LICENSE.

public import Foundation
public import Logging

#if Metrics
    public import Metrics
#endif
#if Tracing
    public import Tracing
#endif

/// The settings that all credentials share.
///
/// Objects with equal ``caFile``, ``requestTimeout`` and ``maximumConnections`` share their connections.
public struct MSALCredentialOptions: Sendable {
    /// Additional tenants that calls may name, in addition to `AZURE_ADDITIONALLY_ALLOWED_TENANTS`. `*` allows any
    /// tenant.
    public var additionallyAllowedTenants: [String] = []

    /// The capabilities of the application, such as `cp1` for claims challenges of APIs. They are sent with each token
    /// request; of the managed identity hosts, only Service Fabric receives them.
    public var capabilities: [String] = []

    /// A PEM file with additional certificate authorities to trust.
    public var caFile: URL?

    /// Whether the environment variable `MSAL_EMULATOR` may redirect requests, including the credential, to an emulator
    /// on this machine; `false` by default. The certificate authority in `MSAL_EMULATOR_CA` then replaces ``caFile``.
    ///
    /// If `false` and the variable is set, creating an application fails with `.configuration`, unless its authority is
    /// that emulator. Managed identities and command-line tools are not affected.
    public var allowsEmulator = false

    /// The time limit of a request to the service, including the wait for a connection, all retries, and the pauses
    /// before them. The same limit applies to a command-line tool. ``MSALTokenOptions/timeout`` limits a whole call.
    public var requestTimeout: Duration = .seconds(30)

    /// The maximum number of connections to one host. When all are in use, requests wait for a free one.
    public var maximumConnections = 64

    /// The logger. As long as no problem occurs, the library logs nothing at `info` or above, except for one line with
    /// the name of the credential that a chain has selected. Returning a cached token logs nothing.
    public var logger = Logger(label: "msal")

    /// Called when a background refresh has failed. The old token remains in use until it expires.
    public var onBackgroundFailure: (@Sendable (MSALTokenError) -> Void)?

    /// Called when a background refresh has ended, with the new token or the error. A failure also calls
    /// ``onBackgroundFailure``.
    public var onBackgroundRefresh: (@Sendable (Result<MSALTokenResult, MSALTokenError>) -> Void)?

    #if Metrics
        /// The metrics system for the library's metrics. `nil` selects the process's `MetricsSystem` at the time the
        /// object is created. Requires the package trait `Metrics`.
        public var metrics: (any MetricsFactory)?
    #endif

    #if Tracing
        /// The tracer for the library's spans. `nil` selects the process's `InstrumentationSystem`. Requires the
        /// package trait `Tracing`.
        public var tracer: (any Tracer)?
    #endif

    /// Creates the default settings.
    public init() {}

    /// Calls both functions.
    var refreshObserver: @Sendable (Result<MSALTokenResult, MSALTokenError>) -> Void {
        { [onBackgroundFailure, onBackgroundRefresh] outcome in
            if case .failure(let error) = outcome { onBackgroundFailure?(error) }
            onBackgroundRefresh?(outcome)
        }
    }

    var instruments: Instruments {
        Instruments.none
            #if Metrics
                .counting(in: metrics)
            #endif
            #if Tracing
                .tracing(with: tracer)
            #endif
    }
}
