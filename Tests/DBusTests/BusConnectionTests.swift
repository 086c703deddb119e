// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import DBus

struct BusConnectionTests {
    private let patience = Deadline(after: .seconds(20))
    private let call = BusCall(to: "a.b", at: "/c", interface: "d.e", member: "F", arguments: [.string("x")])

    @Test func `a call is sent and its reply returned`() throws {
        let bus = ScriptedBus { wire in
            let hello = try wire.read(until: "\r\n")
            let identity = String(geteuid()).utf8.map { String($0, radix: 16) }.joined()
            guard hello == "\0AUTH EXTERNAL \(identity)\r\n" else { return }
            try wire.send("OK 00\r\n")
            try wire.read(until: "BEGIN\r\n")
            try wire.answer(try wire.next(), with: [.string(":1.7")])
            let call = try wire.next()
            guard call.path == "/c", call.interface == "d.e", call.member == "F", call.destination == "a.b" else {
                return
            }
            try wire.answer(call, with: try call.values() + [.byte(1)])
        }

        let connection = try bus.connect()
        let values = try connection.call(call, until: patience)

        #expect(connection.name == ":1.7")
        #expect(values == [.string("x"), .byte(1)])
    }

    @Test func `a message may come in any pieces, after others`() throws {
        let bus = ScriptedBus { wire in
            try wire.welcome()
            let call = try wire.next()
            var unknown = try BusCall(to: "x", at: "/", interface: "y", member: "Z").message(serial: 9).encoded()
            unknown[1] = 77
            var late = DBusMessage(.methodReturn, serial: 1)
            late.replySerial = call.serial &+ 100
            var answer = DBusMessage(.methodReturn, serial: 1)
            answer.replySerial = call.serial
            try answer.setValues([.byte(5)])
            for byte in unknown + (try late.encoded()) + (try answer.encoded()) { try wire.send([byte]) }
        }

        let values = try bus.connect().call(call, until: patience)

        #expect(values == [.byte(5)])
    }

    @Test func `a call says how many descriptors go with it`() throws {
        let bus = ScriptedBus { wire in
            try wire.read(until: "\r\n")
            try wire.send("OK 00\r\n")
            guard try wire.read(until: "\r\n") == "NEGOTIATE_UNIX_FD\r\n" else { return }
            try wire.send("AGREE_UNIX_FD\r\n")
            try wire.read(until: "BEGIN\r\n")
            try wire.answer(try wire.next(), with: [.string(":1.7")])
            let call = try wire.next()
            try wire.answer(call, with: [.uint32(call.descriptorCount)])
        }
        var ends: [CInt] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        var call = call
        call.arguments = [.descriptor(0)]
        call.descriptors = [ends[1]]

        let values = try bus.connect(passesDescriptors: true).call(call, until: patience)

        #expect(values == [.uint32(1)])
    }

    @Test func `a bus that passes no descriptors is reported as unavailable`() {
        let bus = ScriptedBus { wire in
            try wire.read(until: "\r\n")
            try wire.send("OK 00\r\n")
            try wire.read(until: "\r\n")
            try wire.send("ERROR\r\n")
        }

        let error = #expect(throws: DBusError.self) { try bus.connect(passesDescriptors: true) }

        #expect(error?.kind == .noBus)
    }

    @Test func `an error carries its name`() throws {
        let bus = ScriptedBus { wire in
            try wire.welcome()
            try wire.refuse(try wire.next(), with: "org.freedesktop.DBus.Error.ServiceUnknown")
        }
        let connection = try bus.connect()

        let error = #expect(throws: DBusError.self) { try connection.call(call, until: patience) }

        #expect(error?.kind == .remote(name: "org.freedesktop.DBus.Error.ServiceUnknown"))
    }

    @Test func `a bus that rejects the connection is reported as unavailable`() {
        let bus = ScriptedBus { wire in
            try wire.read(until: "\r\n")
            try wire.send("REJECTED EXTERNAL\r\n")
            try wire.read(until: "never")
        }

        let error = #expect(throws: DBusError.self) { try bus.connect() }

        #expect(error?.kind == .noBus)
    }

