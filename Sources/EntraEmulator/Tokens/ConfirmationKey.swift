// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import Foundation
import MSALBase

/// The public RSA key of a client in a signed HTTP request.
struct ConfirmationKey: Sendable {
    /// SHA-256 over the key's required members in lexical order, in base64url (RFC 7638 §3).
    let thumbprint: String
    let key: _RSA.Signing.PublicKey

    /// Reads a JSON Web Key (RFC 7518 §6.3.1); `nil` if it is not an RSA key of at least 2048 bits.
    init?(_ jwk: JSONValue?) {
        guard let jwk, jwk["kty"] == "RSA", let modulus = jwk["n"]?.string, let exponent = jwk["e"]?.string,
            let n = Data(base64URL: modulus), let e = Data(base64URL: exponent),
            let key = try? _RSA.Signing.PublicKey(n: n, e: e)
        else { return nil }
        self.key = key
        let members = JSONValue.object(["e": .string(exponent), "kty": "RSA", "n": .string(modulus)]).encoded()
        thumbprint = Data(SHA256.hash(data: members)).base64URL
    }
}
