// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
package import Foundation
import MSALBase

/// Verifies signed tokens in compact form (RFC 7515) with the three algorithms that are allowed for ID tokens.
///
/// All other algorithms are rejected before any key is read, including `none` and the symmetric ones, which could turn
/// a public key into a signing key (RFC 8725 §3.1).
package enum JSONWebSignature {
    /// The result of a verification.
    package enum Verdict: Sendable, Equatable {
        /// One of the keys made this signature.
        case valid
        /// None of the suitable keys made this signature.
        case invalidSignature
        /// No key has the identifier, type and use that the token needs.
        case noKey
        /// The algorithm is not allowed here.
        case unsupportedAlgorithm(String)
        /// The text is not a signed token in compact form.
        case malformed
    }

    /// The allowed algorithms (docs/reference/Protocol.md#id-token).
    package enum Algorithm: String, Sendable {
        case rs256 = "RS256"
        case ps256 = "PS256"
        case es256 = "ES256"

        fileprivate func fits(_ key: JSONWebKey) -> Bool {
            guard key.alg ?? rawValue == rawValue else { return false }
            return switch (self, key.publicKey) {
            case (.rs256, .rsa), (.ps256, .rsa), (.es256, .p256): true
            case (.rs256, .p256), (.ps256, .p256), (.es256, .rsa): false
            }
        }
    }

    /// Verifies the signature of `compact` with the key it names, or with every suitable one if it names none.
    package static func verify(compact: String, with keys: [JSONWebKey]) -> Verdict {
        let parts = compact.parts(at: UInt8(ascii: "."))
        guard
            parts.count == 3,
            let header = Base64URL.decode(parts[0]).flatMap({ JSONValue(parsing: $0)?.object }),
            let name = header["alg"]?.string,
            header["crit"] == nil,  // An unknown extension must not be ignored (RFC 7515 §4.1.11).
            let signature = Base64URL.decode(parts[2])
        else { return .malformed }
        guard let algorithm = Algorithm(rawValue: name) else { return .unsupportedAlgorithm(name) }

        let keyID = header["kid"]?.string
        let candidates = keys.filter { (keyID == nil || $0.kid == keyID) && algorithm.fits($0) }
        guard !candidates.isEmpty else { return .noKey }

        let digest = SHA256.hash(data: Data("\(parts[0]).\(parts[1])".utf8))
        let isValid = candidates.contains { verify(signature, of: digest, by: algorithm, with: $0) }
        return isValid ? .valid : .invalidSignature
    }

    /// Whether a key made a signature of `signed` by this algorithm, for a caller that has already parsed the token and
    /// checked its header.
    package static func isValid(
        _ signature: some DataProtocol,
        of signed: Substring,
        by algorithm: Algorithm,
        with key: JSONWebKey
    ) -> Bool {
        guard algorithm.fits(key) else { return false }
        var signed = signed
        let digest = signed.withUTF8 { SHA256.hash(data: UnsafeRawBufferPointer($0)) }
        return verify(signature, of: digest, by: algorithm, with: key)
    }

    /// The key identifier in the header of `compact`.
    package static func keyID(ofCompact compact: String) -> String? {
        header(ofCompact: compact)?["kid"]?.string
    }

    /// Whether `compact` is unsigned: its `alg` is `none` (RFC 7518 §3.6), or it lacks the signature, or it lacks a
    /// header that names an algorithm.
    package static func isUnsigned(compact: String) -> Bool {
        let parts = compact.parts(at: UInt8(ascii: "."))
        guard parts.count == 3, !parts[2].isEmpty, let name = header(ofCompact: compact)?["alg"]?.string else {
            return true
        }
        return name.isEmpty || name.caseInsensitiveCompare("none") == .orderedSame
    }

    private static func header(ofCompact compact: String) -> [String: JSONValue]? {
        let header = compact.parts(at: UInt8(ascii: ".")).first
        return header.flatMap { Base64URL.decode($0) }.flatMap { JSONValue(parsing: $0)?.object }
    }

    private static func verify(
        _ signature: some DataProtocol,
        of digest: SHA256Digest,
        by algorithm: Algorithm,
        with key: JSONWebKey
    ) -> Bool {
        switch key.publicKey {
        case .rsa(let key):
            let padding = algorithm == .ps256 ? _RSA.Signing.Padding.PSS : .insecurePKCS1v1_5
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return key.isValidSignature(signature, for: digest, padding: padding)
        case .p256(let key):
            // A signature is R and S with 32 bytes each (RFC 7518 §3.4). Other bytes fail like a wrong signature.
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: digest)
        }
    }
}
