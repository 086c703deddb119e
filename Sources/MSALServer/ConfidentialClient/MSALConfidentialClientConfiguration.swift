// Licensed under the MIT License. See LICENSE.

public import Foundation
public import Logging

#if Metrics
    public import Metrics
#endif
#if Tracing
    public import Tracing
#endif

/// The settings of a confidential client.
///
/// ```swift
/// var configuration = MSALConfidentialClientConfiguration(
///     clientId: clientID,
///     authority: .tenant("contoso.onmicrosoft.com"),
///     credential: .certificate(path: "/etc/app/client.pem")
/// )
/// configuration.capabilities = ["cp1"]
/// let application = try MSALConfidentialClientApplication(configuration: configuration)
/// ```
public struct MSALConfidentialClientConfiguration: Sendable {
    /// The client id of the registration.
    public var clientId: String

    /// The authority at which the client is registered.
    public var authority: MSALServerAuthority

    /// The credential with which the client proves its identity.
    public var credential: MSALClientCredential

    /// The address to which the service sends the browser after a sign-in, as it is registered. Web applications need
    /// one.
    ///
    /// It is https, or http on this machine. It is never taken from a request, whose `Host` a stranger may choose.
    public var redirectUri: String?

    /// The address to which the service sends the browser after a sign-out, as it is registered.
    public var postLogoutRedirectUri: String?

    /// The capabilities of the application, such as `cp1` for claims challenges of APIs. Each request names them.
    public var capabilities: [String] = []

    /// Whether the certificate's chain is sent along, for a registration by subject name and issuer.
    public var sendsCertificateChain = false

    /// The hosts that give the application its own tokens. Only Microsoft's own services may use those of a region.
    public var region = MSALRegion.none

    /// The memory for tokens. Application objects that are given the same one share their tokens.
    public var cache = MSALTokenCache()

    /// Whether a token serves beyond its usual end while the service is out of order, as long as the service has allowed
    /// it. The result's source is then ``MSALTokenResult/Source/cacheExtended``.
    public var allowsExtendedLifetime = false

    /// A PEM file with certificate authorities that are trusted beside the system's.
    public var caFile: URL?

    /// Whether the environment variable `MSAL_EMULATOR` may send the credential to an emulator on this machine; `false`
    /// by default. The certificate authority in `MSAL_EMULATOR_CA` then takes the place of ``caFile``.
    ///
    /// With `false`, making the application while the variable is set fails with `.configuration`, unless its authority is
    /// that emulator.
    public var allowsEmulator = false

    /// The time that a request to the service may take: with the wait for a connection, and with all repetitions and the
    /// pauses before them. ``MSALTokenOptions/timeout`` limits a whole call.
    public var requestTimeout: Duration = .seconds(30)

    /// The connections to one host of the service. Further requests wait until one of them is free.
    public var maximumConnections = 64

    /// Where an emulator on this machine takes connections with client certificates, such as `https://localhost:8445`. It
    /// counts only if the authority is on this machine, too.
    public var mutualTLSURL: URL?

    /// Where the lines of the log go. While all goes well, the library writes nothing at `info` or above. A token from
    /// the memory writes no line.
    public var logger = Logger(label: "msal")

    /// Called after a refresh in the background has failed. The old token serves until its end.
    public var onBackgroundFailure: (@Sendable (MSALTokenError) -> Void)?

    #if Metrics
        /// The metrics system that counts. `nil` takes that of the process, `MetricsSystem`, as it is when the
        /// application is made. This setting needs the trait `Metrics` of the package.
        public var metrics: (any MetricsFactory)?
    #endif

    #if Tracing
        /// The tracer of the spans. `nil` takes that of the process, `InstrumentationSystem`. This setting needs the
        /// trait `Tracing` of the package.
        public var tracer: (any Tracer)?
    #endif

    /// Settings of a client.
    public init(clientId: String, authority: MSALServerAuthority, credential: MSALClientCredential) {
        self.clientId = clientId
        self.authority = authority
        self.credential = credential
    }

    /// The settings that every credential takes. They name no tenants of a call, because an application does not limit
    /// these.
    package var options: MSALCredentialOptions {
        get {
            var options = MSALCredentialOptions()
            options.capabilities = capabilities
            options.caFile = caFile
            options.allowsEmulator = allowsEmulator
            options.requestTimeout = requestTimeout
            options.maximumConnections = maximumConnections
            options.logger = logger
            options.onBackgroundFailure = onBackgroundFailure
            #if Metrics
                options.metrics = metrics
            #endif
            #if Tracing
                options.tracer = tracer
            #endif
            return options
        }
        set {
            capabilities = newValue.capabilities
            caFile = newValue.caFile
            allowsEmulator = newValue.allowsEmulator
            requestTimeout = newValue.requestTimeout
            maximumConnections = newValue.maximumConnections
            logger = newValue.logger
            onBackgroundFailure = newValue.onBackgroundFailure
            #if Metrics
                metrics = newValue.metrics
            #endif
            #if Tracing
                tracer = newValue.tracer
            #endif
        }
    }
}
