// Licensed under the MIT License. See LICENSE.

import Testing

@testable import DBus

struct DBusMessageTests {
    @Test func `a message comes back as it was sent`() throws {
        var message = DBusMessage(.error, serial: 0x0102_0304)
        message.replySerial = 7
        message.errorName = "a.b.Error"
        message.destination = ":1.2"
        message.sender = ":1.1"
        try message.setValues([.string("why"), .variant(.boolean(true))])

        let back = try #require(try DBusMessage(parsing: message.encoded()))
        let values = try back.values()

        #expect(back.kind == .error && back.serial == 0x0102_0304 && back.replySerial == 7)
        #expect(back.errorName == "a.b.Error" && back.destination == ":1.2" && back.sender == ":1.1")
        #expect(back.path == nil && back.interface == nil && back.member == nil)
        #expect(values == [.string("why"), .variant(.boolean(true))])
    }

    @Test func `the length is known from the first 16 bytes`() throws {
        let bytes = try Self.call.encoded()

        let length = try DBusMessage.length(bytes.prefix(16))

        #expect(length == bytes.count)
    }

    @Test(
        arguments: [
            (0, 0x6D),  // no byte order
            (1, 0),  // invalid kind
            (3, 2),  // protocol version
            (4, 1),  // body length
            (7, 0xFF),  // body of 4 GiB
            (8, 0),  // serial 0
            (12, 1),  // header length
            (15, 0x04),  // header of 64 MiB
        ]
    )
    func `a broken fixed header is refused`(_ index: Int, _ byte: UInt8) throws {
        var bytes = try Self.call.encoded()
        bytes[index] = byte

        #expect(throws: DBusError.self) { try DBusMessage(parsing: bytes) }
    }

    @Test func `a message longer than 128 MiB is refused before it is read`() {
        let prefix: [UInt8] = [0x6C, 1, 0, 1, 0xF1, 0xFF, 0xFF, 7, 1, 0, 0, 0, 0, 0, 0, 0]

        #expect(throws: DBusError.self) { try DBusMessage.length(prefix[...]) }
    }

    @Test func `a kind of message that is not known yet is ignored`() throws {
        var bytes = try Self.call.encoded()
        bytes[1] = 5

        let message = try DBusMessage(parsing: bytes)

        #expect(message == nil)
    }

    @Test func `a message without a field that its kind needs is refused`() throws {
        for strip in [\DBusMessage.path, \.member] {
            var message = Self.call
            message[keyPath: strip] = nil
            let bytes = try message.encoded()

            #expect(throws: DBusError.self) { try DBusMessage(parsing: bytes) }
        }
    }

    @Test func `a reply read in the other byte order can be written`() throws {
        // Kind 2, no flags, version 1, body "x"; fields REPLY_SERIAL 3 and SIGNATURE "s".
        let big: [UInt8] = [
            0x42, 2, 0, 1, 0, 0, 0, 6, 0, 0, 0, 9, 0, 0, 0, 15, 5, 1, 0x75, 0, 0, 0, 0, 3, 8, 1, 0x67, 0, 1, 0x73, 0, 0,
            0, 0, 0, 1, 0x78, 0,
        ]

        let message = try #require(try DBusMessage(parsing: big))
        let again = try #require(try DBusMessage(parsing: message.encoded()))
        let values = try again.values()

        #expect(values == [.string("x")])
        #expect(again.serial == 9 && again.replySerial == 3)
    }

    private static var call: DBusMessage {
        var message = DBusMessage(.call, serial: 1)
        message.path = "/a"
        message.member = "B"
        return message
    }
}