    @Test func `a deadline ends a call, and the connection can be used again`() throws {
        let bus = ScriptedBus { wire in
            try wire.welcome()
            let first = try wire.next()
            let second = try wire.next()
            try wire.answer(first, with: [.byte(1)])
            try wire.answer(second, with: [.byte(2)])
        }
        let connection = try bus.connect()

        let error = #expect(throws: DBusError.self) {
            try connection.call(call, until: Deadline(after: .milliseconds(1)))
        }
        let values = try connection.call(call, until: patience)

        #expect(error?.kind == .timedOut)
        #expect(values == [.byte(2)])
    }

    @Test func `a caller that gives up gets a cancellation error`() throws {
        let bus = ScriptedBus { wire in
            try wire.welcome()
            try wire.read(until: "never")
        }
        let connection = try bus.connect()

        let error = #expect(throws: DBusError.self) {
            try connection.call(call, until: Deadline(after: .seconds(20), isCanceled: { true }))
        }

        #expect(error?.kind == .canceled)
    }

    @Test func `after half a call there are no others`() throws {
        let hold = DispatchSemaphore(value: 0)
        defer { hold.signal() }
        let bus = ScriptedBus { wire in
            try wire.welcome()
            hold.wait()
        }
        let connection = try bus.connect()
        var long = call
        long.arguments = [.string(String(repeating: "x", count: 8_000_000))]

        let first = #expect(throws: DBusError.self) {
            try connection.call(long, until: Deadline(after: .seconds(20), isCanceled: { true }))
        }
        let second = #expect(throws: DBusError.self) { try connection.call(call, until: patience) }

        #expect(first?.kind == .canceled)
        #expect(second?.kind == .disconnected)
    }

    @Test func `a bus that disconnects or sends invalid bytes ends the call`() throws {
        let silent = ScriptedBus { wire in
            try wire.welcome()
            _ = try wire.next()
        }
        let loud = ScriptedBus { wire in
            try wire.welcome()
            _ = try wire.next()
            try wire.send("HTTP/1.1 400 Bad Request\r\n\r\n")
            try wire.read(until: "never")
        }
        // A byte more than the limit is announced: it is rejected before it arrives, and before memory is allocated for it.
        let huge = ScriptedBus { wire in
            try wire.welcome()
            _ = try wire.next()
            try wire.send([0x6C, 2, 0, 1] + Self.bytes(BusConnection.maximumMessage - 23) + [1, 0, 0, 0, 8, 0, 0, 0])
            try wire.read(until: "never")
        }

        for (bus, kind) in [(silent, DBusError.Kind.disconnected), (loud, .malformed), (huge, .malformed)] {
            let connection = try bus.connect()
            let error = #expect(throws: DBusError.self) { try connection.call(call, until: patience) }
            #expect(error?.kind == kind)
        }
    }

    private static func bytes(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(number).littleEndian, Array.init)
    }

    @Test func `the longest reply that a Secret Service may send is read`() throws {
        // Ten thousand items, with paths like those of GNOME Keyring.
        let paths = (0..<10_000).map { "/org/freedesktop/secrets/collection/Default_20keyring/\($0)" }
        let bus = ScriptedBus { wire in
            try wire.welcome()
            try wire.answer(try wire.next(), with: [.objectPaths(paths), .objectPaths([])])
        }

        let values = try bus.connect().call(call, until: patience)

        #expect(values.first?.objectPaths == paths)
    }

    @Test func `a bus other than that of the address is unavailable, and receives no call`() throws {
        let guid = "00112233445566778899aabbccddeeff"
        let (asked, ended) = (Flag(), DispatchSemaphore(value: 0))
        for answer in ["OK 0123456789abcdef0123456789abcdef\r\n", "OK \r\n", "OK \(guid) more\r\n"] {
            let bus = ScriptedBus { wire in
                defer { ended.signal() }
                try wire.read(until: "\r\n")
                try wire.send(answer)
                _ = try wire.read(until: "BEGIN")
                asked.isSet.withLock { $0 = true }
            }

            let error = #expect(throws: DBusError.self) { try bus.connect(guid: guid) }

            ended.wait()
            #expect(error?.kind == .noBus && error?.message.contains("out of date") == true)
        }
        let wasAsked = asked.isSet.withLock { $0 }
        #expect(!wasAsked)
        let bus = ScriptedBus { try $0.welcome() }
        #expect(try bus.connect(guid: guid).name == ":1.7")
    }

    @Test(
        arguments: [(1000, 1000, true), (0, 1000, true), (0, 0, true), (1000, 0, false), (1001, 1000, false)]
            as [(uid_t, uid_t, Bool)]
    )
    func `a bus, and a program on it, runs as this user or as root`(peer: uid_t, own: uid_t, isTrusted: Bool) {
        #expect(TrustedName.isTrusted(peer, by: own) == isTrusted)
    }

    @Test(.enabled(if: geteuid() == 0)) func `nothing is sent to another user's socket`() throws {
        // Listens as the user nobody, and reports how many bytes arrived.
        let script = """
            import os, socket, sys
            listener = socket.socket(socket.AF_UNIX)
            os.setuid(65534)
            listener.bind("\\0" + sys.argv[1])
            listener.listen()
            os.write(1, b"ready\\n")
            client, _ = listener.accept()
            os.write(1, b"%d bytes" % len(client.recv(100)))
            """
        let name = "msal-test-\(getpid())-\(UInt64.random(in: .min ... .max))"
        let program = try StartedProgram("/usr/bin/python3", ["-c", script, name])
        defer { program.stop() }
        try #require(program.nextText() == "ready\n")

        let error = #expect(throws: DBusError.self) {
            try BusConnection.session(["DBUS_SESSION_BUS_ADDRESS": "unix:abstract=\(name)"], until: patience)
        }

        #expect(error?.kind == .noBus && error?.message.contains("another user") == true)
        #expect(program.nextText() == "0 bytes")
    }

    private final class Flag: Sendable {
        let isSet = Mutex(false)
    }

    @Test func `a signal that came before it was waited for is not lost`() throws {
        let bus = ScriptedBus { wire in
            try wire.welcome()
            let call = try wire.next()
            for (serial, path) in [(UInt32(1), "/other"), (2, "/wanted")] {
                var signal = DBusMessage(.signal, serial: serial)
                (signal.path, signal.interface, signal.member) = (path, "d.e", "Done")
                try signal.setValues([.string(path)])
                try wire.send(try signal.encoded())
            }
            try wire.answer(call, with: [])
            try wire.read(until: "never")
        }
        let connection = try bus.connect()
        _ = try connection.call(call, until: patience)

        let signal = try connection.signal(until: patience) { $0.path == "/wanted" && $0.member == "Done" }
        let values = try signal.values()

        #expect(values == [.string("/wanted")])
    }

    @Test func `a match rule contains the given fields`() {
        let rule = SignalRule(sender: "a.b", interface: "c.d", member: "E", path: "/f", firstArgument: ":1.2")

        #expect(rule.text == "type='signal',sender='a.b',interface='c.d',member='E',path='/f',arg0=':1.2'")
    }

    @Test func `a bus that keeps sending does not delay a cancellation`() throws {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &pair) == 0)
        defer { close(pair[1]) }
        let socket = BusSocket(descriptor: pair[0])
        try #require(send(pair[1], "xx", 2, 0) == 2)

        let error = #expect(throws: DBusError.self) {
            try socket.read(until: Deadline(after: .seconds(20), isCanceled: { true }))
        }

        #expect(error?.kind == .canceled)
        #expect(try socket.read(until: patience).count == 2)
    }

    // MARK: - Owners

    private static func ownerChange(of name: String, from old: String, to new: String) throws -> DBusMessage {
        var signal = DBusMessage(.signal, serial: 1)
        (signal.path, signal.interface, signal.member) = (
            "/org/freedesktop/DBus", BusConnection.bus, "NameOwnerChanged"
        )
        signal.sender = BusConnection.bus
        try signal.setValues([.string(name), .string(old), .string(new)])
        return signal
    }

    @Test func `the owner of a name is found, with its user, and started if the name has no owner`() throws {
        let bus = ScriptedBus { wire in
            try wire.welcome()
            try wire.answer(try wire.next(), with: [.uint32(1)])
            try wire.answer(try wire.next(), with: [.string(":1.9")])
            try wire.answer(try wire.next(), with: [.uint32(1000)])
            try wire.answer(try wire.next(), with: [.string("1000")])
        }
        let connection = try bus.connect()

        try connection.start("a.b", until: patience)
        let owner = try connection.owner(of: "a.b", until: patience)
        let user = try connection.user(of: owner, until: patience)

        #expect(owner == ":1.9")
        #expect(user == 1000)
        // A user is a number.
        let error = #expect(throws: DBusError.self) { try connection.user(of: owner, until: patience) }
        #expect(error?.kind == .malformed)
    }

    @Test func `a call to a unique name ends when that program leaves, but not when another one does`() throws {
        let call = BusCall(to: ":1.9", at: "/c", interface: "d.e", member: "F")
        let bus = ScriptedBus { wire in
            try wire.welcome()
            try wire.answer(try wire.next(), with: [])
            _ = try wire.next()
            var forged = try Self.ownerChange(of: ":1.9", from: ":1.9", to: "")
            forged.sender = ":1.66"
            for signal in [forged, try Self.ownerChange(of: ":1.8", from: ":1.8", to: "")] {
                try wire.send(try signal.encoded())
            }
            try wire.send(try Self.ownerChange(of: ":1.9", from: ":1.9", to: "").encoded())
            _ = try wire.next()
        }
        let connection = try bus.connect()
        try connection.watchOwner(of: ":1.9", until: patience)

        let error = #expect(throws: DBusError.self) { try connection.call(call, until: patience) }

        #expect(error?.kind == .remote(name: "org.freedesktop.DBus.Error.NoReply"))
        // The others were kept, and nothing is waited for.
        #expect(try connection.takeSignals().map(\.sender) == [":1.66", BusConnection.bus])
        #expect(try connection.takeSignals().isEmpty)
    }

    @Test func `signals are taken without waiting, whole ones only, and a bus that went is reported`() throws {
        let signal = try Self.ownerChange(of: "a.b", from: "", to: ":1.9")
        let bytes = try signal.encoded()
        let bus = ScriptedBus { wire in
            try wire.welcome()
            // The call follows the bytes, so they have arrived when its response has.
            let first = try wire.next()
            try wire.send(bytes)
            try wire.answer(first, with: [])
            let second = try wire.next()
            try wire.answer(second, with: [])
            try wire.send(Array(bytes.prefix(20)))
            _ = try wire.next()
        }
        let connection = try bus.connect()

        _ = try connection.call(call, until: patience)
        let signals = try connection.takeSignals()
        _ = try connection.call(call, until: patience)

        #expect(signals.count == 1)
        #expect(signals.allSatisfy { BusConnection.isChange($0, of: "a.b") })
        #expect(!signals.contains { BusConnection.isChange($0, of: "a.c") })
        #expect(try connection.takeSignals().isEmpty)
        // The script ends with the next call.
        let error = #expect(throws: DBusError.self) { try connection.call(call, until: patience) }
        #expect(error?.kind == .disconnected)
        #expect(throws: DBusError.self) { try connection.takeSignals() }
    }

    @Test func `the text of an error is kept apart from the message, and short`() throws {
        let long = String(repeating: "x", count: 100_000)
        let bus = ScriptedBus { wire in
            try wire.welcome()
            for values in [[DBusValue.string("Words.")], [.string(long)], [], [.uint32(1)]] {
                let call = try wire.next()
                var error = DBusMessage(.error, serial: 1)
                error.replySerial = call.serial
                error.errorName = "a.b.Failed"
                try error.setValues(values)
                try wire.send(try error.encoded())
            }
        }
        let connection = try bus.connect()

        let errors = (0..<4).compactMap { _ in
            #expect(throws: DBusError.self) { try connection.call(call, until: patience) }
        }

        #expect(errors.map(\.foreignText) == ["Words.", String(long.prefix(2048)), nil, nil])
        #expect(errors.allSatisfy { $0.kind == .remote(name: "a.b.Failed") && !$0.message.contains("Words") })
    }
}
