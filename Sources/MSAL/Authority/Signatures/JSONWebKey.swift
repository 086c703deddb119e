// Licensed under the MIT License. See LICENSE.

import Foundation

/// A public key as a provider publishes it (RFC 7517, RFC 7518 §6).
package struct JSONWebKey: Sendable, Hashable {
    /// `RSA` or `EC`; keys of other types are carried and never used.
    package var kty: String
    package var kid: String?
    package var use: String?
    package var alg: String?
    /// RSA modulus and exponent, base64url.
    package var n: String?
    package var e: String?
    /// Curve and point of an elliptic-curve key, base64url.
    package var crv: String?
    package var x: String?
    package var y: String?

    package init(
        kty: String,
        kid: String? = nil,
        use: String? = nil,
        alg: String? = nil,
        n: String? = nil,
        e: String? = nil,
        crv: String? = nil,
        x: String? = nil,
        y: String? = nil
    ) {
        self.kty = kty
        self.kid = kid
        self.use = use
        self.alg = alg
        self.n = n
        self.e = e
        self.crv = crv
        self.x = x
        self.y = y
    }

    /// `nil` if `value` is no key at all, which RFC 7517 §5 says to ignore.
    package init?(_ value: JSONValue) {
        guard let members = value.object, let kty = members["kty"]?.string else { return nil }
        self.init(
            kty: kty,
            kid: members["kid"]?.string,
            use: members["use"]?.string,
            alg: members["alg"]?.string,
            n: members["n"]?.string,
            e: members["e"]?.string,
            crv: members["crv"]?.string,
            x: members["x"]?.string,
            y: members["y"]?.string
        )
    }

    /// The keys of a key set document.
    ///
    /// - Throws: `.invalidResponse` if the document is no JSON object with an array `keys`.
    package static func set(parsing data: Data) throws(AuthorityError) -> [JSONWebKey] {
        guard let keys = JSONValue(parsing: data)?.object?["keys"]?.array else {
            throw AuthorityError(.invalidResponse, "The provider's key set is malformed.")
        }
        return keys.compactMap(JSONWebKey.init)
    }
}
