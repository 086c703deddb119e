// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation
import MSALBase
import SwiftASN1
import Synchronization
import X509

/// The RSA keys for tokens. The newest one signs; the others are still published, so that clients accept what they
/// signed.
///
/// The first one is stored in the state folder. Those of a rollover exist only until the process ends.
final class SigningKeys: Sendable {
    private struct Key {
        /// The key's `kid`: as in the service, the SHA-1 thumbprint of its certificate (RFC 7517 §4.8).
        let id: String
        let key: _RSA.Signing.PrivateKey
        /// The members of its JSON Web Key.
        let members: [String: JSONValue]
        /// The encoded headers of the tokens that it signs.
        private let headers: (version1: String, version2: String)

        /// `nil` if the text is not a PEM certificate.
        init?(_ key: _RSA.Signing.PrivateKey, certificate pem: String) throws {
            let certificate = pem.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }.joined()
            guard let der = Data(base64Encoded: certificate), !der.isEmpty else { return nil }
            let primitives = try key.publicKey.getKeyPrimitives()
            id = Data(Insecure.SHA1.hash(data: der)).base64URL
            self.key = key
            members = [
                "kty": "RSA", "use": "sig", "alg": "RS256", "kid": .string(id), "x5t": .string(id),
                "n": .string(primitives.modulus.base64URL), "e": .string(primitives.publicExponent.base64URL),
                "x5c": [.string(certificate)],
            ]
            let header: [String: JSONValue] = ["typ": "JWT", "alg": "RS256", "kid": .string(id)]
            headers = (
                JSONValue.object(header.merging(["x5t": .string(id)]) { own, _ in own }).encoded().base64URL,
                JSONValue.object(header).encoded().base64URL
            )
        }

