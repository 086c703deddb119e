// Licensed under the MIT License. See LICENSE.

import Glibc
import Testing

@testable import DBus

/// A program with a well-known name: its identity, and that no other program can replace it.
struct TrustedNameTests {
    private let patience = Deadline(after: .seconds(20))
    private static let own = geteuid()

    /// Responds to the calls of `program(named:)`: the owner, its user, and the watch for its departure.
    private static func introduce(_ name: String, user: UInt32 = own, to wire: ScriptedBus.Wire) throws {
        try wire.answer(try wire.next(), with: [.string(name)])
        try wire.answer(try wire.next(), with: [.uint32(user)])
        if user == own { try wire.answer(try wire.next(), with: []) }
    }

    private func call(_ program: TrustedName) -> BusCall {
        BusCall(to: program, at: "/c", interface: "d.e", member: "F")
    }

    @Test func `a call goes to the unique name of the program`() throws {
        let bus = ScriptedBus { wire in
            try wire.welcome()
            try Self.introduce(":1.9", to: wire)
            let call = try wire.next()
            try wire.answer(call, with: [.string(call.destination ?? "")])
        }
        let connection = try bus.connect()

        let program = try #require(try connection.program(named: "a.b", until: patience))
        let values = try connection.call(call(program), until: patience)

        #expect(program.wellKnownName == "a.b" && program.uniqueName == ":1.9")
        #expect(values == [.string(":1.9")])
    }

    @Test func `a program of another user receives no call, and is reported as unreachable`() throws {
        let other = Self.own + 4242
        let bus = ScriptedBus { wire in
            try wire.welcome()
            for _ in 0..<3 { try Self.introduce(":1.9", user: other, to: wire) }
            _ = try wire.next()
        }
        let connection = try bus.connect()

        let running = #expect(throws: DBusError.self) { try connection.program(named: "a.b", until: patience) }
        let started = #expect(throws: DBusError.self) { try connection.startedProgram(named: "a.b", until: patience) }
        let reached = #expect(throws: DBusError.self) { try connection.reach(of: "a.b", until: patience) }

        for error in [running, started, reached] {
            #expect(error?.kind == .untrusted(user: other))
            #expect(error?.message.contains("another user (uid \(other))") == true)
        }
    }

    @Test func `a program is started if the name has no owner, and then checked`() throws {
        let bus = ScriptedBus { wire in
            try wire.welcome()
            try wire.refuse(try wire.next(), with: DBusError.noOwner)
            let start = try wire.next()
            try #require(start.member == "StartServiceByName")
            try wire.answer(start, with: [.uint32(1)])
            try Self.introduce(":1.9", to: wire)
        }

        let program = try bus.connect().startedProgram(named: "a.b", until: patience)

        #expect(program.uniqueName == ":1.9")
    }

    @Test func `a name without an owner is not found, unless the bus can start a program`() throws {
        let bus = ScriptedBus { wire in
            try wire.welcome()
            try wire.refuse(try wire.next(), with: DBusError.noOwner)
            for names in [["a.b"], ["c.d"]] {
                try wire.refuse(try wire.next(), with: DBusError.noOwner)
                try wire.answer(try wire.next(), with: [.array(of: .string, names.map(DBusValue.string))])
            }
        }
        let connection = try bus.connect()

        #expect(try connection.program(named: "a.b", until: patience) == nil)
        #expect(try connection.reach(of: "a.b", until: patience) == .startable)
        #expect(try connection.reach(of: "a.b", until: patience) == .nowhere)
    }

    @Test func `a response from any sender other than the program and the bus is ignored`() throws {
        let bus = ScriptedBus { wire in
            try wire.welcome()
            try Self.introduce(":1.9", to: wire)
            let call = try wire.next()
            for (sender, word) in [(":1.66", "forged"), (":1.9", "own")] {
                var answer = DBusMessage(.methodReturn, serial: 1)
                (answer.replySerial, answer.sender) = (call.serial, sender)
                try answer.setValues([.string(word)])
                try wire.send(try answer.encoded())
            }
        }
        let connection = try bus.connect()
        let program = try #require(try connection.program(named: "a.b", until: patience))

        let values = try connection.call(call(program), until: patience)

        #expect(values == [.string("own")])
    }

    @Test(arguments: [true, false])
    func `a signal is the program's own, and the wait for one ends when it leaves`(_ isSent: Bool) throws {
        let bus = ScriptedBus { wire in
            try wire.welcome()
            try Self.introduce(":1.9", to: wire)
            for sender in [":1.66"] + (isSent ? [":1.9"] : []) {
                var signal = DBusMessage(.signal, serial: 1)
                (signal.path, signal.interface, signal.member, signal.sender) = ("/c", "d.e", "Done", sender)
                try wire.send(try signal.encoded())
            }
            var departure = DBusMessage(.signal, serial: 1)
            (departure.path, departure.interface) = ("/org/freedesktop/DBus", BusConnection.bus)
            (departure.member, departure.sender) = ("NameOwnerChanged", BusConnection.bus)
            try departure.setValues([.string(":1.9"), .string(":1.9"), .string("")])
            try wire.send(try departure.encoded())
            _ = try wire.next()
        }
        let connection = try bus.connect()
        let program = try #require(try connection.program(named: "a.b", until: patience))
        let wait = { () throws(DBusError) -> DBusMessage in
            try connection.signal(of: program, until: patience) { $0.member == "Done" }
        }

        if isSent {
            #expect(try wait().sender == ":1.9")
        } else {
            let error = #expect(throws: DBusError.self) { try wait() }
            #expect(error?.kind == .remote(name: "org.freedesktop.DBus.Error.NoReply"))
        }
    }
}
