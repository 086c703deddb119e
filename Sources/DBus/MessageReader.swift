// Licensed under the MIT License. See LICENSE.

/// Reads values from the bytes of a message. No input can make it trap or read out of bounds.
struct MessageReader {
    /// The maximum length of an array, in bytes (D-Bus specification, "Marshaling").
    static let maximumArray = 1 << 26
    /// The maximum nesting depth of containers, including variants.
    static let maximumDepth = 64

    private let bytes: [UInt8]
    private let order: ByteOrder
    /// The index of the next byte. Alignment is relative to index 0, so `bytes` must begin where the message or its
    /// body begins.
    private(set) var position: Int

    init(_ bytes: [UInt8], order: ByteOrder, position: Int = 0) {
        self.bytes = bytes
        self.order = order
        self.position = position
    }

    var isAtEnd: Bool { position == bytes.count }

    /// Reads one value for each type. Throws if any bytes remain.
    mutating func values(_ types: [DBusType]) throws(DBusError) -> [DBusValue] {
        var values: [DBusValue] = []
        for type in types { values.append(try value(type)) }
        guard isAtEnd else { throw .malformed("a message is longer than its values") }
        return values
    }

    mutating func value(_ type: DBusType, depth: Int = 0) throws(DBusError) -> DBusValue {
        switch type {
        case .byte: return .byte(try take(1).first ?? 0)
        case .boolean: return .boolean(try boolean())
        case .int16: return .int16(Int16(bitPattern: try integer()))
        case .uint16: return .uint16(try integer())
        case .int32: return .int32(Int32(bitPattern: try integer()))
        case .uint32: return .uint32(try integer())
        case .int64: return .int64(Int64(bitPattern: try integer()))
        case .uint64: return .uint64(try integer())
        case .double: return .double(Double(bitPattern: try integer()))
        case .string: return .string(try string())
        case .objectPath: return .objectPath(try objectPath())
        case .signature: return .signature(try signature())
        case .descriptor: return .descriptor(try integer())
        case .array(.byte): return .bytes(Array(try take(try arrayLength(of: .byte))))
        case .array, .structure, .dictionary, .variant: return try container(type, depth: depth + 1)
        }
    }

    private mutating func container(_ type: DBusType, depth: Int) throws(DBusError) -> DBusValue {
        guard depth <= Self.maximumDepth else { throw .malformed("values are nested more than 64 deep") }
        switch type {
        case .array(let element):
            var elements: [DBusValue] = []
            try array(of: element) { (reader) throws(DBusError) in
                elements.append(try reader.value(element, depth: depth))
            }
            return .array(of: element, elements)
        case .dictionary(let key, let value):
            var entries: [DBusEntry] = []
            try array(of: .structure([key, value])) { (reader) throws(DBusError) in
                try reader.align(8)
                let name = try reader.value(key, depth: depth)
                entries.append(DBusEntry(key: name, value: try reader.value(value, depth: depth)))
            }
            return .dictionary(key: key, value: value, entries)
        case .structure(let members):
            try align(8)
            var values: [DBusValue] = []
            for member in members { values.append(try value(member, depth: depth)) }
            return .structure(values)
        case .variant:
            let types = try signature()
            guard types.count == 1, let type = types.first else { throw .malformed("a variant needs exactly one type") }
            return .variant(try value(type, depth: depth))
        case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath,
            .signature, .descriptor:
            return try value(type, depth: depth)
        }
    }

    private mutating func array(
        of element: DBusType,
        each read: (inout MessageReader) throws(DBusError) -> Void
    ) throws(DBusError) {
        let end = try arrayLength(of: element) + position
        while position < end { try read(&self) }
        guard position == end else { throw .malformed("an array's length does not match its elements") }
    }

    /// The length that an array announces, within the message. Afterward, the first element is next.
    private mutating func arrayLength(of element: DBusType) throws(DBusError) -> Int {
        let length = Int(try integer() as UInt32)
        guard length <= Self.maximumArray else { throw .malformed("an array is longer than 64 MiB") }
        try align(element.alignment)
        guard length <= bytes.count - position else { throw .malformed("an array is longer than its message") }
        return length
    }

    private mutating func boolean() throws(DBusError) -> Bool {
        switch try integer() as UInt32 {
        case 0: return false
        case 1: return true
        default: throw .malformed("a boolean is neither 0 nor 1")
        }
    }

    private mutating func string() throws(DBusError) -> String {
        try text(length: Int(try integer() as UInt32))
    }

    private mutating func objectPath() throws(DBusError) -> String {
        let path = try string()
        guard ObjectPath.isValid(path) else { throw .malformed("an object path is malformed") }
        return path
    }

    private mutating func signature() throws(DBusError) -> [DBusType] {
        let length = Int(try take(1).first ?? 0)
        return try DBusSignature.parse(try text(length: length).utf8)
    }

    private mutating func text(length: Int) throws(DBusError) -> String {
        let content = try take(length)
        guard try take(1).first == 0, !content.contains(0), let text = String(validating: content, as: UTF8.self)
        else { throw .malformed("a string is not UTF-8 or not null-terminated") }
        return text
    }

    private mutating func integer<Number: FixedWidthInteger>() throws(DBusError) -> Number {
        let width = MemoryLayout<Number>.size
        try align(width)
        let content = try take(width)
        switch order {
        case .little: return content.reversed().reduce(0) { $0 << 8 | Number($1) }
        case .big: return content.reduce(0) { $0 << 8 | Number($1) }
        }
    }

    /// Advances to a multiple of `alignment`. The specification requires the skipped bytes to be zero.
    mutating func align(_ alignment: Int) throws(DBusError) {
        let padding = (alignment - position % alignment) % alignment
        guard try take(padding).allSatisfy({ $0 == 0 }) else { throw .malformed("padding is not zero") }
    }

    private mutating func take(_ count: Int) throws(DBusError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw .malformed("a message ends within a value") }
        defer { position += count }
        return bytes[position..<position + count]
    }
}

/// The byte order of the numbers in a message. The first byte of the message determines it.
enum ByteOrder: UInt8, Sendable {
    case little = 0x6C
    case big = 0x42
}

enum ObjectPath {
    /// Whether a text is `/`, or consists of elements of letters, digits, and `_`, each preceded by a slash (D-Bus
    /// specification, "Valid object paths").
    static func isValid(_ path: String) -> Bool {
        if path == "/" { return true }
        guard path.utf8.first == UInt8(ascii: "/") else { return false }
        return path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && $0.allSatisfy(isElementByte)
        }
    }

    private static func isElementByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
