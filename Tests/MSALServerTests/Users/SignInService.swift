// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase
import MSALCore
import MSALServer
import Synchronization
import TestSupport

/// An identity service in a test: its metadata, its key, and token responses that the test sets.
final class SignInService: HTTPTransport {
    static let clientID = "2fa91425-cb00-4853-9d2c-67eda13ffe79"
    static let tenant = "73ab4876-7734-47c1-87fd-e805ec99108d"
    static let user = "9f4880d8-80ba-4c40-97bc-f7a23c703084"
    static var homeAccountID: String { "\(user).\(tenant)" }
    static let issuer = "https://login.microsoftonline.com/\(tenant)/v2.0"

    private let key = P256.Signing.PrivateKey()
    private let tokens: ScriptedTransport
    private let metadataChanges: [String: JSONValue]
    private let publishesKeys: Bool
    private let metadataRequests = Mutex(0)

    /// `metadata` replaces members of the document. A null removes one.
    init(
        _ responses: [ScriptedTransport.Response] = [],
        metadata: [String: JSONValue] = [:],
        publishesKeys: Bool = true
    ) {
        tokens = ScriptedTransport(responses)
        metadataChanges = metadata
        self.publishesKeys = publishesKeys
    }

    func append(_ response: ScriptedTransport.Response) { tokens.append(response) }

    /// The forms that the token endpoint received.
    var forms: [[String: String]] { tokens.messages.map(\.form) }
    var messages: [HTTPMessage] { tokens.messages }
    /// The number of fetches of the metadata document.
    var documentsServed: Int { metadataRequests.withLock { $0 } }
    func verify() throws { try tokens.verify() }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let path = message.url.path()
        if path.hasSuffix("openid-configuration") {
            metadataRequests.withLock { $0 += 1 }
            return json(metadata)
        }
        if path.hasSuffix("/keys") {
            return publishesKeys ? json(.object(["keys": .array([publicKey])])) : HTTPResponse(status: 503)
        }
        return try await tokens.send(message)
    }

    private func json(_ value: JSONValue) -> HTTPResponse {
        HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Data(value.text.utf8))
    }

    private var metadata: JSONValue {
        let base = "https://login.microsoftonline.com/\(Self.tenant)"
        let members: [String: JSONValue] = [
            "issuer": .string(Self.issuer),
            "authorization_endpoint": .string("\(base)/oauth2/v2.0/authorize"),
            "token_endpoint": .string("\(base)/oauth2/v2.0/token"),
            "end_session_endpoint": .string("\(base)/oauth2/v2.0/logout"),
            "jwks_uri": .string("\(base)/discovery/v2.0/keys"),
        ]
        return .object(members.merging(metadataChanges) { $1 }.filter { $0.value != .null })
    }

    private var publicKey: JSONValue {
        let point = key.publicKey.rawRepresentation
        return .object([
            "kty": .string("EC"), "crv": .string("P-256"), "kid": .string("key-1"),
            "x": .string(Base64URL.encode(point.prefix(32))), "y": .string(Base64URL.encode(point.suffix(32))),
        ])
    }

    // MARK: - Responses

    /// An ID token for a sign-in with this nonce. `changes` replaces claims. A null removes one.
    func idToken(
        nonce: String?,
        at now: Date,
        changes: [String: JSONValue] = [:],
        algorithm: String = "ES256",
        breaksSignature: Bool = false
    ) throws -> String {
        let start = Int64(now.timeIntervalSince1970)
        var claims: [String: JSONValue] = [
            "iss": .string(Self.issuer), "aud": .string(Self.clientID), "sub": .string("pairwise"),
            "oid": .string(Self.user), "tid": .string(Self.tenant), "name": .string("Megan Bowen"),
            "iat": .integer(start), "nbf": .integer(start), "exp": .integer(start + 3600),
        ]
        claims["nonce"] = nonce.map(JSONValue.string)
        claims = claims.merging(changes) { $1 }.filter { $0.value != .null }
        let header = JSONValue.object(["alg": .string(algorithm), "kid": .string("key-1"), "typ": .string("JWT")])
        let text = [header, .object(claims)].map { Base64URL.encode(Array($0.text.utf8)) }.joined(separator: ".")
        var signature = Array(try key.signature(for: Data(text.utf8)).rawRepresentation)
        if breaksSignature { signature[5] ^= 1 }
        return "\(text).\(Base64URL.encode(signature))"
    }

    static func clientInfo(user: String = SignInService.user, tenant: String = SignInService.tenant) -> String {
        Base64URL.encode(Array(#"{"uid":"\#(user)","utid":"\#(tenant)"}"#.utf8))
    }

    /// A response of the token endpoint. `changes` replaces members. A null removes one.
    static func tokens(
        access: String = "at-1",
        refresh: String? = "rt-1",
        scope: String = "User.Read openid profile",
        idToken: String? = nil,
        changes: [String: JSONValue] = [:]
    ) -> ScriptedTransport.Response {
        var members: [String: JSONValue] = [
            "token_type": .string("Bearer"), "expires_in": .integer(3600), "access_token": .string(access),
            "scope": .string(scope), "client_info": .string(clientInfo()),
        ]
        members["refresh_token"] = refresh.map(JSONValue.string)
        members["id_token"] = idToken.map(JSONValue.string)
        members = members.merging(changes) { $1 }.filter { $0.value != .null }
        return .json(JSONValue.object(members).text, to: "/oauth2/v2.0/token")
    }

    static func refusal(
        _ error: String,
        suberror: String? = nil,
        code: Int = 70000,
        status: Int = 400
    ) -> ScriptedTransport.Response {
        var members: [String: JSONValue] = [
            "error": .string(error), "error_description": .string("AADSTS\(code): As the script says."),
            "error_codes": .array([.integer(Int64(code))]),
        ]
        members["suberror"] = suberror.map(JSONValue.string)
        return .json(JSONValue.object(members).text, status: status, to: "/oauth2/v2.0/token")
    }
}
