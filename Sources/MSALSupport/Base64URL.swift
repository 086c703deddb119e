// Licensed under the MIT License. See LICENSE.

package import Foundation

/// Base64 with the URL-safe alphabet and without padding (RFC 4648 §5, RFC 7515 §2).
package enum Base64URL {
    /// The unpadded URL-safe text of `bytes`.
    @inlinable package static func encode(_ bytes: some Sequence<UInt8>) -> String { encode(data: Data(bytes)) }

    @usableFromInline static func encode(data: Data) -> String {
        data.base64EncodedString()
            .replacing("+", with: "-")
            .replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// The bytes of `text`, or `nil` if it is not base64.
    ///
    /// Padding and the standard alphabet are accepted too, because peers send both.
    package static func decode(_ text: String) -> Data? {
        var standard = text.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        guard standard.count % 4 != 1 else { return nil }
        standard += String(repeating: "=", count: (4 - standard.count % 4) % 4)
        return Data(base64Encoded: standard)
    }
}
