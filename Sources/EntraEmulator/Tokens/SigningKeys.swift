// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation
import JWTKit
import SwiftASN1
import Synchronization
import X509

/// The RSA keys of the tokens. The newest one signs; the others are still shown, so that clients accept what they signed.
///
/// The first one is kept in the state folder. Those of a rollover end with the process.
final class SigningKeys: Sendable {
    /// What is public of one key.
    private struct Shown {
        /// The key's name in `kid`: as at the service, the SHA-1 thumbprint of its certificate (RFC 7517 §4.8).
        let id: String
        /// The members of its JSON web key.
        let members: [String: JSONValue]

        /// `nil` for a text that is no certificate in PEM.
        init?(_ key: _RSA.Signing.PrivateKey, certificate pem: String) throws {
            let certificate = pem.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }.joined()
            guard let der = Data(base64Encoded: certificate), !der.isEmpty else { return nil }
            let primitives = try key.publicKey.getKeyPrimitives()
            id = Data(Crypto.Insecure.SHA1.hash(data: der)).base64URL
            members = [
                "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(id), "x5t": .string(id),
                "n": .string(primitives.modulus.base64URL), "e": .string(primitives.publicExponent.base64URL),
                "x5c": [.string(certificate)],
            ]
        }
    }

    private let keys = JWTKeyCollection()
    /// The newest one comes first.
    private let shown: Mutex<[Shown]>

    /// Reads the key, or makes a 2048-bit one and stores it.
    init(in directory: PrivateFolder) async throws {
        let (pem, certificatePEM) = try directory.locked { try Self.stored(in: directory) }
        // The reason adds nothing: the remedy is the same for everything that can be wrong with the file.
        guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem) else {
            throw PrivateFolder.Failure(damaged: directory.file(Self.file))
        }
        guard let first = try Shown(key, certificate: certificatePEM) else {
            throw PrivateFolder.Failure(damaged: directory.file(Self.certificateFile))
        }
        shown = Mutex([first])
        try await add(key, named: first.id)
    }

    /// The name of the key that signs.
    var keyID: String { shown.withLock { $0[0].id } }

    /// Lets a new key sign from now on. Returns its name.
    func rollOver() async throws -> String {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        guard let next = try Shown(key, certificate: Self.certificate(of: key)) else { throw EntraError.serverFault }
        // It can be verified before it signs.
        try await add(key, named: next.id)
        shown.withLock { shown in
            // Nobody keeps tokens of so many keys; the service shows about six.
            shown = [next] + shown.prefix(Self.limit - 1)
        }
        return next.id
    }

    private static let limit = 8

    private func add(_ key: _RSA.Signing.PrivateKey, named id: String) async throws {
        await keys.add(
            rsa: try JWTKit.Insecure.RSA.PrivateKey(pem: key.pemRepresentation),
            digestAlgorithm: .sha256,
            kid: JWKIdentifier(string: id)
        )
    }

    /// The JSON web key set, RFC 7517.
    ///
    /// `issuer`: The member `issuer`, which the key sets of version 2.0 have; `nil` leaves it out.
    func keySet(issuer: String?) -> JSONValue {
        let keys = shown.withLock { $0 }.map { key in
            var members = key.members
            if let issuer {
                members["issuer"] = .string(issuer)
                members["cloud_instance_name"] = "microsoftonline.com"
            }
            return JSONValue.object(members)
        }
        return ["keys": .array(keys)]
    }

    /// Signs the claims with RS256.
    func sign(_ claims: [String: JSONValue]) async throws -> String {
        let id = keyID
        let header: JWTHeader = ["x5t": .string(id)]
        return try await keys.sign(ClaimSet(claims: claims), kid: JWKIdentifier(string: id), header: header)
    }

    /// The claims of a token that one of the keys signed; `nil` for any other text. Lifetimes are not checked.
    func claims(of token: String) async -> [String: JSONValue]? {
        // The reason why a token is not accepted is not reported.
        try? await keys.verify(token, as: ClaimSet.self).claims
    }

    private static func certificate(of key: _RSA.Signing.PrivateKey) throws -> String {
        // It is only shown in `x5c`, and `x5t` and `kid` are its thumbprint; no client has to trust it.
        try Certificate.selfSigned(
            as: DistinguishedName { CommonName("Entra emulator token signing") },
            with: Certificate.PrivateKey(key),
            by: .sha256WithRSAEncryption
        ).serializeAsPEM().pemString
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
        let certificate = try certificate(of: key)
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
