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
    /// The client ID of the registration.
    public var clientId: String

    /// The authority at which the client is registered.
    public var authority: MSALServerAuthority

    /// The credential that authenticates the client.
    public var credential: MSALClientCredential

    /// The redirect URI, as registered. Web applications need one.
    ///
    /// It must use https, or http on this machine. The library never derives it from a request, because a client can
    /// choose the request's `Host`.
    public var redirectUri: String?

    /// The URI to which the service redirects the browser after sign-out, as registered.
    public var postLogoutRedirectUri: String?

    /// The capabilities of the application, such as `cp1` for claims challenges of APIs. They are sent with each
    /// request.
    public var capabilities: [String] = []

    /// Whether to send the certificate chain, for a registration by subject name and issuer.
    public var sendsCertificateChain = false

    /// Whether application tokens come from a regional endpoint. Only Microsoft's own services may use regional
    /// endpoints.
    public var region = MSALRegion.none

    /// The token cache. Application objects with the same cache share their tokens.
    public var cache = MSALTokenCache()

    /// Whether a token may be used after its normal expiration while the service is unavailable, as long as the service
    /// allows it. The source of the result is then ``MSALTokenResult/Source/cacheExtended``.
    public var allowsExtendedLifetime = false

    /// A PEM file with additional certificate authorities to trust.
    public var caFile: URL?

    /// Whether the environment variable `MSAL_EMULATOR` may redirect requests, including the credential, to an emulator
    /// on this machine; `false` by default. The certificate authority in `MSAL_EMULATOR_CA` then replaces ``caFile``.
    ///
    /// If `false` and the variable is set, creating the application fails with `.configuration`, unless its authority
    /// is that emulator.
    public var allowsEmulator = false

    /// The time limit of a request to the service, including the wait for a connection, all retries, and the pauses
    /// before them. ``MSALTokenOptions/timeout`` limits a whole call.
    public var requestTimeout: Duration = .seconds(30)

    /// The maximum number of connections to one host of the service. When all are in use, requests wait for a free one.
    public var maximumConnections = 64

    /// The base URL at which an emulator on this machine accepts connections with client certificates, such as
    /// `https://localhost:8445`. Used only if the authority is on this machine, too.
    public var mutualTLSURL: URL?

    /// The logger. As long as no problem occurs, the library logs nothing at `info` or above. Returning a cached token
    /// logs nothing.
    public var logger = Logger(label: "msal")

    /// Called when a background refresh has failed. The old token remains in use until it expires.
    public var onBackgroundFailure: (@Sendable (MSALTokenError) -> Void)?

    /// Called when a background refresh has ended, with the new token or the error. A failure also calls
    /// ``onBackgroundFailure``.
    public var onBackgroundRefresh: (@Sendable (Result<MSALTokenResult, MSALTokenError>) -> Void)?

    #if Metrics
        /// The metrics system for the library's metrics. `nil` selects the process's `MetricsSystem` at the time the
        /// application is created. Requires the package trait `Metrics`.
        public var metrics: (any MetricsFactory)?
    #endif

    #if Tracing
        /// The tracer for the library's spans. `nil` selects the process's `InstrumentationSystem`. Requires the
        /// package trait `Tracing`.
        public var tracer: (any Tracer)?
    #endif

    /// Creates the settings of a client.
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
            options.onBackgroundRefresh = onBackgroundRefresh
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
            onBackgroundRefresh = newValue.onBackgroundRefresh
            #if Metrics
                metrics = newValue.metrics
            #endif
            #if Tracing
                tracer = newValue.tracer
            #endif
        }
    }
}
