// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase

/// The only HTTP request for which a proof-of-possession token is valid
/// (docs/reference/Protocol.md#proof-of-possession).
package struct SignedHTTPRequest: Sendable, Hashable {
    /// The verb in upper case.
    package var method: String
    package var url: URL
    /// The API's nonce. A random one is used if the API sent none.
    package var nonce: String?

    package init(method: String, url: URL, nonce: String?) {
        self.method = method
        self.url = url
        self.nonce = nonce
    }

    /// Wraps an access token in a JSON Web Signature over the request. The token's key makes the signature.
    ///
    /// `now` is the time of the signature, which APIs accept for a few minutes. `freshNonce` is used if the API sent no
    /// nonce. See RFC 7515 §3.1 and draft-ietf-oauth-signed-http-request.
    package func envelope(
        of accessToken: Secret,
        by key: ProofKey,
        at now: Date,
        freshNonce: String
    ) throws(ProofKey.Failure) -> Secret {
        let header: JSONValue = .object(["alg": .string("RS256"), "kid": .string(key.keyID), "typ": .string("JWT")])
        let jwk: JSONValue = .object([
            "kty": .string("RSA"), "n": .string(key.modulus), "e": .string(key.exponent),
        ])
        let payload: JSONValue = .object([
            "at": .string(accessToken.exposed),
            "ts": .integer(Int64(now.timeIntervalSince1970)),
            "m": .string(method),
            "u": .string(host),
            "p": .string(url.path(percentEncoded: true)),
            "cnf": .object(["jwk": jwk]),
            "nonce": .string(nonce ?? freshNonce),
        ])
        let signed = "\(Base64URL.encode(header.text.utf8)).\(Base64URL.encode(payload.text.utf8))"
        return Secret("\(signed).\(Base64URL.encode(try key.signature(for: Data(signed.utf8))))")
    }

    /// The host of the URL, with a port unless that is the scheme's own. An IPv6 address is in brackets.
    package var host: String {
        let name = URLComponents(url: url, resolvingAgainstBaseURL: true)?.encodedHost ?? ""
        guard let port = url.port, port != (url.scheme?.lowercased() == "http" ? 80 : 443) else { return name }
        return "\(name):\(port)"
    }
}
