// Licensed under the MIT License. See LICENSE.

import Foundation

extension Data {
    /// base64url without padding, RFC 4648 §5.
    var base64URL: String {
        base64EncodedString()
            .replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    /// The bytes of a base64url text, which has to be exactly the one that these bytes are written as.
    init?(base64URL text: some StringProtocol) {
        let base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: base64 + padding), data.base64URL == text else { return nil }
        self = data
    }
}
