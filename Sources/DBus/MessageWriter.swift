// Licensed under the MIT License. See LICENSE.

/// Writes values as the bytes of a message, in little-endian order.
struct MessageWriter {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ values: [DBusValue]) throws(DBusError) {
        for value in values { try write(value) }
    }

    /// Throws `.malformed` for a value that a message cannot contain, such as a string with a null byte, a malformed
    /// object path, elements of different types, or an array of more than 64 MiB.
    mutating func write(_ value: DBusValue) throws(DBusError) {
        switch value {
        case .byte(let byte): bytes.append(byte)
        case .boolean(let flag): integer(UInt32(flag ? 1 : 0))
        case .int16(let number): integer(number)
        case .uint16(let number): integer(number)
        case .int32(let number): integer(number)
        case .uint32(let number), .descriptor(let number): integer(number)
        case .int64(let number): integer(number)
        case .uint64(let number): integer(number)
        case .double(let number): integer(number.bitPattern)
        case .string(let text): try string(text)
        case .objectPath(let path):
            guard ObjectPath.isValid(path) else { throw .malformed("an object path is malformed") }
            try string(path)
        case .signature(let types): try signature(types)
        case .bytes(let content):
            try array(of: .byte) { (writer) throws(DBusError) in writer.bytes += content }
        case .array(let type, let elements):
            try array(of: type) { (writer) throws(DBusError) in
                for element in elements { try writer.write(element, as: type) }
            }
        case .structure(let members):
            align(8)
            try write(members)
        case .dictionary(let key, let value, let entries):
            try array(of: .structure([key, value])) { (writer) throws(DBusError) in
                for entry in entries {
                    writer.align(8)
                    try writer.write(entry.key, as: key)
                    try writer.write(entry.value, as: value)
                }
            }
        case .variant(let value):
            try signature([value.type])
            try write(value)
        }
    }

    private mutating func write(_ value: DBusValue, as type: DBusType) throws(DBusError) {
        guard value.type == type else { throw .malformed("a container's values do not have its element type") }
        try write(value)
    }

    private mutating func array(
        of element: DBusType,
        _ content: (inout MessageWriter) throws(DBusError) -> Void
    ) throws(DBusError) {
        integer(UInt32(0))
        let lengthAt = bytes.count - 4
        // The padding before the first element is not part of the length.
        align(element.alignment)
        let start = bytes.count
        try content(&self)
        let length = bytes.count - start
        guard length <= MessageReader.maximumArray else { throw .malformed("an array is longer than 64 MiB") }
        for index in 0..<4 { bytes[lengthAt + index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
    }

    private mutating func string(_ text: String) throws(DBusError) {
        guard !text.utf8.contains(0), let length = UInt32(exactly: text.utf8.count) else {
            throw .malformed("a string contains a null byte")
        }
        integer(length)
        bytes += text.utf8
        bytes.append(0)
    }

    private mutating func signature(_ types: [DBusType]) throws(DBusError) {
        let text = DBusSignature.text(types)
        // A signature that could not be parsed must not be written either.
        _ = try DBusSignature.parse(text.utf8)
        bytes.append(UInt8(text.utf8.count))
        bytes += text.utf8
        bytes.append(0)
    }

    private mutating func integer(_ number: some FixedWidthInteger) {
        align(number.bitWidth / 8)
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    mutating func align(_ alignment: Int) { while bytes.count % alignment != 0 { bytes.append(0) } }
}
