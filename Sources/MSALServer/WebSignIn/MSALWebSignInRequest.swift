// Licensed under the MIT License. See LICENSE.

public import Foundation
package import MSALBase

/// A sign-in under way: the address to send the browser to, and what is needed when it returns.
///
/// The application keeps it until the browser returns: in its memory under a random name that a cookie holds, or in a
/// sealed cookie. It holds secrets, so do not keep it in a cookie that the browser can read or change. It serves once,
/// and for an hour.
public struct MSALWebSignInRequest: Sendable, Codable, CustomStringConvertible, CustomReflectable {
    /// The address to redirect the browser to, with the status 302 or 303.
    public let url: URL

    /// The value that the response must bring back (RFC 6749 §10.12).
    package let state: Secret
    /// The value that the id token must hold (OpenID Connect Core §3.1.2.1).
    package let nonce: Secret
    /// The proof that this application began the sign-in (RFC 7636).
    package let verifier: Secret
    package let clientID: String
    package let redirectURI: String
    /// The scopes that were asked for, without those of OpenID Connect.
    public let scopes: [String]
    /// The tenant that was asked instead of the configured one.
    package let tenant: String?
    /// The authority that was asked.
    package let authority: URL
    package let claims: String?
    package let responseMode: MSALWebSignInParameters.ResponseMode
    /// The id by which the service's logs know the sign-in.
    public let correlationID: UUID
    /// When it began, in seconds since 1970.
    package let begun: Int64

    package init(
        url: URL,
        state: Secret,
        nonce: Secret,
        verifier: Secret,
        clientID: String,
        redirectURI: String,
        scopes: [String],
        tenant: String? = nil,
        authority: URL,
        claims: String? = nil,
        responseMode: MSALWebSignInParameters.ResponseMode = .formPost,
        correlationID: UUID,
        begun: Int64
    ) {
        self.url = url
        self.state = state
        self.nonce = nonce
        self.verifier = verifier
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.tenant = tenant
        self.authority = authority
        self.claims = claims
        self.responseMode = responseMode
        self.correlationID = correlationID
        self.begun = begun
    }

    /// Whether a response brings back this request's state, compared in constant time.
    ///
    /// An application that keeps several sign-ins of a browser finds the right one with it.
    public func matches(_ response: MSALWebSignInResponse) -> Bool {
        response.state.map { Secret($0) == state } ?? false
    }

    /// The scopes and the time, without the secrets.
    public var description: String {
        "MSALWebSignInRequest(scopes: \(scopes.joined(separator: " ")), begun: \(begun), \(correlationID))"
    }

    /// The same for a debugger.
    public var customMirror: Mirror { Mirror(self, children: ["scopes": scopes, "correlationID": correlationID]) }

    // MARK: - Coding

    /// The version of the coded form.
    private static let version = 1

    private enum CodingKeys: String, CodingKey {
        case version, url, state, nonce, verifier, clientID, redirectURI, scopes, tenant, authority, claims,
            responseMode
        case correlationID, begun
    }

    /// Reads a request that ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError` for one of another version of this library, or a damaged one. Begin the sign-in again.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        guard try values.decode(Int.self, forKey: .version) == Self.version else {
            throw DecodingError.dataCorruptedError(
                forKey: .version,
                in: values,
                debugDescription: "The sign-in was begun by another version. Begin it again."
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
        state = try secret(.state)
        nonce = try secret(.nonce)
        verifier = try secret(.verifier)
        clientID = try values.decode(String.self, forKey: .clientID)
        redirectURI = try values.decode(String.self, forKey: .redirectURI)
        scopes = try values.decode([String].self, forKey: .scopes)
        tenant = try values.decodeIfPresent(String.self, forKey: .tenant)
        authority = try values.decode(URL.self, forKey: .authority)
        claims = try values.decodeIfPresent(String.self, forKey: .claims)
        responseMode = try values.decode(MSALWebSignInParameters.ResponseMode.self, forKey: .responseMode)
        correlationID = try values.decode(UUID.self, forKey: .correlationID)
        begun = try values.decode(Int64.self, forKey: .begun)
    }

    /// Writes the request with its secrets, for a place that only the application can read and change.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(Self.version, forKey: .version)
        try values.encode(url, forKey: .url)
        try values.encode(state.exposed, forKey: .state)
        try values.encode(nonce.exposed, forKey: .nonce)
        try values.encode(verifier.exposed, forKey: .verifier)
        try values.encode(clientID, forKey: .clientID)
        try values.encode(redirectURI, forKey: .redirectURI)
        try values.encode(scopes, forKey: .scopes)
        try values.encodeIfPresent(tenant, forKey: .tenant)
        try values.encode(authority, forKey: .authority)
        try values.encodeIfPresent(claims, forKey: .claims)
        try values.encode(responseMode, forKey: .responseMode)
        try values.encode(correlationID, forKey: .correlationID)
        try values.encode(begun, forKey: .begun)
    }
}
