// Licensed under the MIT License. See LICENSE.

import MSALBase

extension String {
    /// Whether the text has the form of a bearer token, which is `b64token` of RFC 6750 §2.1: letters, digits and
    /// `-._~+/`, then any number of `=`.
    package var isBearerToken: Bool {
        var text = self
        return text.withUTF8 { bytes in
            guard let last = bytes.lastIndex(where: { $0 != UInt8(ascii: "=") }) else { return false }
            return bytes[...last].allSatisfy { $0.isASCIILetterOrDigit || "-._~+/".utf8.contains($0) }
        }
    }
}
