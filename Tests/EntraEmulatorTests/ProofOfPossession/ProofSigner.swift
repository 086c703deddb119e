// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation
import TestSupport

/// A client's key, and the signed HTTP requests that are made with it (docs/reference/Protocol.md#proof-of-possession),
/// right or wrong.
struct ProofSigner {
    private let key: _RSA.Signing.PrivateKey
    let jwk: [String: String]
    /// The thumbprint of RFC 7638.
    let keyID: String

    /// A client. Clients with the same `key` share it.
    init(key name: String = "proof") throws {
        key = try SharedKeys.rsa(name)
        let primitives = try key.publicKey.getKeyPrimitives()
        let (n, e) = (Self.base64URL(primitives.modulus), Self.base64URL(primitives.publicExponent))
        jwk = ["kty": "RSA", "n": n, "e": e]
        keyID = Self.base64URL(Data(SHA256.hash(data: Data(#"{"e":"\#(e)","kty":"RSA","n":"\#(n)"}"#.utf8))))
    }

    /// The parameters of a token request that ask for a token bound to the key.
    var parameters: [String: String] {
        ["token_type": "pop", "req_cnf": Self.base64URL(Data(#"{"kid":"\#(keyID)"}"#.utf8))]
    }

    /// A signature over a request; `changes` replace members of its payload, `NSNull` removes them.
    func envelope(
        _ accessToken: String,
        method: String = "GET",
        host: String,
        path: String = "/v1.0/me",
        at time: Date,
        header changedHeader: [String: Any] = [:],
        payload changes: [String: Any] = [:]
    ) throws -> String {
        let header: [String: Any] = ["alg": "RS256", "typ": "JWT", "kid": keyID]
        let payload: [String: Any] = [
            "at": accessToken, "ts": Int(time.timeIntervalSince1970), "m": method, "u": host, "p": path,
            "nonce": UUID().uuidString, "cnf": ["jwk": jwk],
        ]
        let signed = try [header.merging(changedHeader) { $1 }, payload.merging(changes) { $1 }]
            .map { members in
                let members = members.filter { !($0.value is NSNull) }
                return Self.base64URL(try JSONSerialization.data(withJSONObject: members))
            }
            .joined(separator: ".")
        let signature = try key.signature(
            for: SHA256.hash(data: Data(signed.utf8)),
            padding: .insecurePKCS1v1_5
        ).rawRepresentation
        return "\(signed).\(Self.base64URL(signature))"
    }

    static func base64URL(_ data: Data) -> String {
        Bench.base64URL(data.base64EncodedString())
    }
}
