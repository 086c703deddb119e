// Licensed under the MIT License. See LICENSE.

package import Foundation

extension Data {
    /// base64url without padding, RFC 4648 §5.
    package var base64URL: String {
        // Byte by byte: a token has three of these texts, and Foundation's replacements would take most of their time.
        base64EncodedData().withUnsafeBytes { base64 in
            String(unsafeUninitializedCapacity: base64.count) { text in
                var count = 0
                for byte in base64 where byte != UInt8(ascii: "=") {
                    switch byte {
                    case UInt8(ascii: "+"): text[count] = UInt8(ascii: "-")
                    case UInt8(ascii: "/"): text[count] = UInt8(ascii: "_")
                    default: text[count] = byte
                    }
                    count += 1
                }
                return count
            }
        }
    }

    /// The bytes of a base64url text, which has to be exactly the one that these bytes are written as.
    package init?(base64URL text: some StringProtocol) {
        var base64 = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while base64.count % 4 != 0 { base64.append(UInt8(ascii: "=")) }
        guard let data = Data(base64Encoded: Data(base64)), data.base64URL == text else { return nil }
        self = data
    }
}
