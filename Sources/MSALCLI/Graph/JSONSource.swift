// Licensed under the MIT License. See LICENSE.

import Foundation

/// A JSON value as its author wrote it (RFC 8259): members keep their order, and numbers every digit.
struct JSONSource: Sendable, Equatable {
    /// The value without the spaces around it.
    fileprivate let bytes: ArraySlice<UInt8>

    /// `nil` if the bytes are not JSON. A byte order mark is skipped.
    init?(_ source: some Collection<UInt8>) {
        guard String(validating: source, as: UTF8.self) != nil else { return nil }
        let hasMark = source.starts(with: [0xEF, 0xBB, 0xBF])
        var reader = JSONSourceReader(Array(source.dropFirst(hasMark ? 3 : 0))[...])
        guard let value = reader.value(), reader.isAtEnd else { return nil }
        self = value
    }

    fileprivate init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    init(_ text: String) {
        // A text is always JSON.
        let data = try? JSONSerialization.data(
            withJSONObject: text,
            options: [.fragmentsAllowed, .withoutEscapingSlashes]
        )
        bytes = Array(data ?? Data("null".utf8))[...]
    }

    init(_ number: Int) { bytes = Array("\(number)".utf8)[...] }

    init(_ elements: [JSONSource]) {
        bytes = (Array("[".utf8) + elements.map(\.bytes).joined(separator: ",".utf8) + "]".utf8)[...]
    }

    init(_ members: [(name: String, value: JSONSource)]) {
        let parts = members.map { JSONSource($0.name).bytes + ":".utf8 + $0.value.bytes }
        bytes = (Array("{".utf8) + parts.joined(separator: ",".utf8) + "}".utf8)[...]
    }

    static let null = JSONSource(bytes: Array("null".utf8)[...])

    var isNull: Bool { bytes.first == UInt8(ascii: "n") }

    /// The members in their order; `nil` if this is not an object.
    var members: [(name: String, value: JSONSource)]? {
        guard bytes.first == UInt8(ascii: "{") else { return nil }
        var reader = JSONSourceReader(bytes)
        _ = reader.value()
        return reader.children.map { ($0.name?.string ?? "", $0.value) }
    }

    /// The elements; `nil` if this is not an array.
    var elements: [JSONSource]? {
        guard bytes.first == UInt8(ascii: "[") else { return nil }
        var reader = JSONSourceReader(bytes)
        _ = reader.value()
        return reader.children.map(\.value)
    }

    /// The text; `nil` if this is not a string.
    var string: String? {
        guard bytes.first == UInt8(ascii: "\"") else { return nil }
        let text = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed) as? String
        // Half a surrogate pair, which no text holds, stays as it was written.
        return text ?? String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    }

    /// A member of an object. The last one of a name counts.
    subscript(name: String) -> JSONSource? { members?.last { $0.name == name }?.value }

    /// JSON in one line.
    var line: String { laidOut(isIndented: false) }

    /// Indented JSON.
    var indented: String { laidOut(isIndented: true) }

    /// The value for programs: a text without quotes, nothing for null, the elements of an array on separate lines, an
    /// object in one line.
    var raw: String { elements.map { $0.map(\.bare).joined(separator: "\n") } ?? bare }

    /// The value in one line; a text without quotes, and nothing for null.
    var bare: String { string ?? (isNull ? "" : line) }

    private func laidOut(isIndented: Bool) -> String {
        var (output, depth, isOpen, isText, isEscaped): ([UInt8], Int, Bool, Bool, Bool) = ([], 0, false, false, false)
        func lineBreak() {
            guard isIndented else { return }
            output += "\n".utf8
            output += repeatElement(0x20, count: 2 * depth)
        }
        for byte in bytes {
            if isText {
                output.append(byte)
                (isText, isEscaped) = (isEscaped || byte != 0x22, !isEscaped && byte == 0x5C)
                continue
            }
            let isClosing = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
            if [0x20, 0x0A, 0x0D, 0x09].contains(byte) { continue }
            if isClosing { depth -= 1 }
            // An empty array or object has no line break.
            if isOpen != isClosing { lineBreak() }
            isOpen = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
            if isOpen { depth += 1 }
            isText = byte == 0x22
            if isIndented, byte == UInt8(ascii: ":") { output += " : ".utf8 } else { output.append(byte) }
            if byte == UInt8(ascii: ",") { lineBreak() }
        }
        return String(decoding: output, as: UTF8.self)
    }
}

/// Goes through one value, and collects the members or the elements directly in it.
private struct JSONSourceReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var depth = 0
    private(set) var children: [(name: JSONSource?, value: JSONSource)] = []

    /// The number of arrays and objects within each other, as in Foundation.
    private static let maximumDepth = 512

    init(_ bytes: ArraySlice<UInt8>) { (self.bytes, position) = (bytes, bytes.startIndex) }

    var isAtEnd: Bool { position == bytes.endIndex }

    /// Reads a value and the spaces around it; `nil` if the text is not JSON.
    mutating func value() -> JSONSource? {
        skip { [0x20, 0x0A, 0x0D, 0x09].contains($0) }
        let start = position
        guard let first = next else { return nil }
        let isValid =
            switch first {
            case UInt8(ascii: "{"): list(isObject: true)
            case UInt8(ascii: "["): list(isObject: false)
            case UInt8(ascii: "\""): text()
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): number()
            default: ["true", "false", "null"].contains { take($0) }
            }
        guard isValid else { return nil }
        let value = JSONSource(bytes: bytes[start..<position])
        skip { [0x20, 0x0A, 0x0D, 0x09].contains($0) }
        return value
    }

    private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }

    /// - Returns: Whether there was at least one such byte.
    @discardableResult
    private mutating func skip(_ isSkipped: (UInt8) -> Bool) -> Bool {
        let start = position
        while let next, isSkipped(next) { position += 1 }
        return position > start
    }

    private mutating func list(isObject: Bool) -> Bool {
        let end = isObject ? "}" : "]"
        position += 1
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { return false }
        skip { [0x20, 0x0A, 0x0D, 0x09].contains($0) }
        if take(end) { return true }
        repeat {
            var name: JSONSource?
            if isObject {
                name = value()
                guard name?.bytes.first == UInt8(ascii: "\""), take(":") else { return false }
            }
            guard let value = value() else { return false }
            if depth == 1 { children.append((name, value)) }
        } while take(",")
        return take(end)
    }

    private mutating func text() -> Bool {
        position += 1
        while let byte = next, byte >= 0x20 {
            position += 1
            if byte == 0x22 { return true }
            guard byte == 0x5C else { continue }
            guard let escape = next, "\"\\/bfnrtu".utf8.contains(escape) else { return false }
            position += 1
            guard escape == UInt8(ascii: "u") else { continue }
            let digits = bytes[position...].prefix(4)
            guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
                return false
            }
            position += 4
        }
        return false
    }

    private mutating func number() -> Bool {
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        _ = take("-")
        guard take("0") || skip(isDigit) else { return false }
        if take("."), !skip(isDigit) { return false }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            return skip(isDigit)
        }
        return true
    }
}
