// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation
import MSALBase

/// The parts of a JSON Web Token from another party (RFC 7515 §7.1). None of them is validated.
struct SignedToken: Sendable {
    let header: JSONValue
    let claims: JSONValue
    private let signature: Data
    /// The text that was signed.
    private let signedText: String

    /// `nil` if the text is not a token.
    init?(_ text: Secret) {
        let parts = text.exposed.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Data(base64URL: parts[2])
        else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        signedText = "\(parts[0]).\(parts[1])"
    }

    /// Whether the key created the signature, by RS256 or PS256 (RFC 7518 §3.3, §3.5). A token with critical extensions
    /// is rejected.
    func isSigned(by key: _RSA.Signing.PublicKey) -> Bool {
        // RFC 7515 §4.1.11: extensions that are not understood must not be ignored.
        guard header["crit"] == nil else { return false }
        let padding: _RSA.Signing.Padding
        switch header["alg"]?.string {
        case "RS256": padding = .insecurePKCS1v1_5
        case "PS256": padding = .PSS
        default: return false
        }
        return key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature),
            for: SHA256.hash(data: Data(signedText.utf8)),
            padding: padding
        )
    }

    /// Whether the shared key created the signature: HS256 (RFC 7518 §3.2).
    func isSigned(by key: SymmetricKey) -> Bool {
        guard header["crit"] == nil, header["alg"]?.string == "HS256" else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: Data(signedText.utf8), using: key)
    }

    /// The values of `aud`: RFC 7519 §4.1.3 allows a single value without an array.
    var audiences: [String] { claims["aud"]?.array?.compactMap(\.string) ?? [claims["aud"]?.string].compactMap(\.self) }

    /// A time in the claims, in seconds since 1970. Some libraries use a fraction or a string.
    func time(_ name: String) -> TimeInterval? {
        switch claims[name] {
        case .integer(let seconds): TimeInterval(seconds)
        case .number(let seconds): seconds
        case .string(let text): TimeInterval(text)
        case .null, .bool, .array, .object, nil: nil
        }
    }

    private static func object(_ part: Substring) -> JSONValue? {
        // The caller has one error for all invalid texts.
        guard let data = Data(base64URL: part), let value = JSONValue(parsing: data),
            case .object = value
        else { return nil }
        return value
    }
}
