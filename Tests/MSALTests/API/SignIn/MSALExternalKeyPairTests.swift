// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation
import MSAL
import SwiftASN1
import Synchronization
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// The app's own key for proof-of-possession tokens: which keys are accepted, and why others are not.
struct MSALExternalKeyPairTests {
    typealias Reason = MSALExternalKeyPairFailureReason

    private static func key() throws -> _RSA.Signing.PrivateKey { try SharedKeys.rsa("app") }

    private static func smallKey() throws -> _RSA.Signing.PrivateKey {
        try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1024))
    }

    /// An external key, which can return a public key that does not match and can fail to sign.
    private struct Signer: MSALExternalKeySigner {
        let publicKeyDER: Data
        var key: _RSA.Signing.PrivateKey?
        var padding = _RSA.Signing.Padding.insecurePKCS1v1_5

        struct CardIsGone: Error {}

        func signature(for data: Data) throws -> Data {
            guard let key else { throw CardIsGone() }
            return try key.signature(for: SHA256.hash(data: data), padding: padding).rawRepresentation
        }
    }

    // MARK: Accepted keys

    @Test func `a private key is read from PEM and DER, PKCS#8 and PKCS#1, and identified by its thumbprint`() throws {
        let key = try Self.key()
        let numbers = try key.publicKey.getKeyPrimitives()
        let thumbprint = ProofOfPossession.keyID(
            modulus: Base64URL.encode(numbers.modulus),
            exponent: Base64URL.encode(numbers.publicExponent)
        )

        let pairs = [
            try MSALExternalKeyPair(privateKeyPEM: key.pemRepresentation),
            try MSALExternalKeyPair(privateKeyPEM: key.pkcs8PEMRepresentation),
            try MSALExternalKeyPair(privateKeyDER: key.derRepresentation),
            try MSALExternalKeyPair(privateKeyDER: key.pkcs8DERRepresentation),
            try MSALExternalKeyPair(signer: Signer(publicKeyDER: key.publicKey.derRepresentation, key: key)),
            try MSALExternalKeyPair(signer: Signer(publicKeyDER: key.publicKey.pkcs1DERRepresentation, key: key)),
        ]

        #expect(pairs.map(\.keyId) == Array(repeating: thumbprint, count: pairs.count))
    }

    @Test func `a key is found in PEM after other text and documents`() throws {
        let key = try Self.key()
        let text = "Bag Attributes\n    friendlyName: app\n\(key.publicKey.pemRepresentation)"

        #expect(throws: Never.self) {
            try MSALExternalKeyPair(privateKeyPEM: "friendlyName: app\n\(key.pemRepresentation)\n")
        }
        #expect(Self.reason { _ = try MSALExternalKeyPair(privateKeyPEM: text) } == .invalidKeyClass)
    }

    // MARK: Rejected keys

    @Test func `data that is not a private RSA key of 2048 bits is rejected with a reason`() throws {
        let key = try Self.key()
        let curve = P256.Signing.PrivateKey()
        let small = try Self.smallKey()
        var damaged = key.derRepresentation
        damaged[damaged.count / 2] ^= 1
        let encrypted = try Self.encrypted()
        let documents: [(Data, Reason)] = [
            (Data(), .invalidKeyHandle),
            (Data("a key".utf8), .invalidKeyHandle),
            (key.derRepresentation.dropLast(1), .invalidKeyHandle),
            (Data([0x30, 0]), .invalidKeyHandle),
            (damaged, .invalidKeyHandle),
            (small.derRepresentation, .keySizeTooSmall),
            (small.pkcs8DERRepresentation, .keySizeTooSmall),
            (curve.derRepresentation, .unsupportedKeyType),
            (encrypted, .unsupportedKeyType),
            (key.publicKey.derRepresentation, .invalidKeyClass),
            (key.publicKey.pkcs1DERRepresentation, .invalidKeyClass),
            (curve.publicKey.derRepresentation, .invalidKeyClass),
        ]

        for (document, reason) in documents {
            #expect(Self.reason { _ = try MSALExternalKeyPair(privateKeyDER: document) } == reason)
        }
    }

    @Test func `PEM that is not a private RSA key of 2048 bits is rejected with a reason`() throws {
        let curve = P256.Signing.PrivateKey()
        let encrypted = PEMDocument(type: "ENCRYPTED PRIVATE KEY", derBytes: Array(try Self.encrypted())).pemString
        let old = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nAAAA\n"
        let documents: [(String, Reason)] = [
            ("", .invalidKeyHandle),
            ("no key", .invalidKeyHandle),
            ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", .invalidKeyHandle),
            (curve.pemRepresentation, .unsupportedKeyType),
            (encrypted, .unsupportedKeyType),
            (old, .unsupportedKeyType),
            (PEMDocument(type: "OPENSSH PRIVATE KEY", derBytes: [1]).pemString, .unsupportedKeyType),
            (try Self.smallKey().pemRepresentation, .keySizeTooSmall),
            (try Self.key().publicKey.pemRepresentation, .invalidKeyClass),
        ]

        for (document, reason) in documents {
            #expect(Self.reason { _ = try MSALExternalKeyPair(privateKeyPEM: document) } == reason)
        }
    }

    @Test func `a signer is rejected with a reason`() throws {
        let (key, other) = (try Self.key(), try SharedKeys.rsa("stranger"))
        let small = try Self.smallKey()
        let own = key.publicKey.derRepresentation
        let signers: [(Signer, Reason)] = [
            (Signer(publicKeyDER: Data("a key".utf8), key: key), .invalidKeyHandle),
            (Signer(publicKeyDER: key.derRepresentation, key: key), .invalidKeyClass),
            (
                Signer(publicKeyDER: P256.Signing.PrivateKey().publicKey.derRepresentation, key: key),
                .unsupportedKeyType
            ),
            (Signer(publicKeyDER: small.publicKey.derRepresentation, key: small), .keySizeTooSmall),
            (Signer(publicKeyDER: own), .notSigningCapable),
            (Signer(publicKeyDER: own, key: other), .keyPairMismatch),
            (Signer(publicKeyDER: own, key: key, padding: .PSS), .keyPairMismatch),
        ]

        for (signer, reason) in signers {
            #expect(Self.reason { _ = try MSALExternalKeyPair(signer: signer) } == reason)
        }
    }

    @Test func `a later signing failure has a message that does not come from the crypto library`() throws {
        let (key, other) = (try Self.key(), try SharedKeys.rsa("stranger"))
        let results = Mutex<[@Sendable (Data) throws -> Data]>([
            { try Signer(publicKeyDER: Data(), key: key).signature(for: $0) },
            { try Signer(publicKeyDER: Data(), key: other).signature(for: $0) },
            { _ in throw CryptoKitError.incorrectKeySize },
        ])
        let proof = try ProofKey(appPublicDER: key.publicKey.derRepresentation) { data in
            try results.withLock { $0.removeFirst() }(data)
        }

        let failures = (0..<2).map { _ in
            #expect(throws: ProofKey.Failure.self) { try proof.signature(for: Data("a request".utf8)) }?.message
        }

        #expect(
            failures == [
                "The request cannot be signed: the signature is not the public key's.",
                "The request cannot be signed.",
            ]
        )
    }

    @Test func `a rejection has the library's domain, its code, a message and the signer's error`() throws {
        let error = try #require(
            #expect(throws: NSError.self) {
                try MSALExternalKeyPair(signer: Signer(publicKeyDER: try Self.key().publicKey.derRepresentation))
            }
        )

        #expect(error.domain == MSALErrorDomain)
        #expect(error.code == MSALError.invalidExternalKeyPair.rawValue)
        #expect(error.userInfo[MSALErrorDescriptionKey] as? String == error.localizedDescription)
        let underlying = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
        #expect(underlying.domain.hasSuffix("CardIsGone"))
    }

    private static func reason(_ make: () throws -> Void) -> Reason? {
        do {
            try make()
            return nil
        } catch {
            let number = (error as NSError).userInfo[MSALExternalKeyPairFailureReasonKey] as? NSNumber
            return number.flatMap { Reason(rawValue: $0.intValue) }
        }
    }

    /// The structure of an encrypted key (RFC 5958 §3): an algorithm, and bytes that cannot be decrypted.
    private static func encrypted() throws -> Data {
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { key in
            try key.appendConstructedNode(identifier: .sequence) { algorithm in
                try algorithm.serialize([1, 2, 840, 113_549, 1, 5, 13] as ASN1ObjectIdentifier)
            }
            try key.serialize(ASN1OctetString(contentBytes: [1, 2, 3, 4]))
        }
        return Data(serializer.serializedBytes)
    }
}
