// Licensed under the MIT License. See LICENSE.

public import Foundation
public import Logging
package import MSALCore

#if Metrics
    public import Metrics
#endif
#if Tracing
    public import Tracing
#endif

/// The settings by which an API validates access tokens.
///
/// Tokens must be signed with RS256; no other algorithm can be enabled.
///
/// ```swift
/// var configuration = MSALTokenValidatorConfiguration(
///     clientId: clientID,
///     authority: .tenant("contoso.onmicrosoft.com")
/// )
/// configuration.clockSkew = .seconds(60)
/// let validator = try MSALTokenValidator(configuration)
/// ```
public struct MSALTokenValidatorConfiguration: Sendable {
    /// The client ID of the API's own registration.
    public var clientId: String

    /// The issuer of the tokens: a tenant, any organization, a B2C policy, or an External ID tenant.
    public var authority: MSALServerAuthority

    /// The tenants whose tokens are accepted.
    public var tenants: MSALAllowedTenants

    /// Additional accepted values of `aud`. The client ID is always accepted, and in tokens of version 1.0 also
    /// `api://<client ID>` and ``applicationIdUri``. In version 1.0, a URI is accepted with and without a trailing
    /// slash.
    public var audiences: Set<String> = []

    /// The client IDs that may call the API; `nil` for any client of an allowed tenant.
    public var clients: Set<String>?

    /// Whether to accept a token without any scope or role, because the application authorizes callers itself.
    public var allowsTokensWithoutPermissions = false

    /// The accepted difference between this machine's clock and that of the issuer.
    public var clockSkew: Duration = .seconds(300)

    /// The maximum number of cached tokens whose signature was verified. Zero disables the cache.
    public var maximumRememberedTokens = 10_000

    /// How long a key remains valid after the issuer has stopped publishing it. During a key rollover, the issuer's
    /// servers may not all publish the same keys.
    public var vanishedKeyGrace: Duration = .seconds(3600)

    /// The settings for signed requests and client certificates. Without them, a token that is bound to either is
    /// rejected.
    public var proofs: MSALProofSettings?

    /// The URL of the API's metadata (RFC 9728), with which clients discover the authority. If set, rejections name it.
    public var resourceMetadata: URL?

    /// The App ID URI of the API, with which a client names a scope; `nil` for `api://<client ID>`. It is an accepted
    /// `aud` in tokens of version 1.0, and is part of responses that name ``resourceMetadata``.
    public var applicationIdUri: String?

    /// A PEM file with additional certificate authorities to trust, for connections to the issuer.
    public var caFile: URL?

    /// The proxy for connections to the issuer; the one in the environment by default.
    public var proxy = MSALServerProxy.environment

    /// The logger. Reasons of rejections are logged at `info`, with the claim, its value, and the expected value; at
    /// most eight lines per reason and minute. They never name the user.
    public var logger = Logger(label: "msal.api")

    #if Metrics
        /// The metrics system for the library's metrics. `nil` selects the process's `MetricsSystem` at the time the
        /// validator is created. Requires the package trait `Metrics`.
        public var metrics: (any MetricsFactory)?
    #endif

    #if Tracing
        /// The tracer for the library's spans. `nil` selects the process's `InstrumentationSystem`. Requires the
        /// package trait `Tracing`.
        public var tracer: (any Tracer)?
    #endif

    /// The algorithms of signatures. Nothing but a test that replays cases of other libraries changes it.
    package var algorithms: Set<JSONWebSignature.Algorithm> = [.rs256]

    /// Creates the settings of an API.
    public init(clientId: String, authority: MSALServerAuthority, tenants: MSALAllowedTenants = .ofAuthority) {
        self.clientId = clientId
        self.authority = authority
        self.tenants = tenants
    }
}
