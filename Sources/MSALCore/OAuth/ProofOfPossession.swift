// Licensed under the MIT License. See LICENSE.

private import Crypto
private import Foundation
import MSALBase

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
