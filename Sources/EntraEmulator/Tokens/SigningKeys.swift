// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation
import JWTKit

/// The RSA key that signs every token, kept in the state directory.
struct SigningKeys: Sendable {
    /// The key's name in `kid`; a digest of its modulus.
    let keyID: String
    private let keys: JWTKeyCollection
    private let modulus: String
    private let exponent: String

    /// Reads the key, or makes a 2048-bit one and stores it.
    init(in directory: StateDirectory) async throws {
        let pem = try directory.locked {
            if let pem = try directory.read(Self.file) { return pem }
            let pem = try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
            try directory.write(pem, to: Self.file)
            return pem
        }
        let privateKey = try Insecure.RSA.PrivateKey(pem: pem)
        let (modulus, exponent) = try privateKey.publicKey.getKeyPrimitives()
        self.modulus = modulus.base64URL
        self.exponent = exponent.base64URL
        keyID = Data(SHA256.hash(data: modulus)).base64URL
        keys = JWTKeyCollection()
        await keys.add(rsa: privateKey, digestAlgorithm: .sha256, kid: JWKIdentifier(string: keyID))
    }

    /// The JSON web key set, RFC 7517.
    func keySet(issuer: String) -> JSONValue {
        [
            "keys": [
                [
                    "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(keyID), "x5t": .string(keyID),
                    "n": .string(modulus), "e": .string(exponent), "issuer": .string(issuer),
                ]
            ]
        ]
    }

    /// Signs the claims with RS256.
    func sign(_ claims: [String: JSONValue]) async throws -> String {
        try await keys.sign(ClaimSet(claims: claims), kid: JWKIdentifier(string: keyID))
    }

    /// The claims of a token that this key signed; `nil` for any other text. Lifetimes are not looked at.
    func claims(of token: String) async -> [String: JSONValue]? {
        // A forged or foreign token is an ordinary answer here, and why it failed is nobody's business.
        try? await keys.verify(token, as: ClaimSet.self).claims
    }

    private static let file = "signing-key.pem"
}

/// Claims as JWTKit wants them. The emulator checks lifetimes by its own clock, so `verify` has nothing to add.
private struct ClaimSet: JWTPayload {
    let claims: [String: JSONValue]

    init(claims: [String: JSONValue]) {
        self.claims = claims
    }

    init(from decoder: any Decoder) throws {
        claims = try [String: JSONValue](from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        try claims.encode(to: encoder)
    }

    func verify(using algorithm: some JWTAlgorithm) async throws {}
}
