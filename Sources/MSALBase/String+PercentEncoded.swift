// Licensed under the MIT License. See LICENSE.

extension String {
    /// The text in UTF-8, with an escape for every byte that is not an unreserved character of RFC 3986 §2.3.
    ///
    /// `space`: The text for a space. A form has `+` there (WHATWG URL §5.2).
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
