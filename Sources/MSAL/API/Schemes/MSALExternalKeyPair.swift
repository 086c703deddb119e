// Licensed under the MIT License. See LICENSE.

import MSALCore

/// A key of the app's own for proof-of-possession tokens: RSA, with at least 2048 bits.
///
/// ```swift
/// let keyPair = try MSALExternalKeyPair(privateKeyPEM: String(contentsOfFile: path, encoding: .utf8))
/// let scheme = MSALAuthenticationSchemePop(
///     httpMethod: .GET, request: url, nonce: nil, additionalParameters: nil, externalKeyPair: keyPair
/// )
/// ```
///
/// The library neither stores nor deletes the key. Give the same pair to later silent calls: a token is found only with the
/// key that it is bound to. An identity broker is not used with such a key, because it binds tokens to one of its own.
///
/// Every initialiser throws ``MSALError/invalidExternalKeyPair`` in ``MSALErrorDomain``, with the reason as a number of
/// ``MSALExternalKeyPairFailureReason`` under ``MSALExternalKeyPairFailureReasonKey``.
public final class MSALExternalKeyPair: NSObject, Sendable, ClosedMirror {
    let key: ProofKey

    /// Takes a private key in PEM.
    ///
    /// - Parameter privateKeyPEM: PKCS#8 or PKCS#1. An encrypted key is refused as of an unsupported type: decrypt it first.
    /// - Throws: `NSError` with the reason, as said above.
    public convenience init(privateKeyPEM: String) throws {
        try self.init { () throws(ProofKey.Refusal) in try ProofKey(appPEM: privateKeyPEM) }
    }

    /// Takes a private key in DER.
    ///
    /// - Parameter privateKeyDER: PKCS#8 or PKCS#1, not encrypted.
    /// - Throws: `NSError` with the reason, as said above.
    public convenience init(privateKeyDER: Data) throws {
        try self.init { () throws(ProofKey.Refusal) in try ProofKey(appDER: privateKeyDER) }
    }

    /// Takes a key that never shows its private part.
    ///
    /// - Parameter signer: Is asked for one signature at once, to see whether it fits the public key.
    /// - Throws: `NSError` with the reason, as said above.
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

    /// The thumbprint of the public key (RFC 7638), by which the service knows the key.
    public var keyId: String { key.keyID }

    /// Names the key by its thumbprint.
    public override var description: String { "MSALExternalKeyPair(\(keyId))" }
}

/// A private key that only signs: in a TPM, a smart card, a module behind PKCS#11, or another process.
public protocol MSALExternalKeySigner: Sendable {
    /// The public key in DER: SubjectPublicKeyInfo, or PKCS#1. It must stay the same.
    var publicKeyDER: Data { get }

    /// Signs data with RS256: PKCS#1 v1.5 over SHA-256 (RFC 7518 §3.3).
    ///
    /// The library calls it off the main thread, once for each HTTP request that a token is for, and from several tasks at
    /// once. It checks each signature, because an API would only say that it is wrong.
    ///
    /// - Parameter data: The bytes to sign, not their digest.
    /// - Returns: The signature, as long as the modulus.
    /// - Throws: Any error; the call that needs the signature fails with its words.
    func signature(for data: Data) throws -> Data
}

/// The reason for which a key of the app's own cannot be used.
public enum MSALExternalKeyPairFailureReason: Int, Sendable {
    /// The key cannot be used for a reason without a case of its own.
    case unknown = 0
    /// The value is no key, or a damaged one.
    case invalidKeyHandle = 1
    /// The key is not RSA, or it is encrypted.
    case unsupportedKeyType = 2
    /// The key has fewer than 2048 bits.
    case keySizeTooSmall = 3
    /// A public key or a certificate was given in place of the private key, or the reverse.
    case invalidKeyClass = 4
    /// The key does not sign; the signer's error is in `NSUnderlyingErrorKey`.
    case notSigningCapable = 5
    /// The public key does not belong to the private key.
    case keyPairMismatch = 6
    /// The public key cannot be written.
    case publicKeySerializationFailed = 7
    /// The public key cannot be read, or not be had from the private key.
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
        case .invalidKeyHandle: (.invalidKeyHandle, "This is no key in PEM or DER, or it is damaged.")
        case .unsupportedKeyType:
            (.unsupportedKeyType, "The key must be an RSA key that is not encrypted, in PKCS#8 or PKCS#1.")
        case .keySizeTooSmall: (.keySizeTooSmall, "The key must have at least 2048 bits.")
        case .invalidKeyClass:
            (.invalidKeyClass, "A public key stands where a private key is needed, or the reverse.")
        case .notSigningCapable: (.notSigningCapable, "The key does not sign.")
        case .keyPairMismatch: (.keyPairMismatch, "The signature is not that of the public key with RS256.")
        case .publicKeySerializationFailed: (.publicKeySerializationFailed, "The public key cannot be written.")
        case .publicKeyDerivationFailed: (.publicKeyDerivationFailed, "The public key cannot be read.")
        }
    }
}
