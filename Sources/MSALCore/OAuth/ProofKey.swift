// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
package import Foundation
package import MSALSupport

/// The RSA key of this machine that tokens are bound to (docs/reference/Protocol.md#proof-of-possession). It does not
/// print.
package struct ProofKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// Why there is no key or no signature.
    package struct Failure: Error, Sendable {
        /// Cause and remedy in words.
        package let message: String

        package init(message: String) {
            self.message = message
        }
    }

    private let key: _RSA.Signing.PrivateKey
    /// `n` of the JSON Web Key, base64url.
    package let modulus: String
    /// `e` of the JSON Web Key, base64url.
    package let exponent: String

    /// A new key of 2048 bits, which takes about a tenth of a second.
    package init() throws(Failure) {
        do {
            try self.init(_RSA.Signing.PrivateKey(keySize: .bits2048))
        } catch {
            throw Failure(message: "No key for proof-of-possession tokens can be made: \(error).")
        }
    }

    /// A key as it was kept.
    package init(pem: String) throws(Failure) {
        do {
            try self.init(_RSA.Signing.PrivateKey(pemRepresentation: pem))
        } catch {
            throw Failure(message: "The stored key is no RSA key of at least 2048 bits in PEM form.")
        }
    }

    private init(_ key: _RSA.Signing.PrivateKey) throws {
        let primitives = try key.publicKey.getKeyPrimitives()
        self.key = key
        modulus = Base64URL.encode(primitives.modulus)
        exponent = Base64URL.encode(primitives.publicExponent)
    }

    /// The key as it is kept. A secret.
    package var pem: Secret { Secret(key.pemRepresentation) }

    /// An RS256 signature (RFC 7518 §3.3).
    package func signature(for data: Data) throws(Failure) -> Data {
        do {
            return try key.signature(for: SHA256.hash(data: data), padding: .insecurePKCS1v1_5).rawRepresentation
        } catch {
            throw Failure(message: "The request cannot be signed: \(error).")
        }
    }

    package var description: String { "ProofKey(‹redacted›)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where the key for proof-of-possession tokens lives.
package protocol ProofKeys: Sendable {
    /// The key, made on the first call.
    ///
    /// - Throws: `ProofKey.Failure` if it can neither be read nor made.
    func key() throws(ProofKey.Failure) -> ProofKey
}
