// Licensed under the MIT License. See LICENSE.

import Testing

@testable import DBus

/// Values as bytes. The expected bytes are derived manually from the specification's section "Marshaling".
struct MarshallingTests {
    @Test(
        arguments: [
            ([.byte(1), .uint32(2)], [1, 0, 0, 0, 2, 0, 0, 0]),
            ([.byte(1), .int16(-2)], [1, 0, 0xFE, 0xFF]),
            ([.boolean(true)], [1, 0, 0, 0]),
            ([.uint64(0x0102_0304_0506_0708)], [8, 7, 6, 5, 4, 3, 2, 1]),
            ([.double(1)], [0, 0, 0, 0, 0, 0, 0xF0, 0x3F]),
            ([.string("foo")], [3, 0, 0, 0, 0x66, 0x6F, 0x6F, 0]),
            ([.signature([.string])], [1, 0x73, 0]),
            ([.bytes([7, 8])], [2, 0, 0, 0, 7, 8]),
            // The specification's own example: an array of one 64-bit number; the padding does not count.
            ([.array(of: .int64, [.int64(5)])], [8, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]),
            ([.array(of: .int64, [])], [0, 0, 0, 0, 0, 0, 0, 0]),
            ([.byte(1), .structure([.byte(2)])], [1, 0, 0, 0, 0, 0, 0, 0, 2]),
            ([.variant(.uint32(9))], [1, 0x75, 0, 0, 9, 0, 0, 0]),
            (
                [
                    .dictionary(
                        key: .byte,
                        value: .byte,
                        [DBusEntry(key: .byte(1), value: .byte(2)), DBusEntry(key: .byte(3), value: .byte(4))]
                    )
                ],
                [10, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 3, 4]
            ),
        ] as [([DBusValue], [UInt8])]
    )
    func `values are written and read`(_ values: [DBusValue], _ bytes: [UInt8]) throws {
        var writer = MessageWriter()
        try writer.write(values)
        var reader = MessageReader(bytes, order: .little)
        let read = try reader.values(values.map(\.type))

        #expect(writer.bytes == bytes)
        #expect(read == values)
    }

    @Test func `the other byte order is read`() throws {
        var reader = MessageReader([0, 0, 0, 2, 0xFF, 0xFE, 0, 0, 0, 0, 0, 1, 0x61, 0], order: .big)

        let values = try reader.values([.uint32, .int16, .string])

        #expect(values == [.uint32(2), .int16(-2), .string("a")])
    }

    @Test(
        arguments: [
            ("b", [2, 0, 0, 0]),
            ("yu", [1, 0, 1, 0, 2, 0, 0, 0]),
            ("u", [1, 0, 0]),
            ("u", [1, 0, 0, 0, 0]),
            ("s", [1, 0, 0, 0, 0x61, 0x61]),
            ("s", [1, 0, 0, 0, 0xFF, 0]),
            ("s", [1, 0, 0, 0, 0, 0]),
            ("s", [0xFF, 0xFF, 0xFF, 0xFF, 0x61, 0]),
            ("o", [1, 0, 0, 0, 0x61, 0]),
            ("g", [1, 0x7A, 0]),
            ("ay", [4, 0, 0, 0, 1]),
            ("ay", [0xFF, 0xFF, 0xFF, 0xFF]),
            ("au", [6, 0, 0, 0, 1, 0, 0, 0, 2, 0]),
            ("v", [2, 0x79, 0x79, 0, 1, 1]),
            ("v", [0, 0]),
        ] as [(String, [UInt8])]
    )
    func `bytes that encode no value are rejected`(_ signature: String, _ bytes: [UInt8]) throws {
        let types = try DBusSignature.parse(signature.utf8)
        var reader = MessageReader(bytes, order: .little)

        #expect(throws: DBusError.self) { try reader.values(types) }
    }

    @Test(arguments: ["/", "/a", "/a_1/B"])
    func `an object path is written and read`(_ path: String) throws {
        var writer = MessageWriter()
        try writer.write(.objectPath(path))
        var reader = MessageReader(writer.bytes, order: .little)
        let value = try reader.value(.objectPath)

        #expect(value == .objectPath(path))
    }

    @Test(
        arguments: [
            .objectPath(""), .objectPath("a"), .objectPath("//"), .objectPath("/a/"), .objectPath("/ä"),
            .string("a\0b"),
            .array(of: .string, [.byte(1)]),
            .dictionary(key: .string, value: .byte, [DBusEntry(key: .byte(1), value: .byte(1))]),
            .structure([]), .array(of: .structure([]), []),
            .signature([.dictionary(key: .variant, value: .byte)]), .variant(.structure([])),
        ] as [DBusValue]
    )
    func `a value that no message can hold is not written`(_ value: DBusValue) {
        var message = DBusMessage(.signal, serial: 1)

        #expect(throws: DBusError.self) {
            try message.setValues([value])
            message.path = "/"
            _ = try message.encoded()
        }
    }

    @Test func `an array has 64 MiB at most`() throws {
        var writer = MessageWriter()
        let tooLong = DBusValue.bytes([UInt8](repeating: 0, count: 1 << 26 + 1))
        // 64 MiB and one byte announced, in a message that is shorter: rejected for either reason.
        var reader = MessageReader([1, 0, 0, 4], order: .little)

        #expect(throws: DBusError.self) { try writer.write(tooLong) }
        #expect(throws: DBusError.self) { try reader.value(.array(.byte)) }
    }

    @Test func `variants within variants end at 64`() throws {
        func nested(_ depth: Int) throws -> DBusValue {
            let bytes: [UInt8] = Array([[UInt8]](repeating: [1, 0x76, 0], count: depth).joined()) + [1, 0x79, 0, 7]
            var reader = MessageReader(bytes, order: .little)
            return try reader.value(.variant)
        }

        _ = try nested(63)
        #expect(throws: DBusError.self) { try nested(64) }
    }
}
