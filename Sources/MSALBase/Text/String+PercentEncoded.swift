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

    /// Decodes a name or a value of a form or a query. `nil` for invalid escapes and invalid UTF-8, which WHATWG URL
    /// §5.1 would repair: two parsers could repair them differently.
    package init?(formEncoded bytes: some Collection<UInt8>) {
        // Strings provide their bytes directly; anything else is copied first. Through the protocol, each byte takes
        // ten times as long.
        let decoded =
            bytes.withContiguousStorageIfAvailable(Self.decoded) ?? Array(bytes).withUnsafeBufferPointer(Self.decoded)
        guard let decoded else { return nil }
        self.init(validating: decoded, as: UTF8.self)
    }

    private static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(Hexadecimal.digit),
                    let low = rest.popFirst().flatMap(Hexadecimal.digit)
                else { return nil }
                decoded.append(high << 4 | low)
            default: decoded.append(byte)
            }
        }
        return decoded
    }
}
