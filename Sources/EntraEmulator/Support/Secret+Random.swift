// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase

extension Secret {
    /// The hexadecimal SHA-256 of the text; the store keeps it instead of the secret.
    var digest: String { Hexadecimal.text(SHA256.hash(data: Data(exposed.utf8))) }

    /// A fresh secret of the given number of random bytes, written as base64url.
    static func random(bytes: Int = 32) -> Secret { Secret(Base64URL.encode([UInt8].random(count: bytes))) }
}