        /// The encoded header for claims (Microsoft identity platform, "Access token claims reference": only version
        /// 1.0 tokens have `x5t`).
        func header(for claims: [String: JSONValue]) -> String {
            claims["ver"] == "1.0" ? headers.version1 : headers.version2
        }
    }

    private struct State {
        /// The keys of the next response.
        mutating func shown() -> [Key] {
            if let answers = unevenAnswers {
                unevenAnswers = answers + 1
                // Simulates a replica that does not know about the rollover. There is always at least one key.
                if answers.isMultiple(of: 2), keys.count > 1 { return Array(keys.dropFirst()) }
            }
            return keys + (next.map { [$0] } ?? [])
        }

        /// The newest key comes first; there is at least one.
        var keys: [Key]
        /// The key of the next rollover, which is published but does not sign yet.
        var next: Key?
        /// The number of responses since the key sets became uneven; `nil` if all are the same.
        var unevenAnswers: Int?
    }

    private let state: Mutex<State>
    /// Derived from the stored key, so that hints stay valid after a restart, as sessions do.
    let hints: LoginHints

    /// Reads the key, or creates a 2048-bit one and stores it.
    init(in directory: PrivateFolder) async throws {
        let (pem, certificatePEM) = try directory.locked { try Self.stored(in: directory) }
        // The reason adds nothing: the remedy is the same for every invalid file.
        guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem) else {
            throw PrivateFolder.Failure(damaged: directory.file(Self.file))
        }
        guard let first = try Key(key, certificate: certificatePEM) else {
            throw PrivateFolder.Failure(damaged: directory.file(Self.certificateFile))
        }
        state = Mutex(State(keys: [first]))
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: key.derRepresentation),
            info: Data("login_hint".utf8),
            outputByteCount: 32
        )
        hints = LoginHints(key: derived)
    }

    private var newest: Key { state.withLock { $0.keys[0] } }

    /// Signs with a new key from now on: the announced one, if there is one. Returns its ID.
    func rollOver() async throws -> String {
        let made = try made()
        return state.withLock { state in
            let next = state.next ?? made
            // Older keys are dropped: the service publishes about six, and no client keeps tokens for that long.
            state.keys = [next] + state.keys.prefix(Self.limit - 1)
            state.next = nil
            return next.id
        }
    }

    /// Publishes the key of the next rollover, as the service does long before it uses one. Returns the key's ID.
    func announce() async throws -> String {
        let made = try made()
        return state.withLock { state in
            let next = state.next ?? made
            state.next = next
            return next.id
        }
    }

    /// Makes every second key set the one before the last rollover, as if two replicas were temporarily inconsistent,
    /// or stops that.
    func serveStaleKeysAlternately(_ isUneven: Bool) {
        state.withLock { $0.unevenAnswers = isUneven ? 0 : nil }
    }

    private func made() throws -> Key {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        guard let made = try Key(key, certificate: Self.certificate(of: key)) else { throw EntraError.serverFault }
        return made
    }

    private static let limit = 8

    /// The JSON Web Key Set, RFC 7517.
    ///
    /// `issuer`: The member `issuer` of version 2.0 key sets; `nil` omits it.
    func keySet(issuer: String?) -> JSONValue {
        let shown = state.withLock { $0.shown() }.map { key in
            var members = key.members
            if let issuer {
                members["issuer"] = .string(issuer)
                members["cloud_instance_name"] = "microsoftonline.com"
            }
            return JSONValue.object(members)
        }
        return ["keys": .array(shown)]
    }

    /// Signs the claims with RS256 (RFC 7515 §3.1, RFC 7518 §3.3).
    func sign(_ claims: [String: JSONValue]) async throws -> String {
        let newest = newest
        return try Self.signed(claims, header: newest.header(for: claims), with: newest.key)
    }

    /// Signs the claims with another key, but with the ID of the newest one.
    func signWithOtherKey(_ claims: [String: JSONValue]) throws -> String {
        try Self.signed(claims, header: newest.header(for: claims), with: .init(keySize: .bits2048))
    }

    /// Creates an HMAC of the claims with the newest public key, in PEM, as the secret. A library that lets the token
    /// choose the algorithm accepts it as a signature.
    func signWithPublicKey(_ claims: [String: JSONValue]) -> String {
        let newest = newest
        let text = Self.text(["typ": "JWT", "alg": "HS256", "kid": .string(newest.id)], claims: claims)
        let key = SymmetricKey(data: Data(newest.key.publicKey.pemRepresentation.utf8))
        return "\(text).\(Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)).base64URL)"
    }

    /// Signs the claims with a key that is in no key set.
    static func signWithUnknownKey(_ claims: [String: JSONValue]) throws -> String {
        let header: JSONValue = ["typ": "JWT", "alg": "RS256", "kid": .string(Secret.random(bytes: 15).exposed)]
        return try signed(claims, header: header.encoded().base64URL, with: .init(keySize: .bits2048))
    }

    /// The claims as a token without a signature (RFC 7519 §6). An API must never accept it.
    static func unsigned(_ claims: [String: JSONValue]) -> String {
        text(["typ": "JWT", "alg": "none"], claims: claims) + "."
    }

    private static func signed(
        _ claims: [String: JSONValue],
        header: String,
        with key: _RSA.Signing.PrivateKey
    ) throws -> String {
        let text = "\(header).\(JSONValue.object(claims).encoded().base64URL)"
        let signature = try key.signature(for: SHA256.hash(data: Data(text.utf8)), padding: .insecurePKCS1v1_5)
        return "\(text).\(signature.rawRepresentation.base64URL)"
    }

    /// The part of a token that is signed.
    static func text(_ header: JSONValue, claims: [String: JSONValue]) -> String {
        "\(header.encoded().base64URL).\(JSONValue.object(claims).encoded().base64URL)"
    }

    /// The claims of a token that one of the keys signed; `nil` for any other text. The lifetime is not validated.
    func claims(of token: String) async -> [String: JSONValue]? {
        guard let token = SignedToken(Secret(token)), token.header["alg"] == "RS256",
            let id = token.header["kid"]?.string, let key = state.withLock({ $0.keys.first { $0.id == id } }),
            token.isSigned(by: key.key.publicKey), case .object(let claims) = token.claims
        else { return nil }
        return claims
    }

    private static func certificate(of key: _RSA.Signing.PrivateKey) throws -> String {
        // The certificate is only published in `x5c`, and `x5t` and `kid` are its thumbprint; no client has to trust
        // it.
        try Certificate.selfSigned(
            as: DistinguishedName { CommonName("Entra emulator token signing") },
            with: Certificate.PrivateKey(key),
            by: .sha256WithRSAEncryption
        ).serializeAsPEM().pemString
    }

    /// The key and its certificate, which are created if they are missing.
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
        // Write the certificate first, because the next start replaces a certificate without its key.
        try directory.write(certificate, to: certificateFile)
        if stored == nil { try directory.write(key.pemRepresentation, to: file) }
        return (stored ?? key.pemRepresentation, certificate)
    }

    private static let file = "signing-key.pem"
    private static let certificateFile = "signing-certificate.pem"
}
