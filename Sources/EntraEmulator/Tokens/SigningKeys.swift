// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation
import JWTKit
import SwiftASN1
import X509

/// The RSA key that signs every token and its certificate, kept in the state folder.
struct SigningKeys: Sendable {
    /// The key's name in `kid`: as at the service, the SHA-1 thumbprint of its certificate (RFC 7517 §4.8).
    let keyID: String
    /// The certificate's DER in base64, RFC 7517 §4.7.
    private let certificate: String
    private let keys: JWTKeyCollection
    private let modulus: String
    private let exponent: String

    /// Reads the key, or makes a 2048-bit one and stores it.
    init(in directory: PrivateFolder) async throws {
        let (pem, certificatePEM) = try directory.locked { try Self.stored(in: directory) }
        guard let privateKey = try? Insecure.RSA.PrivateKey(pem: pem) else {
            throw PrivateFolder.Failure(damaged: directory.file(Self.file))
        }
        let lines = certificatePEM.split(whereSeparator: \.isNewline)
        certificate = lines.filter { !$0.hasPrefix("-----") }.joined()
        guard let der = Data(base64Encoded: certificate), !der.isEmpty else {
            throw PrivateFolder.Failure(damaged: directory.file(Self.certificateFile))
        }
        let (modulus, exponent) = try privateKey.publicKey.getKeyPrimitives()
        self.modulus = modulus.base64URL
        self.exponent = exponent.base64URL
        keyID = Data(Insecure.SHA1.hash(data: der)).base64URL
        keys = JWTKeyCollection()
        await keys.add(rsa: privateKey, digestAlgorithm: .sha256, kid: JWKIdentifier(string: keyID))
    }

    /// The JSON web key set, RFC 7517.
    func keySet(issuer: String) -> JSONValue {
        [
            "keys": [
                [
                    "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(keyID), "x5t": .string(keyID),
                    "n": .string(modulus), "e": .string(exponent), "x5c": [.string(certificate)],
                    "issuer": .string(issuer),
                ]
            ]
        ]
    }

    /// Signs the claims with RS256.
    func sign(_ claims: [String: JSONValue]) async throws -> String {
        try await keys.sign(ClaimSet(claims: claims), kid: JWKIdentifier(string: keyID))
    }

    /// The claims of a token that this key signed; `nil` for any other text. Lifetimes are not checked.
    func claims(of token: String) async -> [String: JSONValue]? {
        // The reason why a token is not accepted is not reported.
        try? await keys.verify(token, as: ClaimSet.self).claims
    }

    /// The key and its certificate, made where they are missing.
    private static func stored(in directory: PrivateFolder) throws -> (key: String, certificate: String) {
        let stored = try directory.read(file)
        if let stored, let certificate = try directory.read(certificateFile) { return (stored, certificate) }
        let key: _RSA.Signing.PrivateKey
        do {
            key = try stored.map { try .init(pemRepresentation: $0) } ?? .init(keySize: .bits2048)
        } catch {
            throw PrivateFolder.Failure(damaged: directory.file(file))
        }
        // It is only shown in `x5c`, and `x5t` and `kid` are its thumbprint; no client has to trust it.
        let certificate = try Certificate.selfSigned(
            as: DistinguishedName { CommonName("Entra emulator token signing") },
            with: Certificate.PrivateKey(key),
            by: .sha256WithRSAEncryption
        ).serializeAsPEM().pemString
        // The certificate first: one without its key is replaced at the next start.
        try directory.write(certificate, to: certificateFile)
        if stored == nil { try directory.write(key.pemRepresentation, to: file) }
        return (stored ?? key.pemRepresentation, certificate)
    }

    private static let file = "signing-key.pem"
    private static let certificateFile = "signing-certificate.pem"
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
