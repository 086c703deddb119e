// Licensed under the MIT License. See LICENSE.

public import Foundation
package import MSALBase

/// A sign-in in progress: the URL for the browser, and the state that is needed when the browser returns.
///
/// Keep it until the browser returns: in memory under a random name in a cookie, or in an encrypted cookie. It contains
/// secrets, so do not store it in a cookie that the browser can read or change. It can be used once, within an hour.
public struct MSALWebSignInRequest: Sendable, CustomStringConvertible, CustomReflectable {
    /// The random values that tie the response to this request.
    package struct Secrets: Sendable {
        /// The value that the response must bring back (RFC 6749 §10.12).
        package var state: Secret
        /// The value that the ID token must contain (OpenID Connect Core §3.1.2.1).
        package var nonce: Secret
        /// The proof that this application began the sign-in (RFC 7636).
        package var verifier: Secret
    }

    /// The application that began the sign-in. The response has to reach the same one.
    struct Client: Sendable {
        var clientID: String
        var redirectURI: String
    }

    /// The values that were sent to the service.
    package struct RequestedValues: Sendable {
        package var authority: URL
        /// The tenant of the sign-in, if it is not the configured one.
        var tenant: String?
        var claims: String?
        var responseMode: MSALWebSignInParameters.ResponseMode
    }

    /// The URL to redirect the browser to, with status 302 or 303.
    public private(set) var url: URL
    /// The requested scopes, without those of OpenID Connect.
    public let scopes: [String]
    /// The correlation ID of the sign-in, which the service logs.
    public let correlationID: UUID

    package var secrets: Secrets
    let client: Client
    package let requested: RequestedValues
    /// The time at which the sign-in began, in seconds since 1970.
    let begun: Int64

    /// Whether a response has this request's state, compared in constant time.
    ///
    /// If an application keeps several sign-ins of a browser, it finds the matching one with this method.
    public func matches(_ response: MSALWebSignInResponse) -> Bool {
        response.state.map { Secret($0) == secrets.state } ?? false
    }

    /// The request with a short URL, so that it fits into a cookie. The URL is not needed when the browser returns.
    package var withoutURL: MSALWebSignInRequest {
        var copy = self
        copy.url = requested.authority
        return copy
    }

    /// The scopes and the time, without the secrets.
    public var description: String {
        "MSALWebSignInRequest(scopes: \(scopes.joined(separator: " ")), begun: \(begun), \(correlationID))"
    }

    /// The scopes and the correlation ID, without the secrets.
    public var customMirror: Mirror { Mirror(self, children: ["scopes": scopes, "correlationID": correlationID]) }
}

extension MSALWebSignInRequest: Codable {
    /// The version of the coded form.
    private static let version = 1

    private enum CodingKeys: String, CodingKey {
        case version, url, state, nonce, verifier, clientID, redirectURI, scopes, tenant, authority, claims,
            responseMode
        case correlationID, begun
    }

    /// Decodes a request that ``encode(to:)`` encoded.
    ///
    /// - Throws: `DecodingError` if it is corrupt or was encoded by a different version of this library. Start the
    ///   sign-in again.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        guard try values.decode(Int.self, forKey: .version) == Self.version else {
            throw DecodingError.dataCorruptedError(
                forKey: .version,
                in: values,
                debugDescription: "The sign-in was started by another version. Start it again."
            )
        }
        func secret(_ key: CodingKeys) throws -> Secret {
            let text = try values.decode(String.self, forKey: key)
            // A shorter value could be guessed, or is damaged (RFC 7636 §4.1).
            guard text.utf8.count >= 43 else {
                throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: "It is too short.")
            }
            return Secret(text)
        }
        url = try values.decode(URL.self, forKey: .url)
        scopes = try values.decode([String].self, forKey: .scopes)
        correlationID = try values.decode(UUID.self, forKey: .correlationID)
        secrets = Secrets(state: try secret(.state), nonce: try secret(.nonce), verifier: try secret(.verifier))
        client = Client(
            clientID: try values.decode(String.self, forKey: .clientID),
            redirectURI: try values.decode(String.self, forKey: .redirectURI)
        )
        requested = RequestedValues(
            authority: try values.decode(URL.self, forKey: .authority),
            tenant: try values.decodeIfPresent(String.self, forKey: .tenant),
            claims: try values.decodeIfPresent(String.self, forKey: .claims),
            responseMode: try values.decode(MSALWebSignInParameters.ResponseMode.self, forKey: .responseMode)
        )
        begun = try values.decode(Int64.self, forKey: .begun)
    }

    /// Encodes the request with its secrets, for storage that only the application can read and change.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(Self.version, forKey: .version)
        try values.encode(url, forKey: .url)
        try values.encode(secrets.state.exposed, forKey: .state)
        try values.encode(secrets.nonce.exposed, forKey: .nonce)
        try values.encode(secrets.verifier.exposed, forKey: .verifier)
        try values.encode(client.clientID, forKey: .clientID)
        try values.encode(client.redirectURI, forKey: .redirectURI)
        try values.encode(scopes, forKey: .scopes)
        try values.encodeIfPresent(requested.tenant, forKey: .tenant)
        try values.encode(requested.authority, forKey: .authority)
        try values.encodeIfPresent(requested.claims, forKey: .claims)
        try values.encode(requested.responseMode, forKey: .responseMode)
        try values.encode(correlationID, forKey: .correlationID)
        try values.encode(begun, forKey: .begun)
    }
}
