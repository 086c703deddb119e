// Licensed under the MIT License. See LICENSE.

import MSALCore

/// An app's own key for proof-of-possession tokens: RSA, with at least 2048 bits.
///
/// ```swift
/// let keyPair = try MSALExternalKeyPair(privateKeyPEM: String(contentsOfFile: path, encoding: .utf8))
/// let scheme = MSALAuthenticationSchemePop(
///     httpMethod: .GET, request: url, nonce: nil, additionalParameters: nil, externalKeyPair: keyPair
/// )
/// ```
///
/// The library neither stores nor deletes the key. Pass the same pair to later silent calls: a token is only found with
/// the key that it is bound to. An identity broker is not used with such a key because it binds tokens to its own key.
///
/// Every initializer throws ``MSALError/invalidExternalKeyPair`` in ``MSALErrorDomain``, with the reason as a number of
/// ``MSALExternalKeyPairFailureReason`` under ``MSALExternalKeyPairFailureReasonKey``.
public final class MSALExternalKeyPair: NSObject, Sendable, RedactedReflection {
    let key: ProofKey

    /// Creates a pair from a private key in PEM.
    ///
    /// - Parameter privateKeyPEM: PKCS#8 or PKCS#1. An encrypted key is rejected as an unsupported type: decrypt it
    ///   first.
    /// - Throws: `NSError` with the reason, as described above.
    public convenience init(privateKeyPEM: String) throws {
        try self.init { () throws(ProofKey.Refusal) in try ProofKey(appPEM: privateKeyPEM) }
    }

    /// Creates a pair from a private key in DER.
    ///
    /// - Parameter privateKeyDER: PKCS#8 or PKCS#1, not encrypted.
    /// - Throws: `NSError` with the reason, as described above.
    public convenience init(privateKeyDER: Data) throws {
        try self.init { () throws(ProofKey.Refusal) in try ProofKey(appDER: privateKeyDER) }
    }

    /// Creates a pair from a key that never reveals its private part.
    ///
    /// - Parameter signer: Called once immediately, to check that its signature matches the public key.
    /// - Throws: `NSError` with the reason, as described above.
    public convenience init(signer: any MSALExternalKeySigner) throws {
        try self.init { () throws(ProofKey.Refusal) in
            try ProofKey(appPublicDER: signer.publicKeyDER) { try signer.signature(for: $0) }
        }
    }

    private init(_ make: () throws(ProofKey.Refusal) -> ProofKey) throws {
        do throws(ProofKey.Refusal) {
            key = try make()
        } catch {
            throw error.nsError
        }
    }

    /// The thumbprint of the public key (RFC 7638), with which the service identifies the key.
    public var keyId: String { key.keyID }

    /// Contains the thumbprint of the key.
    public override var description: String { "MSALExternalKeyPair(\(keyId))" }
}

/// A private key that only signs: in a TPM, a smart card, a PKCS#11 module, or another process.
public protocol MSALExternalKeySigner: Sendable {
    /// The public key in DER: SubjectPublicKeyInfo or PKCS#1. It must not change.
    var publicKeyDER: Data { get }

    /// Signs data with RS256: PKCS#1 v1.5 over SHA-256 (RFC 7518 §3.3).
    ///
    /// Called off the main thread, once for each HTTP request that a token is for, and from several tasks concurrently.
    /// The library verifies each signature because an API would only report that it is wrong.
    ///
    /// - Parameter data: The bytes to sign, not their digest.
    /// - Returns: The signature, as long as the modulus.
    /// - Throws: Any error; the call that needs the signature fails with its description.
    func signature(for data: Data) throws -> Data
}

/// The reason why an app's own key cannot be used.
public enum MSALExternalKeyPairFailureReason: Int, Sendable {
    /// The key cannot be used for a reason without a specific case.
    case unknown = 0
    /// The value is not a key, or is damaged.
    case invalidKeyHandle = 1
    /// The key is not RSA, or it is encrypted.
    case unsupportedKeyType = 2
    /// The key has fewer than 2048 bits.
    case keySizeTooSmall = 3
    /// A public key or a certificate was passed instead of the private key, or vice versa.
    case invalidKeyClass = 4
    /// The key cannot sign; the signer's error is in `NSUnderlyingErrorKey`.
    case notSigningCapable = 5
    /// The public key does not belong to the private key.
    case keyPairMismatch = 6
    /// The public key cannot be serialized.
    case publicKeySerializationFailed = 7
    /// The public key cannot be read, or cannot be derived from the private key.
    case publicKeyDerivationFailed = 8
}

extension ProofKey.Refusal {
    /// The error of the public API.
    fileprivate var nsError: NSError {
        let form = publicForm
        var userInfo: [String: Any] = [
            MSALErrorDescriptionKey: form.text,
            NSLocalizedDescriptionKey: form.text,
            MSALExternalKeyPairFailureReasonKey: NSNumber(value: form.reason.rawValue),
        ]
        userInfo[NSUnderlyingErrorKey] = underlying.map { $0 as NSError }
        return NSError(domain: MSALErrorDomain, code: MSALError.invalidExternalKeyPair.rawValue, userInfo: userInfo)
    }

    private var publicForm: (reason: MSALExternalKeyPairFailureReason, text: String) {
        switch reason {
        case .invalidKeyHandle: (.invalidKeyHandle, "This is not a key in PEM or DER, or it is damaged.")
        case .unsupportedKeyType:
            (.unsupportedKeyType, "The key must be an RSA key that is not encrypted, in PKCS#8 or PKCS#1.")
        case .keySizeTooSmall: (.keySizeTooSmall, "The key must have at least 2048 bits.")
        case .invalidKeyClass:
            (.invalidKeyClass, "A public key was passed instead of a private key, or vice versa.")
        case .notSigningCapable: (.notSigningCapable, "The key does not sign.")
        case .keyPairMismatch: (.keyPairMismatch, "The signature is not that of the public key with RS256.")
        case .publicKeySerializationFailed: (.publicKeySerializationFailed, "The public key cannot be written.")
        case .publicKeyDerivationFailed: (.publicKeyDerivationFailed, "The public key cannot be read.")
        }
    }
}
