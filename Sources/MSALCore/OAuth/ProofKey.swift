// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
package import Foundation
package import MSALBase

/// The RSA key to which tokens are bound: this machine's or the app's own
/// (docs/reference/Protocol.md#proof-of-possession). Its description holds no secret.
package struct ProofKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// A failure to make a key or a signature.
    package struct Failure: Error, Sendable {
        /// The cause and the remedy.
        package let message: String

        package init(message: String) { self.message = message }
    }

    private let sign: @Sendable (Data) throws -> Data
    /// The member `n` of the JSON Web Key in base64url.
    package let modulus: String
    /// The member `e` of the JSON Web Key in base64url.
    package let exponent: String

    /// Creates a key of 2048 bits, which takes about a tenth of a second.
    ///
    /// - Returns: The key, and the form in which it is stored.
    package static func generated() throws(Failure) -> (key: ProofKey, pem: Secret) {
        do {
            let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            return (try ProofKey(key), Secret(key.pemRepresentation))
        } catch {
            throw Failure(message: "Cannot create a key for proof-of-possession tokens. Try again.")
        }
    }

    /// Reads a stored key.
    package init(pem: String) throws(Failure) {
        do {
            try self.init(_RSA.Signing.PrivateKey(pemRepresentation: pem))
        } catch {
            throw Failure(message: "The stored key is not an RSA key of at least 2048 bits in PEM format.")
        }
    }

    init(_ key: _RSA.Signing.PrivateKey) throws {
        try self.init(key.publicKey) { data in
            try key.signature(for: SHA256.hash(data: data), padding: .insecurePKCS1v1_5).rawRepresentation
        }
    }

    /// A key whose private part is elsewhere. `sign` makes a signature with RS256.
    init(_ key: _RSA.Signing.PublicKey, sign: @escaping @Sendable (Data) throws -> Data) throws {
        let primitives = try key.getKeyPrimitives()
        self.sign = sign
        modulus = Base64URL.encode(primitives.modulus)
        exponent = Base64URL.encode(primitives.publicExponent)
    }

    /// The key's `kid`, its thumbprint.
    package var keyID: String { ProofOfPossession.keyID(modulus: modulus, exponent: exponent) }

    /// Signs `data` with RS256 (RFC 7518 §3.3). A key that is elsewhere may take long.
    package func signature(for data: Data) throws(Failure) -> Data {
        do {
            return try sign(data)
        } catch let failure as Failure {
            throw failure
        } catch {
            // The description of an app's signer is meant for people; that of the crypto library is the name of a case.
            let reason = error is CryptoKitError ? "" : ": \(error)"
            throw Failure(message: "The request cannot be signed\(reason).")
        }
    }

    package var description: String { "ProofKey(‹redacted›)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Keeps the key for proof-of-possession tokens.
package protocol ProofKeys: Sendable {
    /// The key. It is made on the first call.
    ///
    /// - Throws: `ProofKey.Failure` if it can neither be read nor made.
    func key() throws(ProofKey.Failure) -> ProofKey
}

/// The names of a proof-of-possession key on the wire (RFC 7638, RFC 7800;
/// docs/reference/Protocol.md#proof-of-possession).
package enum ProofOfPossession {
    /// The thumbprint of an RSA key. It is SHA-256 over the key's required members in lexical order without white space.
    ///
    /// - Parameters:
    ///   - modulus: `n` of the JSON Web Key, base64url.
    ///   - exponent: `e` of the JSON Web Key, base64url.
    /// - Returns: The unpadded base64url text, which is the key's `kid`.
    /// - SeeAlso: RFC 7638 §3.
    package static func keyID(modulus: String, exponent: String) -> String {
        let members: JSONValue = .object(["e": .string(exponent), "kty": .string("RSA"), "n": .string(modulus)])
        return Base64URL.encode(SHA256.hash(data: Data(members.text.utf8)))
    }

    /// The `req_cnf` parameter of a token request, which names the key for the token.
    package static func requestConfirmation(keyID: String) -> String {
        Base64URL.encode(JSONValue.object(["kid": .string(keyID)]).text.utf8)
    }
}
