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

/// What an API takes for a good access token.
///
/// Tokens are signed with RS256; no other algorithm can be switched on.
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
    /// The client id of the API's own registration.
    public var clientId: String

    /// Who issues the tokens: a tenant, every organisation, a B2C policy or an External ID tenant.
    public var authority: MSALServerAuthority

    /// The tenants whose tokens are taken.
    public var tenants: MSALAllowedTenants

    /// Further accepted values of `aud`. The client id is always accepted, and in tokens of version 1.0 also
    /// `api://<client id>` and ``applicationIdUri``. In version 1.0, a URI is accepted with and without a final slash.
    public var audiences: Set<String> = []

    /// The client ids that may call; `nil` for any client of an allowed tenant.
    public var clients: Set<String>?

    /// Whether a token without any scope and role is taken, because the application has a list of its own.
    public var allowsTokensWithoutPermissions = false

    /// The accepted difference between this machine's clock and that of the issuer.
    public var clockSkew: Duration = .seconds(300)

    /// How many tokens are remembered whose signature was verified. Zero switches the memory off.
    public var maximumRememberedTokens = 10_000

    /// How long a key still counts after the issuer has stopped publishing it. While keys are replaced, the issuer's servers
    /// may not all publish the same ones.
    public var vanishedKeyGrace: Duration = .seconds(3600)

    /// Signed requests and certificates of clients. Without settings a token that is bound to one of them is refused.
    public var proofs: MSALProofSettings?

    /// The address of the API's metadata (RFC 9728), for clients that find the authority by it. Answers then name it.
    public var resourceMetadata: URL?

    /// The App ID URI of the API, with which a client names a scope; `nil` for `api://<client id>`. It is an accepted `aud`
    /// in tokens of version 1.0, and responses that name ``resourceMetadata`` have it.
    public var applicationIdUri: String?

    /// A PEM file with certificate authorities that are trusted beside the system's, towards the issuer.
    public var caFile: URL?

    /// Where the lines of the log go: the reasons of refusals at `info`, with the claim, its value, and the
    /// expected one; at most eight lines of each reason a minute. They never name the user.
    public var logger = Logger(label: "msal.api")

    #if Metrics
        /// The metrics system that counts; `nil` for the one of the process, `MetricsSystem`, as it is set up when the
        /// validator is made. This setting needs the trait `Metrics` of the package.
        public var metrics: (any MetricsFactory)?
    #endif

    #if Tracing
        /// The tracer of the spans; `nil` for the one of the process, `InstrumentationSystem`. This setting needs the trait
        /// `Tracing` of the package.
        public var tracer: (any Tracer)?
    #endif

    /// The algorithms of signatures. Nothing but a test that replays cases of other libraries changes it.
    package var algorithms: Set<JSONWebSignature.Algorithm> = [.rs256]

    /// Settings of an API.
    public init(clientId: String, authority: MSALServerAuthority, tenants: MSALAllowedTenants = .ofAuthority) {
        self.clientId = clientId
        self.authority = authority
        self.tenants = tenants
    }
}
