// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase

extension Data {
    /// base64url without padding, RFC 4648 §5.
    package var base64URL: String { Base64URL.encode(self) }

    /// Decodes a base64url text; `nil` unless it is the canonical encoding of the bytes.
    package init?(base64URL text: some StringProtocol) {
        guard let data = Base64URL.decode(Substring(text)), data.base64URL == text else { return nil }
        self = data
    }
}
