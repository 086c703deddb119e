// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// A parsed signed token that has not been verified (RFC 7515 §7.1).
///
/// A text has one reading only: no padding, no bits behind the last byte, no member twice, no member that differs from
/// a claim only in letter case, and no claim that is `null`. Otherwise two programs could read two tokens in one text.
struct CompactToken {
    /// The largest token, in bytes.
    static let maximumLength = 32_768

    /// The text that was signed: the first two parts with the dot between them.
    let signedPart: Substring
    let header: [String: JSONValue]
    let payload: [String: JSONValue]
    let signature: [UInt8]

    /// The names on which a decision rests, in the only spelling that they have.
    private static let names: Set<String> = [
        "alg", "typ", "kid", "crit", "cty", "b64", "zip", "jku", "jwk", "x5u", "x5c", "x5t",
        "iss", "aud", "exp", "nbf", "iat", "tid", "ver", "azp", "appid", "scp", "roles", "idtyp", "oid", "sub", "cnf",
        "nonce", "acrs", "xms_cc", "at", "ts", "m", "u", "p", "q", "h", "b",
    ]

    /// Objects and lists inside each other. Tokens have two or three.
    private static let maximumDepth = 32

    init(_ text: String) throws(MSALTokenRejection) {
        guard text.utf8.count <= Self.maximumLength else { throw MSALTokenRejection(.tokenTooLarge) }
        let parts = text.parts(at: UInt8(ascii: "."))
        guard parts.count != 5 else { throw MSALTokenRejection(.encryptedToken) }
        guard parts.count == 3, let signature = Base64URL.decodeStrictly(parts[2]) else {
            throw MSALTokenRejection(.malformedToken)
        }
        header = try Self.object(parts[0])
        payload = try Self.object(parts[1])
        self.signature = signature
        signedPart = text[..<parts[1].endIndex]
    }

    private static func object(_ part: Substring) throws(MSALTokenRejection) -> [String: JSONValue] {
        guard
            let bytes = Base64URL.decodeStrictly(part),
            // The bytes come from outside. All faults in them give the same error, so the reader's is not needed.
            let object = try? JSONReader.value(of: bytes, maximumDepth: maximumDepth, repeatedMembers: .refused).object,
            object.keys.allSatisfy(isUnambiguous), !object.contains(where: isNullClaim)
        else { throw MSALTokenRejection(.malformedToken) }
        return object
    }

    private static func isNullClaim(_ name: String, value: JSONValue) -> Bool {
        value == .null && names.contains(name)
    }

    private static func isUnambiguous(_ name: String) -> Bool {
        let hasCapitals = name.utf8.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        return !hasCapitals || !names.contains(name.lowercased())
    }
}
