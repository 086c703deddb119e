// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation

/// Verification of signed tokens in compact form (RFC 7515), with the three algorithms of id tokens that are allowed.
///
/// The algorithm comes from a list of our own: `none` and the symmetric ones, by which a public key could be turned
/// into a signing key, are refused before any key is looked at (RFC 8725 §3.1).
package enum JSONWebSignature {
    /// What is known of a token after verification.
    package enum Verdict: Sendable, Equatable {
        /// One of the keys made this signature.
        case valid
        /// None of the keys that could have made this signature has.
        case invalidSignature
        /// No key has the identifier, type and use that the token needs.
        case noKey
        /// The algorithm is not allowed here.
        case unsupportedAlgorithm(String)
        /// The text is no signed token in compact form.
        case malformed
    }

    /// The algorithms allowed (decision P2).
    private enum Algorithm: String {
        case rs256 = "RS256"
        case ps256 = "PS256"
        case es256 = "ES256"

        func fits(_ key: JSONWebKey) -> Bool {
            guard key.use ?? "sig" == "sig", key.alg ?? rawValue == rawValue else { return false }
            return switch self {
            case .rs256, .ps256: key.kty == "RSA"
            case .es256: key.kty == "EC" && key.crv == "P-256"
            }
        }
    }

    /// Verifies the signature of `compact` with the key it names, or with every suitable one if it names none.
    package static func verify(compact: String, with keys: [JSONWebKey]) -> Verdict {
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        guard
            parts.count == 3,
            let header = Base64URL.decode(String(parts[0])).flatMap({ JSONValue(parsing: $0)?.object }),
            let name = header["alg"]?.string,
            header["crit"] == nil,  // RFC 7515 §4.1.11: an extension we do not know must not be ignored.
            let signature = Base64URL.decode(String(parts[2]))
        else { return .malformed }
        guard let algorithm = Algorithm(rawValue: name) else { return .unsupportedAlgorithm(name) }

        let keyID = header["kid"]?.string
        let candidates = keys.filter { (keyID == nil || $0.kid == keyID) && algorithm.fits($0) }
        guard !candidates.isEmpty else { return .noKey }

        let digest = SHA256.hash(data: Data("\(parts[0]).\(parts[1])".utf8))
        let isValid = candidates.contains { verify(signature, of: digest, by: algorithm, with: $0) }
        return isValid ? .valid : .invalidSignature
    }

    /// The key identifier in the header of `compact`.
    package static func keyID(ofCompact compact: String) -> String? {
        let header = compact.split(separator: ".", maxSplits: 1).first.map(String.init)
        return header.flatMap(Base64URL.decode).flatMap { JSONValue(parsing: $0)?.object?["kid"]?.string }
    }

    private static func verify(
        _ signature: Data,
        of digest: SHA256Digest,
        by algorithm: Algorithm,
        with key: JSONWebKey
    ) -> Bool {
        switch algorithm {
        case .rs256, .ps256:
            let padding = algorithm == .ps256 ? _RSA.Signing.Padding.PSS : .insecurePKCS1v1_5
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return rsaKey(key)?.isValidSignature(signature, for: digest, padding: padding) ?? false
        case .es256:
            // RFC 7518 §3.4: R and S, 32 bytes each. Bytes that are no signature verify as little as wrong ones.
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return ellipticKey(key)?.isValidSignature(signature, for: digest) ?? false
        }
    }

    /// RFC 7518 §3.3 asks for 2048 bits or more; a shorter key is no key.
    private static func rsaKey(_ key: JSONWebKey) -> _RSA.Signing.PublicKey? {
        guard
            let modulus = key.n.flatMap(Base64URL.decode).map(withoutLeadingZeros),
            let exponent = key.e.flatMap(Base64URL.decode).map(withoutLeadingZeros),
            modulus.count >= 256, !exponent.isEmpty,
            let publicKey = try? _RSA.Signing.PublicKey(n: modulus, e: exponent),  // A malformed key is no key.
            publicKey.keySizeInBits >= 2048
        else { return nil }
        return publicKey
    }

    private static func ellipticKey(_ key: JSONWebKey) -> P256.Signing.PublicKey? {
        guard
            let x = key.x.flatMap(Base64URL.decode), let y = key.y.flatMap(Base64URL.decode),
            x.count == 32, y.count == 32  // RFC 7518 §6.2.1.2: the full size of a coordinate.
        else { return nil }
        return try? P256.Signing.PublicKey(rawRepresentation: x + y)  // A point off the curve is no key.
    }

    private static func withoutLeadingZeros(_ bytes: Data) -> Data {
        Data(bytes.drop { $0 == 0 })
    }
}
