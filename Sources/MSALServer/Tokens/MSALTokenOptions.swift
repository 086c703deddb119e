// Licensed under the MIT License. See LICENSE.

public import Foundation

/// The options of a call, in addition to its scopes.
public struct MSALTokenOptions: Sendable {
    /// The tenant to use instead of the configured one: its id or one of its domains.
    public var tenant: String?

    /// The claims of an API's challenge, as JSON text. The cache is bypassed, and the new token replaces the cached
    /// one.
    public var claims: String?

    /// Whether to send a request to the service even if the cache has a token.
    public var forceRefresh = false

    /// The time limit of the call. `nil` sets no limit other than that of each request:
    /// ``MSALCredentialOptions/requestTimeout``. When the limit is exceeded, the call fails with
    /// ``MSALTokenError/Kind-swift.struct/network``.
    public var timeout: Duration?

    /// The correlation id of the request, which the service logs. `nil` generates a random one.
    public var correlationID: UUID?

    /// Whether to send the certificate chain, for a registration by subject name and issuer. `nil` selects the
    /// configuration's setting.
    public var sendsCertificateChain: Bool?

    /// Whether to bind the token to the client's certificate (RFC 8705 §3).
    public var isBoundToCertificate = false

    /// Claims of the application itself, as JSON text. They are part of the token's cache key.
    public var clientClaims: String?

    /// The path of a federated managed identity. It is part of the token's cache key.
    public var fmiPath: String?

    /// Additional parameters of the request's body. They are part of the token's cache key.
    public var extraBodyParameters: [String: String] = [:]

    /// Creates the default options.
    public init() {}

    /// The reason to ask the service, whatever the memory has; `nil` if the memory may serve.
    var cacheBypassReason: MSALTokenResult.Reason? { claims != nil ? .claims : forceRefresh ? .forcedRefresh : nil }
}
