// Licensed under the MIT License. See LICENSE.

private import Crypto
import Foundation
package import MSALBase

/// The one-time secret of Proof Key for Code Exchange. It ties the token request to the authorization request (RFC 7636).
package struct PKCE: Sendable {
    /// The verifier has 43 characters. It is sent with the token request only.
    package let verifier: Secret

    /// The challenge is `BASE64URL(SHA256(ASCII(verifier)))`. The authorization request carries it (RFC 7636 §4.2).
    package var challenge: String { Base64URL.encode(SHA256.hash(data: Data(verifier.exposed.utf8))) }

    package let method = "S256"

    /// - Parameter random: Returns the number of random bytes asked for.
    package init(random: (Int) -> [UInt8]) {
        self.init(verifier: Secret(Base64URL.encode(random(32))))
    }

    package init(verifier: Secret) { self.verifier = verifier }
}
