// Licensed under the MIT License. See LICENSE.

extension String {
    /// The UTF-8 text, with every byte escaped that is not an unreserved character of RFC 3986 §2.3.
    ///
    /// `space`: The replacement for a space. Forms use `+` (WHATWG URL §5.2).
    package func percentEncoded(space: String = "%20") -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(utf8.count)
        for byte in utf8 {
            switch byte {
            case _ where byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte): encoded.append(byte)
            case UInt8(ascii: " "): encoded += space.utf8
            default: encoded += "%\(Hexadecimal.text([byte], uppercase: true))".utf8
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
