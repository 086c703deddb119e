// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc

@testable import DBus

/// The other end of a connection: a thread that follows a script, and then closes the connection.
struct ScriptedBus {
    /// The client's end.
    private let descriptor: Int32

    init(_ script: @escaping @Sendable (Wire) throws -> Void) {
        var pair: [Int32] = [-1, -1]
        let status = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair)
        precondition(status == 0, "No socket pair: errno \(errno)")
        _ = fcntl(pair[0], F_SETFL, O_NONBLOCK)
        descriptor = pair[0]
        let wire = Wire(descriptor: pair[1])
        Thread.detachNewThread {
            // The client sees a failed script as a closed connection, and vice versa.
            try? script(wire)
            close(wire.descriptor)
        }
    }

    /// Connects to it.
    func connect(
        _ deadline: Deadline = Deadline(after: .seconds(20)),
        guid: String? = nil,
        passesDescriptors: Bool = false
    ) throws -> BusConnection {
        try BusConnection(
            BusSocket(descriptor: descriptor),
            guid: guid,
            passesDescriptors: passesDescriptors,
            until: deadline
        )
    }

    struct Wire: Sendable {
        struct Ended: Error {}

        let descriptor: Int32

        /// Waits for the client's bytes, up to and with `end`.
        @discardableResult
        func read(until end: String) throws -> String {
            var text: [UInt8] = []
            while !text.suffix(end.utf8.count).elementsEqual(end.utf8) { text += try take(1) }
            return String(decoding: text, as: UTF8.self)
        }

        func send(_ bytes: [UInt8]) throws {
            guard Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { throw Ended() }
        }

        func send(_ text: String) throws { try send(Array(text.utf8)) }

        /// Accepts the client and tells it its name.
        func welcome() throws {
            try read(until: "\r\n")
            try send("OK 00112233445566778899aabbccddeeff\r\n")
            try read(until: "BEGIN\r\n")
            try answer(try next(), with: [.string(":1.7")])
        }

        /// The client's next message.
        func next() throws -> DBusMessage {
            let prefix = try take(DBusMessage.prefixLength)
            let rest = try take(try DBusMessage.length(prefix[...]) - prefix.count)
            guard let message = try DBusMessage(parsing: prefix + rest) else { throw Ended() }
            return message
        }

        func answer(_ call: DBusMessage, with values: [DBusValue]) throws {
            var answer = DBusMessage(.methodReturn, serial: 1)
            answer.replySerial = call.serial
            answer.sender = call.destination
            try answer.setValues(values)
            try send(try answer.encoded())
        }

        func refuse(_ call: DBusMessage, with name: String) throws {
            var answer = DBusMessage(.error, serial: 1)
            answer.replySerial = call.serial
            answer.errorName = name
            try send(try answer.encoded())
        }

        private func take(_ count: Int) throws -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < count {
                var buffer = [UInt8](repeating: 0, count: count - bytes.count)
                let step = recv(descriptor, &buffer, buffer.count, 0)
                guard step > 0 else { throw Ended() }
                bytes += buffer.prefix(step)
            }
            return bytes
        }
    }
}
