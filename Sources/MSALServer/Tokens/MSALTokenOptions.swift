// Licensed under the MIT License. See LICENSE.

public import Foundation

/// The wishes of a call beside its scopes.
public struct MSALTokenOptions: Sendable {
    /// The tenant to ask instead of the configured one: its id or one of its domains.
    public var tenant: String?

    /// The claims of an API's challenge, as JSON text. The memory is not asked, and the new token replaces the old one.
    public var claims: String?

    /// Whether the service is asked even if the memory has a token.
    public var forceRefresh = false

    /// The time that the call may take. `nil` sets no limit beside those of the requests that it makes:
    /// ``MSALCredentialOptions/requestTimeout``. A call whose time is over ends with
    /// ``MSALTokenError/Kind-swift.struct/network``.
    public var timeout: Duration?

    /// The id by which the service's logs shall know the request. A random one is taken for `nil`.
    public var correlationID: UUID?

    /// Whether the certificate's chain is sent along, for a registration by subject name and issuer. `nil` takes the
    /// configuration's setting.
    public var sendsCertificateChain: Bool?

    /// Whether the token shall be bound to the client's certificate (RFC 8705 §3).
    public var isBoundToCertificate = false

    /// Claims of the application itself, as JSON text. They are a part of the token's identity in the memory.
    public var clientClaims: String?

    /// The path of a federated managed identity. It is a part of the token's identity in the memory.
    public var fmiPath: String?

    /// Further members of the request's body. They are a part of the token's identity in the memory.
    public var extraBodyParameters: [String: String] = [:]

    /// Options that ask for nothing special.
    public init() {}

    /// The reason to ask the service, whatever the memory has; `nil` if the memory may serve.
    var cacheBypassReason: MSALTokenResult.Reason? { claims != nil ? .claims : forceRefresh ? .forcedRefresh : nil }
}
