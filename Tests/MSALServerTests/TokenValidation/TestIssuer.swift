// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import Synchronization
import TestSupport

/// An issuer with its own keys, which responds as a test specifies, and signs what a test needs.
final class TestIssuer: HTTPTransport {
    /// A response of the issuer.
    enum Answer: Sendable {
        case keys([JSONValue])
        case response(HTTPResponse)
        case failure(TransportError.Kind)
    }

    static let tenant = "db5b5fab-8f4d-4e27-9da1-494c73cf256d"
    static let client = "79cb9e86-830c-41c2-8dcc-69292f45e678"
    static let host = "login.microsoftonline.com"

    private struct State {
        var keys: Answer = .keys([])
        /// The only URL that has keys, which the metadata names. `nil` means any URL for keys.
        var keysAddress: String?
        /// A replacement for the metadata.
        var metadata: Answer?
        var requests: [String] = []
        var headers: [String: String] = [:]
    }

    private let state = Mutex(State())
    private let gate = Mutex<AtomicFlag?>(nil)

    /// The requested URLs, in order.
    var requests: [String] { state.withLock { $0.requests } }

    func serve(keys: Answer) { state.withLock { $0.keys = keys } }
    func serve(keysAt address: String) { state.withLock { $0.keysAddress = address } }
    func serve(headers: [String: String]) { state.withLock { $0.headers = headers } }
    func serve(metadata: Answer?) { state.withLock { $0.metadata = metadata } }

    /// Delays all responses until the flag is set.
    func hold(until flag: AtomicFlag?) { gate.withLock { $0 = flag } }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        let address = message.url.absoluteString
        let (answer, headers) = state.withLock { state in
            state.requests.append(address)
            let answer: Answer =
                if address == state.keysAddress {
                    state.keys
                } else if address.hasSuffix("/keys") {
                    state.keysAddress == nil ? state.keys : .response(HTTPResponse(status: 404))
                } else {
                    state.metadata
                        ?? .response(Self.metadata(keysAt: state.keysAddress ?? "\(Self.base)/discovery/v2.0/keys"))
                }
            return (answer, state.headers)
        }
        if let flag = gate.withLock({ $0 }) { while !flag.isSet { await Task.yield() } }
        switch answer {
        case .keys(let keys):
            let text = JSONValue.object(["keys": .array(keys)]).text
            return HTTPResponse(status: 200, headers: headers, body: Data(text.utf8))
        case .response(let response): return response
        case .failure(let kind): throw TransportError(kind, message: "As the test says.")
        }
    }

    private static let base = "https://\(host)/\(tenant)"

    private static func metadata(keysAt address: String) -> HTTPResponse {
        let document: JSONValue = .object([
            "issuer": .string("\(base)/v2.0"), "jwks_uri": .string(address),
            "authorization_endpoint": .string("\(base)/oauth2/v2.0/authorize"),
            "token_endpoint": .string("\(base)/oauth2/v2.0/token"),
        ])
        return HTTPResponse(status: 200, body: Data(document.text.utf8))
    }
}

/// A key of an issuer. Keys are created once for all tests, because that takes long.
struct IssuerKey: Sendable {
    let id: String
    private let key: ProofKey

    private static let keys = Mutex<[String: ProofKey]>([:])

    /// The key with an id. Ids that no issuer publishes share one.
    init(_ id: String) throws {
        self.id = id
        let slot = id.hasPrefix("k") ? id : "invented"
        key = try Self.keys.withLock { keys in
            if let known = keys[slot] { return known }
            let made = try ProofKey.generated().key
            keys[slot] = made
            return made
        }
    }

    /// The key's thumbprint (RFC 7638).
    var thumbprint: String { key.keyID }

    /// The key as an issuer publishes it.
    var published: JSONValue {
        .object([
            "kty": .string("RSA"), "use": .string("sig"), "kid": .string(id), "n": .string(key.modulus),
            "e": .string(key.exponent),
        ])
    }

    /// A token with the claims of a valid one, some of which are replaced. `nil` removes one.
    func token(
        at now: Date,
        claims changes: [String: JSONValue?] = [:],
        header: [String: JSONValue] = [:]
    ) throws -> String {
        let seconds = Int64(now.timeIntervalSince1970)
        var claims: [String: JSONValue] = [
            "iss": .string("https://\(TestIssuer.host)/\(TestIssuer.tenant)/v2.0"), "tid": .string(TestIssuer.tenant),
            "aud": .string(TestIssuer.client), "ver": .string("2.0"), "azp": .string("app"), "oid": .string("person"),
            "sub": .string("pairwise"), "scp": .string("Orders.Read"), "exp": .integer(seconds + 3600),
            "iat": .integer(seconds), "nbf": .integer(seconds), "preferred_username": .string("person@contoso.example"),
        ]
        for (name, value) in changes { claims[name] = value }
        return try text(header: header, payload: JSONValue.object(claims).text)
    }

    /// A token with any payload.
    func text(header changes: [String: JSONValue] = [:], payload: String) throws -> String {
        let header = ["alg": .string("RS256"), "typ": .string("JWT"), "kid": .string(id)]
            .merging(changes) { (_: JSONValue, own: JSONValue) in own }
        let signed = "\(Base64URL.encode(JSONValue.object(header).text.utf8)).\(Base64URL.encode(payload.utf8))"
        return "\(signed).\(Base64URL.encode(try key.signature(for: Data(signed.utf8))))"
    }
}
