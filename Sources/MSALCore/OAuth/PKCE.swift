// Licensed under the MIT License. See LICENSE.

private import Crypto
import Foundation
package import MSALSupport

/// Proof Key for Code Exchange: a one-time secret that ties the token request to the authorization request (RFC 7636).
package struct PKCE: Sendable {
    /// 43 characters, sent with the token request only.
    package let verifier: Secret

    /// `BASE64URL(SHA256(ASCII(verifier)))`, sent with the authorization request (RFC 7636 §4.2).
    package var challenge: String {
        Base64URL.encode(SHA256.hash(data: Data(verifier.exposed.utf8)))
    }

    package let method = "S256"

    /// - Parameter random: Returns the number of random bytes asked for.
    package init(random: (Int) -> [UInt8]) {
        self.init(verifier: Secret(Base64URL.encode(random(32))))
    }

    package init(verifier: Secret) {
        self.verifier = verifier
    }
}
