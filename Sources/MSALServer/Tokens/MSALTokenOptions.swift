// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase
import MSALCore

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

    /// The correlation ID of the request, which the service logs. `nil` generates a random one.
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

    /// The value of `claims`: those of the call, those of the application itself, and the application's capabilities.
    ///
    /// If the call and the application name the same claim, that of the call counts, because an API wants to see it.
    ///
    /// - Throws: `.configuration` if one of them is no JSON object.
    package func claims(with capabilities: [String]) throws(MSALTokenError) -> String? {
        let asked = try Self.object(
            claims,
            fault: "The claims are not a JSON object. Decode the base64 of the API's challenge first."
        )
        let own = try Self.object(clientClaims, fault: "The application's own claims are not a JSON object.")
        let claims = own.map { own in asked.map { own.merging($0) } ?? own } ?? asked
        return ClaimsRequest.merged(capabilities: capabilities, claims: claims)?.text
    }

    private static func object(_ text: String?, fault: String) throws(MSALTokenError) -> JSONValue? {
        guard let text else { return nil }
        guard let value = JSONValue(parsing: Data(text.utf8)), value.object != nil else {
            throw MSALTokenError(.configuration, message: fault)
        }
        return value
    }
}

extension JSONValue {
    /// This object with the members of another. If both have a member, that of the other object counts. Objects within
    /// are merged, too.
    fileprivate func merging(_ other: JSONValue) -> JSONValue {
        guard let left = object, let right = other.object else { return other }
        return .object(left.merging(right) { $0.merging($1) })
    }
}
