// Licensed under the MIT License. See LICENSE.

/// Writes JSON text: members sorted by name, so that equal values yield equal bytes; slashes not escaped.
package struct JSONWriter {
    private var bytes: [UInt8] = []
    /// `nil` for output on one line.
    private let indentation: Int?

    /// The JSON text of `value` in UTF-8.
    ///
    /// `indentation`: The number of spaces for each level; `nil` writes everything on one line.
    package static func bytes(of value: JSONValue, indentation: Int? = nil) -> [UInt8] {
        var writer = JSONWriter(indentation: indentation)
        writer.write(value, depth: 0)
        return writer.bytes
    }

    /// The JSON text of an object with these members, on one line.
    ///
    /// `members`: Sorted by name, without duplicates.
    package static func bytes(ofMembers members: [(name: String, value: JSONValue)]) -> [UInt8] {
        var writer = JSONWriter(indentation: nil)
        writer.write(members, depth: 0)
        return writer.bytes
    }

    private init(indentation: Int?) { self.indentation = indentation }

    private mutating func write(_ value: JSONValue, depth: Int) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .integer(let value): append(String(value))
        case .number(let value): append(Self.text(of: value))
        case .string(let value): write(value)
        case .array(let values):
            append("[")
            for (index, value) in values.enumerated() {
                separate(index, depth: depth + 1)
                write(value, depth: depth + 1)
            }
            close("]", depth: depth, isEmpty: values.isEmpty)
        case .object(let members):
            write(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, depth: depth)
        }
    }

    private mutating func write(_ members: [(name: String, value: JSONValue)], depth: Int) {
        append("{")
        for (index, member) in members.enumerated() {
            separate(index, depth: depth + 1)
            write(member.name)
            append(indentation == nil ? ":" : ": ")
            write(member.value, depth: depth + 1)
        }
        close("}", depth: depth, isEmpty: members.isEmpty)
    }

    private mutating func separate(_ index: Int, depth: Int) {
        if index > 0 { append(",") }
        breakLine(depth)
    }

    private mutating func close(_ bracket: StaticString, depth: Int, isEmpty: Bool) {
        if !isEmpty { breakLine(depth) }
        append(bracket)
    }

    private mutating func breakLine(_ depth: Int) {
        guard let indentation else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation * depth))
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { text in
            // Nearly every string needs no escapes and is copied at once.
            var start = 0
            for (index, byte) in text.enumerated() where Self.isEscaped(byte) {
                bytes.append(contentsOf: text[start..<index])
                appendEscape(of: byte)
                start = index + 1
            }
            bytes.append(contentsOf: text[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func appendEscape(of byte: UInt8) {
        switch byte {
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        case 0..<0x20: append("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
        default: bytes += [UInt8(ascii: "\\"), byte]
        }
    }

    /// The text of a number. A whole number has no fraction. JSON has no infinities, and no parser produces one.
    private static func text(of number: Double) -> String {
        guard number.isFinite else { return "null" }
        // Negative zero would be parsed as the whole number.
        guard number != 0 else { return "0" }
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
