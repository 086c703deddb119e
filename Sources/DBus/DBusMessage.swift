// Licensed under the MIT License. See LICENSE.

/// A message: a call, its reply, or a signal (D-Bus specification, "Message format").
package struct DBusMessage: Sendable {
    /// The maximum length of a message, in bytes.
    static let maximumLength = 1 << 27

    /// The kinds of messages.
    package enum Kind: UInt8, Sendable {
        case call = 1
        case methodReturn = 2
        case error = 3
        case signal = 4
    }

    package var kind: Kind
    package var serial: UInt32
    /// The serial of the call that this message replies to.
    package var replySerial: UInt32?
    package var path: String?
    package var interface: String?
    package var member: String?
    package var errorName: String?
    package var destination: String?
    /// The unique name of the sender. The bus sets it, so a sender cannot forge it.
    package var sender: String?
    /// The number of file descriptors attached to the message. Its values refer to them by index.
    package var descriptorCount: UInt32 = 0
    /// The types of the body's values.
    package var signature: [DBusType] = []
    /// The bytes of the values. `values()` reads them.
    private var body: [UInt8] = []
    private var order = ByteOrder.little

    package init(_ kind: Kind, serial: UInt32) {
        self.kind = kind
        self.serial = serial
    }

    /// The values of the message.
    ///
    /// Throws `.malformed` if the body does not match the signature.
    package func values() throws(DBusError) -> [DBusValue] {
        var reader = MessageReader(body, order: order)
        return try reader.values(signature)
    }

    /// Sets the values of the message.
    ///
    /// Throws `.malformed` for values that cannot be sent.
    package mutating func setValues(_ values: [DBusValue]) throws(DBusError) {
        var writer = MessageWriter()
        try writer.write(values)
        (signature, body, order) = (values.map(\.type), writer.bytes, .little)
    }
}

extension DBusMessage {
    /// The number of bytes at the beginning that determine the length of the message.
    package static let prefixLength = 16

    /// The length in bytes of the message that begins with `prefix`. The prefix must have at least 16 bytes.
    ///
    /// Throws `.malformed` if the prefix is not the beginning of a message, or the message is longer than the
    /// specification allows.
    package static func length(_ prefix: ArraySlice<UInt8>) throws(DBusError) -> Int {
        guard let first = prefix.first, let order = ByteOrder(rawValue: first) else {
            throw .malformed("a message has no byte order")
        }
        var reader = MessageReader(Array(prefix.prefix(prefixLength)), order: order, position: 1)
        guard case .byte = try reader.value(.byte), case .byte = try reader.value(.byte),
            case .byte(1) = try reader.value(.byte)
        else { throw .malformed("a message is of another protocol version") }
        guard case .uint32(let body) = try reader.value(.uint32), case .uint32 = try reader.value(.uint32),
            case .uint32(let fields) = try reader.value(.uint32), fields <= MessageReader.maximumArray
        else { throw .malformed("a message's header is longer than 64 MiB") }
        let header = (prefixLength + Int(fields) + 7) / 8 * 8
        guard header + Int(body) <= maximumLength else { throw .malformed("a message is longer than 128 MiB") }
        return header + Int(body)
    }

    /// Parses a complete message, except its body, which `values()` parses.
    ///
    /// Returns `nil` for a kind of message that this version of the protocol does not know. The caller must ignore such
    /// a message. Throws `.malformed` for bytes that are not a message.
    package init?(parsing frame: [UInt8]) throws(DBusError) {
        guard frame.count >= Self.prefixLength, try Self.length(frame[...]) == frame.count,
            let order = ByteOrder(rawValue: frame[0])
        else { throw .malformed("a message's length differs from the announced one") }
        guard frame[1] != 0 else { throw .malformed("a message has an invalid type") }
        guard let kind = Kind(rawValue: frame[1]) else { return nil }

        var reader = MessageReader(frame, order: order, position: 8)
        guard case .uint32(let serial) = try reader.value(.uint32), serial != 0 else {
            throw .malformed("a message has no serial")
        }
        self.init(kind, serial: serial)
        self.order = order
        guard case .array(_, let fields) = try reader.value(.array(.structure([.byte, .variant]))) else {
            throw .malformed("a message has no header fields")
        }
        for field in fields {
            guard case .structure(let parts) = field, parts.count == 2, case .byte(let code) = parts[0],
                case .variant(let value) = parts[1]
            else { throw .malformed("a header field is not a pair") }
            try read(field: code, value)
        }
        try reader.align(8)
        body = Array(frame[reader.position...])
        guard hasRequiredFields, signature.isEmpty == body.isEmpty else {
            throw .malformed("a message lacks a header field")
        }
    }

    private mutating func read(field code: UInt8, _ value: DBusValue) throws(DBusError) {
        switch (code, value) {
        case (1, .objectPath(let text)): path = text
        case (2, .string(let text)): interface = text
        case (3, .string(let text)): member = text
        case (4, .string(let text)): errorName = text
        case (5, .uint32(let serial)): replySerial = serial
        case (6, .string(let text)): destination = text
        case (7, .string(let text)): sender = text
        case (8, .signature(let types)): signature = types
        case (9, .uint32(let count)): descriptorCount = count
        case (1...9, _), (0, _): throw .malformed("a header field has the wrong type")
        default: break  // Fields of later versions must be ignored.
        }
    }

    private var hasRequiredFields: Bool {
        switch kind {
        case .call: path != nil && member != nil
        case .methodReturn: replySerial != nil
        case .error: replySerial != nil && errorName != nil
        case .signal: path != nil && interface != nil && member != nil
        }
    }

    /// The message as bytes to send.
    ///
    /// Throws `.malformed` if a string in a header field cannot be sent, or the message is too long.
    package func encoded() throws(DBusError) -> [UInt8] {
        // Messages are always written in little-endian order. Only a received message can have the other byte order.
        guard order == .little else {
            var copy = self
            try copy.setValues(try values())
            return try copy.encoded()
        }
        var fields: [DBusValue] = []
        func add(_ code: UInt8, value: DBusValue?) {
            if let value { fields.append(.structure([.byte(code), .variant(value)])) }
        }
        add(1, value: path.map(DBusValue.objectPath))
        add(2, value: interface.map(DBusValue.string))
        add(3, value: member.map(DBusValue.string))
        add(4, value: errorName.map(DBusValue.string))
        add(5, value: replySerial.map(DBusValue.uint32))
        add(6, value: destination.map(DBusValue.string))
        add(7, value: sender.map(DBusValue.string))
        add(8, value: signature.isEmpty ? nil : .signature(signature))
        add(9, value: descriptorCount == 0 ? nil : .uint32(descriptorCount))

        var writer = MessageWriter()
        try writer.write([
            .byte(order.rawValue), .byte(kind.rawValue), .byte(0), .byte(1),
            .uint32(UInt32(clamping: body.count)), .uint32(serial),
            .array(of: .structure([.byte, .variant]), fields),
        ])
        writer.align(8)
        guard writer.bytes.count + body.count <= Self.maximumLength else {
            throw .malformed("a message is longer than 128 MiB")
        }
        return writer.bytes + body
    }
}
