// Licensed under the MIT License. See LICENSE.

extension JSONReader {
    mutating func string() throws(Fault) -> String {
        position += 1
        let start = position
        skipPlainBytes()
        // The common case, a string without escapes, is used directly.
        if peek == UInt8(ascii: "\"") {
            defer { position += 1 }
            return try text(UnsafeBufferPointer(rebasing: bytes[start..<position]))
        }
        var unescaped = Array(bytes[start..<position])
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return try unescaped.withUnsafeBufferPointer { (bytes) throws(Fault) in try text(bytes) }
            case UInt8(ascii: "\\"):
                position += 1
                try appendEscape(to: &unescaped)
            case 0..<0x20:
                throw fault("a control character in a string")
            default:
                let start = position
                skipPlainBytes()
                unescaped += bytes[start..<position]
            }
        }
        throw fault("an unterminated string")
    }

    /// Skips a string and validates it, without creating it.
    mutating func skipString() throws(Fault) {
        let start = position
        position += 1
        skipPlainBytes()
        guard peek == UInt8(ascii: "\"") else {
            // The string has an escape or a fault, which the slower path handles.
            position = start
            _ = try string()
            return
        }
        defer { position += 1 }
        let bytes = UnsafeBufferPointer(rebasing: bytes[start + 1..<position])
        guard (try? UTF8Span(validating: bytes.span)) != nil else { throw fault("a string that is not UTF-8") }
    }

    /// Advances to the next byte that has a meaning inside a string: a quotation mark, a backslash, or a control
    /// character; or to the end.
    private mutating func skipPlainBytes() {
        // Eight bytes at a time because a token has more than a thousand.
        while position + 8 <= bytes.count,
            Self.areAllPlain(UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: position, as: UInt64.self))
        {
            position += 8
        }
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
    }

    /// Whether certainly none of eight bytes is a quotation mark, a backslash, or a control character.
    private static func areAllPlain(_ bytes: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // A byte below `limit` borrows from its highest bit, which an ordinary ASCII byte does not have.
        func isBelow(_ limit: UInt64, in bytes: UInt64) -> UInt64 { (bytes &- ones &* limit) & ~bytes }
        let found =
            isBelow(0x20, in: bytes) | isBelow(1, in: bytes ^ ones &* UInt64(UInt8(ascii: "\"")))
            | isBelow(1, in: bytes ^ ones &* UInt64(UInt8(ascii: "\\")))
        return found & (ones &* 0x80) == 0
    }

    private mutating func text(_ bytes: UnsafeBufferPointer<UInt8>) throws(Fault) -> String {
        if let text = known?.text(of: bytes) { return text }
        var text: String
        do {
            text = String(copying: try UTF8Span(validating: bytes.span))
        } catch {
            throw fault("a string that is not UTF-8")
        }
        known?.share(&text)
        return text
    }

    private mutating func appendEscape(to bytes: inout [UInt8]) throws(Fault) {
        guard let byte = peek else { throw fault("an unterminated string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"): bytes.append(contentsOf: UTF8.encode(try escapedScalar())?.map(\.self) ?? [])
        default: throw fault("an unknown escape in a string")
        }
    }

    /// The scalar of one `\uXXXX`, or of two that form a surrogate pair, after its first `\u`.
    private mutating func escapedScalar() throws(Fault) -> Unicode.Scalar {
        let unit = try hexadecimalUnit()
        guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
        let afterFirst = position
        guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            position = afterFirst
            return "\u{FFFD}"
        }
        let second = try hexadecimalUnit()
        guard UTF16.isTrailSurrogate(second) else {
            position = afterFirst
            return "\u{FFFD}"
        }
        return UTF16.decode(UTF16.EncodedScalar([unit, second]))
    }

    private mutating func hexadecimalUnit() throws(Fault) -> UInt16 {
        guard position + 4 <= bytes.count else { throw fault("an escape that is cut off") }
        var unit: UInt16 = 0
        for byte in bytes[position..<position + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw fault("an escape that is not hexadecimal")
            }
            unit = unit << 4 | UInt16(digit)
        }
        position += 4
        return unit
    }
}
