// Licensed under the MIT License. See LICENSE.

/// Reads JSON text (RFC 8259) that somebody else wrote: bounded in depth, exact about the place of a fault, and never
/// trapping, whatever the bytes are.
///
/// Of members of one name the last one counts. A lone surrogate in an escape becomes U+FFFD, because texts here cannot
/// hold it. A byte order mark at the beginning is skipped. Integers beyond 64 bits become floating-point numbers; what
/// is beyond those too is a fault.
package struct JSONReader {
    /// Why the text could not be read, and where.
    package struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// What is wrong, without any part of the text: it may hold secrets.
        package let reason: String
        /// Bytes before the fault.
        package let offset: Int
        /// Counted from 1; a column is a byte.
        package let line: Int
        package let column: Int

        package var description: String { "\(reason) at line \(line), column \(column)" }
    }

    /// Arrays and objects inside each other; more than any honest file has, and no danger to the stack.
    package static let maximumDepth = 128

    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var position = 0

    private init(_ bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    /// The one value that `text` consists of.
    ///
    /// - Parameters:
    ///   - text: UTF-8.
    ///   - maximumDepth: How many arrays and objects may be open at once.
    /// - Returns: The value.
    /// - Throws: The first fault.
    @inlinable package static func value(
        of text: some Sequence<UInt8>,
        maximumDepth: Int = maximumDepth
    ) throws(Fault) -> JSONValue {
        try value(ofBytes: Array(text), maximumDepth: maximumDepth)
    }

    @usableFromInline static func value(ofBytes bytes: [UInt8], maximumDepth: Int) throws(Fault) -> JSONValue {
        var reader = JSONReader(bytes, maximumDepth: maximumDepth)
        if reader.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
        reader.skipWhitespace()
        let value = try reader.value(depth: 0)
        reader.skipWhitespace()
        guard reader.position == reader.bytes.count else { throw reader.fault("more text after the end of the value") }
        return value
    }

    private mutating func value(depth: Int) throws(Fault) -> JSONValue {
        guard let byte = peek else { throw fault("the text ends early") }
        switch byte {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        case UInt8(ascii: "t"): return try word("true", for: .bool(true))
        case UInt8(ascii: "f"): return try word("false", for: .bool(false))
        case UInt8(ascii: "n"): return try word("null", for: .null)
        default: throw fault("an unexpected character")
        }
    }

    private mutating func object(depth: Int) throws(Fault) -> [String: JSONValue] {
        try enter(depth)
        var members: [String: JSONValue] = [:]
        if take(UInt8(ascii: "}")) { return members }
        repeat {
            skipWhitespace()
            guard peek == UInt8(ascii: "\"") else { throw fault("a member needs a name in quotation marks") }
            let name = try string()
            skipWhitespace()
            guard take(UInt8(ascii: ":")) else { throw fault("a colon is missing") }
            skipWhitespace()
            members[name] = try value(depth: depth)
            skipWhitespace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw fault("a comma or the end of an object is missing") }
        return members
    }

    private mutating func array(depth: Int) throws(Fault) -> [JSONValue] {
        try enter(depth)
        var elements: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return elements }
        repeat {
            skipWhitespace()
            elements.append(try value(depth: depth))
            skipWhitespace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw fault("a comma or the end of an array is missing") }
        return elements
    }

    private mutating func enter(_ depth: Int) throws(Fault) {
        guard depth <= maximumDepth else { throw fault("more than \(maximumDepth) arrays and objects in each other") }
        position += 1
        skipWhitespace()
    }

    private mutating func word(_ text: StaticString, for value: JSONValue) throws(Fault) -> JSONValue {
        let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard bytes[position...].starts(with: expected) else { throw fault("an unexpected word") }
        position += expected.count
        return value
    }
}

// MARK: - Texts

extension JSONReader {
    private mutating func string() throws(Fault) -> String {
        position += 1
        let start = position
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        // The common case, a text without escapes, is taken as it stands.
        if peek == UInt8(ascii: "\"") {
            defer { position += 1 }
            return try text(bytes[start..<position])
        }
        var unescaped = Array(bytes[start..<position])
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return try text(unescaped[...])
            case UInt8(ascii: "\\"):
                position += 1
                try appendEscape(to: &unescaped)
            case 0..<0x20:
                throw fault("a control character in a text")
            default:
                unescaped.append(byte)
                position += 1
            }
        }
        throw fault("a text without end")
    }

    private func text(_ bytes: ArraySlice<UInt8>) throws(Fault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw fault("a text that is not UTF-8") }
        return text
    }

    private mutating func appendEscape(to bytes: inout [UInt8]) throws(Fault) {
        guard let byte = peek else { throw fault("a text without end") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"): bytes.append(contentsOf: UTF8.encode(try escapedScalar())?.map(\.self) ?? [])
        default: throw fault("an unknown escape in a text")
        }
    }

    /// The scalar of one `\uXXXX`, or of the two that make up a surrogate pair; `\u` is behind us.
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

// MARK: - Numbers and places

extension JSONReader {
    private mutating func number() throws(Fault) -> JSONValue {
        let start = position
        _ = take(UInt8(ascii: "-"))
        // No leading zeros: "01" ends after its first digit, and the second is one character too many.
        if !take(UInt8(ascii: "0")) { try digits() }
        var isInteger = true
        if take(UInt8(ascii: ".")) {
            isInteger = false
            try digits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isInteger = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let value = Int64(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else { throw fault("a number out of range") }
        return .number(value)
    }

    private mutating func digits() throws(Fault) {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw fault("a number without digits") }
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipWhitespace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func fault(_ reason: String) -> Fault {
        let before = bytes[..<min(position, bytes.count)]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return Fault(
            reason: reason,
            offset: before.count,
            line: before.count { $0 == 0x0A } + 1,
            column: before.count - lineStart + 1
        )
    }
}
