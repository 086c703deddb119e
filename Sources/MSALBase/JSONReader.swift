// Licensed under the MIT License. See LICENSE.

package import Foundation

/// Parses untrusted JSON text (RFC 8259): with limited depth, exact fault positions, and no traps, whatever the bytes
/// are.
///
/// If an object has a member twice, the last one is kept, unless the caller rejects such objects. An escaped lone
/// surrogate becomes U+FFFD because a Swift string cannot represent it. A byte order mark at the beginning is skipped.
/// Integers beyond 64 bits become floating-point numbers; numbers out of their range are a fault.
package struct JSONReader {
    /// The reason why the text is invalid, and the position.
    package struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
        /// Describes the fault without quoting the text, which may contain secrets.
        package let reason: String
        /// The number of bytes before the fault.
        package let offset: Int
        /// The line and the column count from 1; a column is a byte.
        package let line: Int
        package let column: Int

        package var description: String { "\(reason) at line \(line), column \(column)" }
    }

    /// The maximum nesting depth of arrays and objects: more than a legitimate file needs, and safe for the stack.
    package static let maximumDepth = 128

    /// The initial capacity for the members of an object.
    private static let usualMembers = 32

    /// How to treat an object that has a member twice.
    package enum RepeatedMembers: Sendable {
        /// The last member of a name is kept.
        case lastCounts
        /// The text is rejected because other parsers could choose another member (RFC 8725 §2.3).
        case refused
    }

    /// The caller provides the bytes for one reading. ``peek`` and all other uses compare the index with `count` first.
    let bytes: UnsafeBufferPointer<UInt8>
    private let maximumDepth: Int
    private let repeatedMembers: RepeatedMembers
    var position: Int
    /// The members of the objects whose end has not been read yet. At its end, an object removes its members from this
    /// list. Their number is known by then, so its dictionary is created with the right capacity and need not grow,
    /// which would copy it several times.
    private var pending: [(name: String, value: JSONValue)] = []
    /// The pool of known strings, if the caller provides one.
    var known: StringInterner?

    init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from position: Int = 0,
        maximumDepth: Int = maximumDepth,
        repeatedMembers: RepeatedMembers = .lastCounts
    ) {
        self.bytes = bytes
        self.position = position
        self.maximumDepth = maximumDepth
        self.repeatedMembers = repeatedMembers
    }

    /// Parses `text`, which must consist of one value.
    ///
    /// - Parameters:
    ///   - text: UTF-8.
    ///   - maximumDepth: The maximum nesting depth of arrays and objects.
    ///   - repeatedMembers: How to treat an object that has a member twice.
    /// - Returns: The value.
    /// - Throws: The first fault.
    @inlinable package static func value(
        of text: some Sequence<UInt8>,
        maximumDepth: Int = maximumDepth,
        repeatedMembers: RepeatedMembers = .lastCounts
    ) throws(Fault) -> JSONValue {
        // Strings and data provide their bytes directly; anything else is copied first.
        let value =
            text.withContiguousStorageIfAvailable {
                outcome(ofBytes: $0, maximumDepth: maximumDepth, repeatedMembers: repeatedMembers)
            }
            ?? Array(text).withUnsafeBufferPointer {
                outcome(ofBytes: $0, maximumDepth: maximumDepth, repeatedMembers: repeatedMembers)
            }
        return try value.get()
    }

    @usableFromInline static func outcome(
        ofBytes bytes: UnsafeBufferPointer<UInt8>,
        maximumDepth: Int,
        repeatedMembers: RepeatedMembers
    ) -> Result<JSONValue, Fault> {
        Result { () throws(Fault) -> JSONValue in
            try whole(bytes, maximumDepth: maximumDepth, repeatedMembers: repeatedMembers) { (reader) throws(Fault) in
                try reader.value(depth: 0)
            }
        }
    }

    /// The members of the object that `text` consists of, sorted by name, with only the last one of each name. `nil` if
    /// `text` is another value.
    ///
    /// A list takes less time than a dictionary if there are few members.
    ///
    /// - Throws: The first fault.
    package static func members(of text: Data) throws(Fault) -> [(name: String, value: JSONValue)]? {
        let outcome = text.withUnsafeBytes { bytes in
            Result { () throws(Fault) -> [(name: String, value: JSONValue)]? in
                try whole(bytes.bindMemory(to: UInt8.self), maximumDepth: maximumDepth) { (reader) throws(Fault) in
                    try reader.orderedMembers()
                }
            }
        }
        return try outcome.get()
    }

    private mutating func orderedMembers() throws(Fault) -> [(name: String, value: JSONValue)]? {
        guard peek == UInt8(ascii: "{") else {
            _ = try value(depth: 0)
            return nil
        }
        var list: [(name: String, value: JSONValue)] = []
        list.reserveCapacity(Self.usualMembers)
        // Texts that this library wrote have their members in order.
        var isOrdered = true
        try members(depth: 1) { (reader, name) throws(Fault) in
            isOrdered = isOrdered && (list.last.map { $0.name < name } ?? true)
            list.append((name, try reader.value(depth: 1)))
        }
        guard !isOrdered else { return list }
        let last = Dictionary(list.map { ($0.name, $0.value) }) { _, last in last }
        return last.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Parses a text that must end after the value that `read` reads.
    static func whole<Value>(
        _ bytes: UnsafeBufferPointer<UInt8>,
        maximumDepth: Int,
        repeatedMembers: RepeatedMembers = .lastCounts,
        reading read: (inout JSONReader) throws(Fault) -> Value
    ) throws(Fault) -> Value {
        var reader = JSONReader(bytes, maximumDepth: maximumDepth, repeatedMembers: repeatedMembers)
        if reader.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
        reader.skipWhitespace()
        let value = try read(&reader)
        reader.skipWhitespace()
        guard reader.position == bytes.count else { throw reader.fault("more text after the end of the value") }
        return value
    }

    mutating func value(depth: Int) throws(Fault) -> JSONValue {
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
        let start = pending.count
        if start == 0 { pending.reserveCapacity(Self.usualMembers) }
        try members(depth: depth) { (reader, name) throws(Fault) in
            reader.pending.append((name, try reader.value(depth: depth)))
        }
        guard pending.count > start else { return [:] }
        var members = [String: JSONValue](minimumCapacity: pending.count - start)
        for member in pending[start...] { members[member.name] = member.value }
        guard repeatedMembers == .lastCounts || members.count == pending.count - start else {
            throw fault("an object has a member twice")
        }
        pending.removeSubrange(start...)
        return members
    }

    /// Parses an object. `read` reads the value of each member.
    mutating func members(depth: Int, _ read: (inout JSONReader, _ name: String) throws(Fault) -> Void) throws(Fault) {
        var name = ""
        try members(
            depth: depth,
            name: { (reader) throws(Fault) in name = try reader.string() },
            value: { (reader) throws(Fault) in try read(&reader, name) }
        )
    }

    /// Parses an object. `name` reads the name of each member, then `value` its value.
    mutating func members(
        depth: Int,
        name: (inout JSONReader) throws(Fault) -> Void,
        value: (inout JSONReader) throws(Fault) -> Void
    ) throws(Fault) {
        try enter(depth)
        if take(UInt8(ascii: "}")) { return }
        repeat {
            skipWhitespace()
            guard peek == UInt8(ascii: "\"") else { throw fault("a member needs a name in quotation marks") }
            try name(&self)
            skipWhitespace()
            guard take(UInt8(ascii: ":")) else { throw fault("a colon is missing") }
            skipWhitespace()
            try value(&self)
            skipWhitespace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw fault("a comma or the end of an object is missing") }
    }

    private mutating func array(depth: Int) throws(Fault) -> [JSONValue] {
        var elements: [JSONValue] = []
        try self.elements(depth: depth) { (reader) throws(Fault) in elements.append(try reader.value(depth: depth)) }
        return elements
    }

    /// Parses an array. `read` reads each element.
    mutating func elements(depth: Int, _ read: (inout JSONReader) throws(Fault) -> Void) throws(Fault) {
        try enter(depth)
        if take(UInt8(ascii: "]")) { return }
        repeat {
            skipWhitespace()
            try read(&self)
            skipWhitespace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw fault("a comma or the end of an array is missing") }
    }

    mutating func enter(_ depth: Int) throws(Fault) {
        guard depth <= maximumDepth else { throw fault("more than \(maximumDepth) nested arrays and objects") }
        position += 1
        skipWhitespace()
    }

    mutating func word(_ text: StaticString, for value: JSONValue) throws(Fault) -> JSONValue {
        let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        guard bytes.count - position >= expected.count, bytes[position...].starts(with: expected) else {
            throw fault("an unexpected word")
        }
        position += expected.count
        return value
    }
}

// MARK: - Numbers and places

extension JSONReader {
    mutating func number() throws(Fault) -> JSONValue {
        let start = position
        _ = take(UInt8(ascii: "-"))
        // No leading zeros: "01" ends after its first digit, and the second is an unexpected character.
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
        if isInteger, let value = Self.integer(bytes[start..<position]) { return .integer(value) }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let value = Double(text), value.isFinite else { throw fault("a number out of range") }
        return .number(value)
    }

    /// The integer with these digits, optionally after a minus sign; `nil` beyond 64 bits.
    private static func integer(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        var value: Int64 = 0
        for byte in isNegative ? text.dropFirst() : text {
            let digit = Int64(byte &- UInt8(ascii: "0"))
            let (product, isTooLong) = value.multipliedReportingOverflow(by: 10)
            let (next, isTooLarge) =
                isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            if isTooLong || isTooLarge { return nil }
            value = next
        }
        return value
    }

    private mutating func digits() throws(Fault) {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw fault("a number without digits") }
    }

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    mutating func skipWhitespace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    func fault(_ reason: String) -> Fault {
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
