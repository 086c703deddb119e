// Licensed under the MIT License. See LICENSE.

public import Foundation
public import Logging

#if Metrics
    public import Metrics
#endif
#if Tracing
    public import Tracing
#endif

/// The settings that every credential takes.
///
/// Objects whose ``caFile``, ``requestTimeout`` and ``maximumConnections`` are equal share their connections.
public struct MSALCredentialOptions: Sendable {
    /// Further tenants that calls may name, beside those of `AZURE_ADDITIONALLY_ALLOWED_TENANTS`. `*` stands for any.
    public var additionallyAllowedTenants: [String] = []

    /// The capabilities of the application, such as `cp1` for claims challenges of APIs. Each request of a token names
    /// them. Of the hosts of managed identities, only Service Fabric gets them.
    public var capabilities: [String] = []

    /// A PEM file with certificate authorities that are trusted beside the system's.
    public var caFile: URL?

    /// Whether the environment variable `MSAL_EMULATOR` may send the credential to an emulator on this machine; `false`
    /// by default. The certificate authority in `MSAL_EMULATOR_CA` then takes the place of ``caFile``.
    ///
    /// With `false`, making an application while the variable is set fails with `.configuration`, unless its authority
    /// is that emulator. This does not concern managed identities and command lines.
    public var allowsEmulator = false

    /// The time that a request to the service may take: with the wait for a connection, and with all repetitions and the
    /// pauses before them. A command line may take as long. ``MSALTokenOptions/timeout`` limits a whole call.
    public var requestTimeout: Duration = .seconds(30)

    /// The connections to one host. Further requests wait until one of them is free.
    public var maximumConnections = 64

    /// Where the lines of the log go. While all goes well, the library writes nothing at `info` or above, except one
    /// line with the name of the credential that a chain has chosen. A token from the memory writes no line.
    public var logger = Logger(label: "msal")

    /// Called after a refresh in the background has failed. The old token serves until its end.
    public var onBackgroundFailure: (@Sendable (MSALTokenError) -> Void)?

    #if Metrics
        /// The metrics system that counts. `nil` takes that of the process, `MetricsSystem`, as it is when the object
        /// is made. This setting needs the trait `Metrics` of the package.
        public var metrics: (any MetricsFactory)?
    #endif

    #if Tracing
        /// The tracer of the spans. `nil` takes that of the process, `InstrumentationSystem`. This setting needs the
        /// trait `Tracing` of the package.
        public var tracer: (any Tracer)?
    #endif

    /// Settings that ask for nothing special.
    public init() {}

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
