// Licensed under the MIT License. See LICENSE.

import MSALBase

/// Reads what ``ValueWriter`` wrote. No bytes can make it trap, read outside of them, or make much more text than they are.
struct ValueReader {
    /// The bytes have another form.
    struct Fault: Error {}

    private let bytes: [UInt8]
    private var position = 0
    private var parts = ValuePart.usual
    /// The bytes of text that may still be made. A part that is named again and again makes a long text of few bytes.
    private var room = 1 << 20

    /// Begins to read. `known`: the texts that the writer was given.
    init(_ bytes: [UInt8], knowing known: [String] = []) {
        self.bytes = bytes
        for text in known { parts += ValuePart.all(of: text).map(String.init) }
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func number() throws(Fault) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard position < bytes.count else { throw Fault() }
            let byte = bytes[position]
            position += 1
            let bits = UInt64(byte & 0x7F)
            // The tenth byte has one bit that fits.
            guard bits <= UInt64.max >> shift else { throw Fault() }
            number |= bits << shift
            if byte < 0x80 { return number }
        }
        throw Fault()
    }

    mutating func signed() throws(Fault) -> Int64 {
        let number = try number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// The number of things that follow. Each of them has one byte at least.
    mutating func count() throws(Fault) -> Int {
        guard let count = Int(exactly: try number()), count <= bytes.count - position else { throw Fault() }
        return count
    }

    /// Whether a value follows that may be missing.
    mutating func hasValue() throws(Fault) -> Bool {
        switch try number() {
        case 0: return false
        case 1: return true
        default: throw Fault()
        }
    }

    mutating func raw(_ count: Int) throws(Fault) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw Fault() }
        defer { position += count }
        return bytes[position..<position + count]
    }

    mutating func text() throws(Fault) -> String {
        let count = try count()
        guard count > 0 else { throw Fault() }
        var text = try part()
        for _ in 1..<count { text += "." + (try part()) }
        return text
    }

    mutating func texts() throws(Fault) -> [String] {
        var texts: [String] = []
        for _ in 0..<(try count()) { texts.append(try text()) }
        return texts
    }

    private mutating func part() throws(Fault) -> String {
        let head = try number()
        guard let number = Int(exactly: head >> 2) else { throw Fault() }
        let part: String
        switch ValuePart(rawValue: head & 0b11) {
        case .known:
            guard number < parts.count else { throw Fault() }
            part = parts[number]
        case .base64URL:
            part = Base64URL.encode(try raw(number))
            parts.append(part)
        case .text:
            guard let text = String(validating: try raw(number), as: UTF8.self) else { throw Fault() }
            part = text
            parts.append(part)
        case nil:
            throw Fault()
        }
        room -= part.utf8.count + 1
        guard room >= 0 else { throw Fault() }
        return part
    }
}
