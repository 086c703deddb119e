// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
package import Foundation

// The app's own key. The library neither stores nor deletes it (docs/reference/Protocol.md#app-key).
extension ProofKey {
    /// The reason why a key of the app is rejected.
    package struct Refusal: Error {
        package enum Reason: Sendable {
            case invalidKeyHandle, unsupportedKeyType, keySizeTooSmall, invalidKeyClass, notSigningCapable
            case keyPairMismatch, publicKeySerializationFailed, publicKeyDerivationFailed
        }

        package let reason: Reason
        /// The failure beneath, of the crypto library or of the app's signer.
        package let underlying: (any Error)?

        fileprivate init(_ reason: Reason, underlying: (any Error)? = nil) {
            self.reason = reason
            self.underlying = underlying
        }
    }

    /// Reads a private key of the app in PEM format: PKCS#8 or PKCS#1, not encrypted.
    package init(appPEM pem: String) throws(Refusal) {
        guard let (document, der) = KeyDocument.parse(pem: pem) else { throw Refusal(.invalidKeyHandle) }
        try self.init(document, der: der)
    }

    /// Reads a private key of the app in DER format: PKCS#8 or PKCS#1, not encrypted.
    package init(appDER der: Data) throws(Refusal) {
        guard let document = KeyDocument(der: Array(der)) else { throw Refusal(.invalidKeyHandle) }
        try self.init(document, der: Array(der))
    }

    private init(_ document: KeyDocument, der: [UInt8]) throws(Refusal) {
        switch document {
        case .rsaPublic, .otherPublic: throw Refusal(.invalidKeyClass)
        case .otherPrivate: throw Refusal(.unsupportedKeyType)
        case .rsaPrivate(let bits): try Self.check(bits: bits)
        }
        let key: _RSA.Signing.PrivateKey
        do {
            key = try _RSA.Signing.PrivateKey(derRepresentation: der)
        } catch {
            throw Refusal(.invalidKeyHandle, underlying: error)
        }
        try self.init(checking: key.publicKey) { data in
            try key.signature(for: SHA256.hash(data: data), padding: .insecurePKCS1v1_5).rawRepresentation
        }
    }

    /// Reads a key of which only the public part is available, in SubjectPublicKeyInfo or PKCS#1. `sign` makes a
    /// signature with RS256, and is called once here.
    package init(appPublicDER der: Data, sign: @escaping @Sendable (Data) throws -> Data) throws(Refusal) {
        switch KeyDocument(der: Array(der)) {
        case nil: throw Refusal(.invalidKeyHandle)
        case .rsaPrivate, .otherPrivate: throw Refusal(.invalidKeyClass)
        case .otherPublic: throw Refusal(.unsupportedKeyType)
        case .rsaPublic(let bits): try Self.check(bits: bits)
        }
        let key: _RSA.Signing.PublicKey
        do {
            key = try _RSA.Signing.PublicKey(derRepresentation: der)
        } catch {
            throw Refusal(.publicKeyDerivationFailed, underlying: error)
        }
        try self.init(checking: key, sign: sign)
    }

    private static func check(bits: Int) throws(Refusal) {
        guard bits >= 2048 else { throw Refusal(.keySizeTooSmall) }
    }

    /// Accepts a key once it has signed random data, which could not have been signed in advance.
    private init(
        checking key: _RSA.Signing.PublicKey,
        sign: @escaping @Sendable (Data) throws -> Data
    ) throws(Refusal) {
        let probe = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
        let signature: Data
        do {
            signature = try sign(probe)
        } catch {
            throw Refusal(.notSigningCapable, underlying: error)
        }
        guard key.signed(probe, signature: signature) else { throw Refusal(.keyPairMismatch) }
        do {
            try self.init(key) { data in
                let signature = try sign(data)
                // The API would only say that it is wrong.
                guard key.signed(data, signature: signature) else {
                    throw Failure(message: "The request cannot be signed: the signature is not the public key's.")
                }
                return signature
            }
        } catch {
            throw Refusal(.publicKeySerializationFailed, underlying: error)
        }
    }
}

extension _RSA.Signing.PublicKey {
    /// Whether a signature with RS256 is this key's.
    fileprivate func signed(_ data: Data, signature: Data) -> Bool {
        isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature),
            for: SHA256.hash(data: data),
            padding: .insecurePKCS1v1_5
        )
    }
}
