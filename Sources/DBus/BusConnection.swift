// Licensed under the MIT License. See LICENSE.

import Glibc

/// A connection to the session bus, for one task: not shared between threads, closed with the object.
///
/// Calls block until the answer, the deadline or the caller's cancellation.
package final class BusConnection {
    /// The name of the bus itself.
    static let bus = "org.freedesktop.DBus"
    /// Longest message that is taken. The protocol allows 128 MiB; the longest legal answer to what this client asks, a
    /// token of a broker or the names of a crowded bus, has some hundred kilobytes. Reading one takes 25 times its
    /// length in memory.
    static let maximumMessage = 1 << 20
    /// Signals kept for whoever waits for them; the oldest go first.
    private static let maximumSignals = 64

    private let socket: BusSocket
    private var received: [UInt8] = []
    private var lastSerial: UInt32 = 0
    /// Whether a message was sent in part: whatever follows it would be read as its rest.
    private var isBroken = false
    private var signals: [DBusMessage] = []
    /// This connection's name on the bus, such as `:1.42`.
    package private(set) var name = ""

    /// Connects to the user's session bus.
    ///
    /// Throws `.noBus` if there is none that admits this user and is the one that was meant; `.timedOut`, `.canceled`, `.disconnected` or
    /// `.malformed` if it behaves like none.
    package static func session(
        _ environment: [String: String],
        _ deadline: Deadline
    ) throws(DBusError) -> BusConnection {
        var failure = DBusError(
            .noBus,
            "There is no session bus: DBUS_SESSION_BUS_ADDRESS names none, and XDG_RUNTIME_DIR holds none."
        )
        for address in BusAddress.session(environment) {
            do throws(DBusError) {
                return try BusConnection(BusSocket(address, deadline), guid: address.guid, deadline)
            } catch {
                guard error.kind == .noBus else { throw error }
                failure = error
            }
        }
        throw failure
    }

    /// Makes the acquaintance of the bus at the other end of a socket.
    ///
    /// `guid`: The identifier that it must have.
    init(_ socket: BusSocket, guid: String? = nil, _ deadline: Deadline) throws(DBusError) {
        self.socket = socket
        try authenticate(guid, deadline)
        let reply = try call(
            BusCall(to: Self.bus, at: "/org/freedesktop/DBus", interface: Self.bus, "Hello"),
            deadline
        )
        guard let name = reply.values.first?.string else { throw .malformed("the bus gave no name") }
        self.name = name
    }

    /// Tells the bus who we are. The kernel vouches for the user id: EXTERNAL (D-Bus specification, "Authentication
    /// protocol"). The bus tells its identifier in the answer, before any message is sent.
    private func authenticate(_ guid: String?, _ deadline: Deadline) throws(DBusError) {
        let identity = String(geteuid()).utf8.map { String($0, radix: 16) }.joined()
        try socket.write(Array("\0AUTH EXTERNAL \(identity)\r\n".utf8), deadline)
        while received.last != UInt8(ascii: "\n") {
            guard received.count < 1024 else { throw .malformed("the answer to the authentication has no end") }
            received += try socket.read(deadline)
        }
        guard received.starts(with: "OK ".utf8) else {
            throw DBusError(.noBus, "The session bus does not admit this user (uid \(geteuid())).")
        }
        let answer = String(decoding: received, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        if let guid, answer.count != 2 || answer[1].lowercased() != guid {
            throw DBusError(
                .noBus,
                "The bus at the address of the session bus is another one than the address names: it is out of date."
            )
        }
        received = []
        try socket.write(Array("BEGIN\r\n".utf8), deadline)
    }

    /// Calls a method and waits for the answer.
    ///
    /// Throws `.remote` with the error's name if the other side answered with one; the bus itself does so for names
    /// that nobody owns. Throws `.timedOut`, `.canceled`, `.disconnected`, or `.malformed` for an answer that cannot
    /// be read. After `.remote`, `.timedOut` and `.canceled` the connection can still be used; if the call itself could
    /// not be sent whole, later ones throw `.disconnected`.
    package func call(_ call: BusCall, _ deadline: Deadline) throws(DBusError) -> BusReply {
        lastSerial &+= 1
        let serial = lastSerial
        let bytes = try call.message(serial: serial).encoded()
        guard !isBroken else {
            throw DBusError(.disconnected, "An earlier call could not be sent whole; the bus would misread another.")
        }
        isBroken = true
        try socket.write(bytes, deadline)
        isBroken = false
        while true {
            let message = try nextMessage(deadline)
            guard message.answeredSerial == serial else {
                keep(message)
                continue
            }
            switch message.kind {
            case .answer: return BusReply(sender: message.sender ?? "", values: try message.values())
            case .error:
                let name = message.errorName ?? ""
                throw DBusError(.remote(name: name), "\(call.destination) answered \(call.member) with \(name).")
            case .call, .signal: continue
            }
        }
    }

    /// Asks the bus for the signals that fit `rule`; they are kept until `signal(_:where:)` takes them.
    package func watch(_ rule: SignalRule, _ deadline: Deadline) throws(DBusError) {
        let call = BusCall(
            to: Self.bus,
            at: "/org/freedesktop/DBus",
            interface: Self.bus,
            "AddMatch",
            [.string(rule.text)]
        )
        _ = try self.call(call, deadline)
    }

    /// Waits for a signal. Whoever is on the bus can send one to anybody: `isWanted` has to look at the sender.
    package func signal(
        _ deadline: Deadline,
        where isWanted: (DBusMessage) -> Bool
    ) throws(DBusError) -> DBusMessage {
        while true {
            if let index = signals.firstIndex(where: isWanted) { return signals.remove(at: index) }
            keep(try nextMessage(deadline))
        }
    }

    private func keep(_ message: DBusMessage) {
        // Nobody calls us, and late answers to calls that were given up have no reader.
        guard message.kind == .signal else { return }
        if signals.count == Self.maximumSignals { signals.removeFirst() }
        signals.append(message)
    }

    private func nextMessage(_ deadline: Deadline) throws(DBusError) -> DBusMessage {
        while true {
            let frame = try nextFrame(deadline)
            if let message = try DBusMessage(parsing: frame) { return message }
        }
    }

    private func nextFrame(_ deadline: Deadline) throws(DBusError) -> [UInt8] {
        while received.count < DBusMessage.prefixLength { received += try socket.read(deadline) }
        let length = try DBusMessage.length(received[...])
        guard length <= Self.maximumMessage else { throw .malformed("a message is longer than 1 MiB") }
        while received.count < length { received += try socket.read(deadline) }
        defer { received.removeFirst(length) }
        return Array(received.prefix(length))
    }
}
