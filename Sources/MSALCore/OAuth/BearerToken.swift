// Licensed under the MIT License. See LICENSE.

extension String {
    /// Whether the text has the form of a bearer token, which is `b64token` of RFC 6750 §2.1: letters, digits and
    /// `-._~+/`, then any number of `=`.
    package var isBearerToken: Bool {
        var text = self
        return text.withUTF8 { bytes in
            guard let last = bytes.lastIndex(where: { $0 != UInt8(ascii: "=") }) else { return false }
            return bytes[...last].allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
        }
    }
}
