// Licensed under the MIT License. See LICENSE.

import Glibc

/// A connection to the session bus for one task. It is not shared between threads, and it closes with the object.
///
/// A call blocks until the response arrives, the deadline passes, or the caller cancels.
package final class BusConnection {
    /// The name of the bus itself.
    static let bus = "org.freedesktop.DBus"
    /// The maximum length of a message. The protocol allows 128 MiB. The longest valid response to a call of this
    /// client is the list of names on a crowded bus: a few hundred kilobytes. Reading a message takes 25 times its
    /// length in memory.
    static let maximumMessage = 1 << 20
    /// The maximum number of signals to keep until they are read. The oldest are dropped first.
    private static let maximumSignals = 64

    let socket: BusSocket
    private var received: [UInt8] = []
    private var lastSerial: UInt32 = 0
    /// Whether a message was sent only partially. The bus would read the next message as the rest of it.
    private var isBroken = false
    private var signals: [DBusMessage] = []
    /// This connection's name on the bus, such as `:1.42`.
    package private(set) var name = ""
    /// The identifier of the bus, as it reports it: a different bus has a different one. May be empty.
    package private(set) var busID = ""

    /// Connects to the user's session bus.
    ///
    /// Throws `.noBus` if no address leads to the bus that it names, or if the bus does not accept this user. Throws
    /// `.timedOut`, `.canceled`, `.disconnected`, or `.malformed` if the other end does not behave like a bus.
    ///
    /// `passesDescriptors`: Whether calls may include file descriptors. A bus that does not forward them is treated as
    /// missing.
    package static func session(
        _ environment: [String: String],
        passesDescriptors: Bool = false,
        until deadline: Deadline
    ) throws(DBusError) -> BusConnection {
        var failure = DBusError(
            .noBus,
            message: "No session bus is running: DBUS_SESSION_BUS_ADDRESS names none, and XDG_RUNTIME_DIR has none."
        )
        for address in BusAddress.session(environment) {
            do throws(DBusError) {
                return try BusConnection(
                    BusSocket(address, until: deadline),
                    guid: address.guid,
                    passesDescriptors: passesDescriptors,
                    until: deadline
                )
            } catch {
                guard error.kind == .noBus else { throw error }
                failure = error
            }
        }
        throw failure
    }

    /// Registers this program with the bus at the other end of a socket.
    ///
    /// `guid` is the expected identifier of the bus.
    init(
        _ socket: BusSocket,
        guid: String? = nil,
        passesDescriptors: Bool = false,
        until deadline: Deadline
    ) throws(DBusError) {
        self.socket = socket
        try authenticate(guid: guid, until: deadline)
        if passesDescriptors { try negotiateDescriptors(until: deadline) }
        try socket.write(Array("BEGIN\r\n".utf8), until: deadline)
        let values = try call(.bus("Hello"), until: deadline)
        guard let name = values.first?.string else { throw .malformed("the bus returned no name") }
        self.name = name
    }

    /// Authenticates as this user with EXTERNAL: the bus gets the user ID from the kernel (D-Bus specification,
    /// "Authentication protocol"). The response contains the identifier of the bus, before any message is sent.
    private func authenticate(guid: String?, until deadline: Deadline) throws(DBusError) {
        let identity = String(geteuid()).utf8.map { String($0, radix: 16) }.joined()
        let response = try command("\0AUTH EXTERNAL \(identity)", until: deadline)
        guard response.hasPrefix("OK ") else {
            throw DBusError(.noBus, message: "The session bus does not accept this user (uid \(geteuid())).")
        }
        let words = response.split(whereSeparator: \.isWhitespace)
        if let guid, words.count != 2 || words[1].lowercased() != guid {
            throw DBusError(
                .noBus,
                message: "The address of the session bus is out of date: it names a bus other than the running one."
            )
        }
        busID = words.count > 1 ? words[1].lowercased() : ""
    }

    private func negotiateDescriptors(until deadline: Deadline) throws(DBusError) {
        guard try command("NEGOTIATE_UNIX_FD", until: deadline).hasPrefix("AGREE_UNIX_FD") else {
            throw DBusError(.noBus, message: "The session bus does not forward file descriptors.")
        }
    }

    /// Sends a line of the authentication, and returns the response line.
    private func command(_ line: String, until deadline: Deadline) throws(DBusError) -> String {
        try socket.write(Array("\(line)\r\n".utf8), until: deadline)
        defer { received = [] }
        while received.last != UInt8(ascii: "\n") {
            guard received.count < 1024 else { throw .malformed("the response to the authentication has no end") }
            received += try socket.read(until: deadline)
        }
        return String(decoding: received, as: UTF8.self)
    }

    /// Calls a method, waits for the response and returns its values.
    ///
    /// Throws `.remote` with the error's name if the other side returns an error; the bus itself does so for a name
    /// without an owner. Throws `.timedOut`, `.canceled`, `.disconnected`, or `.malformed` for an unreadable response.
    /// After `.remote`, `.timedOut`, and `.canceled`, the connection can still be used. If the call itself was sent
    /// only partially, later calls throw `.disconnected`.
    ///
    /// If the called program leaves the bus, the call ends with the error `NoReply`.
    package func call(_ call: BusCall, until deadline: Deadline) throws(DBusError) -> [DBusValue] {
        lastSerial &+= 1
        let serial = lastSerial
        let bytes = try call.message(serial: serial).encoded()
        guard !isBroken else {
            throw DBusError(
                .disconnected,
                message: "An earlier call was sent only partially; the bus would misread another one."
            )
        }
        isBroken = true
        try socket.write(bytes, descriptors: call.descriptors, until: deadline)
        isBroken = false
        while true {
            let message = try nextMessage(until: deadline)
            guard message.replySerial == serial, Self.isFromCallee(message, of: call) else {
                // The bus itself also sends this error to a caller whose callee leaves.
                if Self.isDisconnection(message, of: call.destination) {
                    throw .calleeDisconnected(call.callee, before: "its response to \(call.member)")
                }
                keep(message)
                continue
            }
            switch message.kind {
            case .methodReturn: return try message.values()
            case .error: throw call.error(in: message)
            case .call, .signal: continue
            }
        }
    }

    /// Whether a response comes from the called program, or from the bus on its behalf.
    private static func isFromCallee(_ message: DBusMessage, of call: BusCall) -> Bool {
        // The bus names the sender of every message.
        message.sender.map { $0 == call.destination || $0 == bus } ?? true
    }

    /// Subscribes to the signals that match `rule`. They are kept until `signal(until:where:)` or ``takeSignals()``
    /// returns them.
    package func watch(_ rule: SignalRule, until deadline: Deadline) throws(DBusError) {
        _ = try call(.bus("AddMatch", arguments: [.string(rule.text)]), until: deadline)
    }

    /// Waits for a signal. Any program on the bus can send one to any other, so `isWanted` must check the sender.
    func signal(until deadline: Deadline, where isWanted: (DBusMessage) -> Bool) throws(DBusError) -> DBusMessage {
        while true {
            if let index = signals.firstIndex(where: isWanted) { return signals.remove(at: index) }
            keep(try nextMessage(until: deadline))
        }
    }

    /// Returns the signals received so far, without waiting for more.
    ///
    /// Throws `.disconnected` if the bus closed the connection, and `.malformed` for bytes that are not a message.
    package func takeSignals() throws(DBusError) -> [DBusMessage] {
        // A bus that never stops sending must not block this call.
        for _ in 0..<Self.maximumSignals {
            guard let bytes = try socket.readAvailable() else { break }
            received += bytes
            while let frame = try bufferedFrame() {
                if let message = try DBusMessage(parsing: frame) { keep(message) }
            }
        }
        defer { signals = [] }
        return signals
    }

    private func keep(_ message: DBusMessage) {
        // This connection offers no methods, and late responses to abandoned calls are dropped.
        guard message.kind == .signal else { return }
        if signals.count == Self.maximumSignals { signals.removeFirst() }
        signals.append(message)
    }

    /// Waits for the next message of any kind. Skips messages of kinds that this version does not know.
    func nextMessage(until deadline: Deadline) throws(DBusError) -> DBusMessage {
        while true {
            let frame = try nextFrame(until: deadline)
            if let message = try DBusMessage(parsing: frame) { return message }
        }
    }

    private func nextFrame(until deadline: Deadline) throws(DBusError) -> [UInt8] {
        while true {
            if let frame = try bufferedFrame() { return frame }
            received += try socket.read(until: deadline)
        }
    }

    /// The bytes of the next message; `nil` until it has arrived completely.
    private func bufferedFrame() throws(DBusError) -> [UInt8]? {
        guard received.count >= DBusMessage.prefixLength else { return nil }
        let length = try DBusMessage.length(received[...])
        guard length <= Self.maximumMessage else { throw .malformed("a message is longer than 1 MiB") }
        guard received.count >= length else { return nil }
        defer { received.removeFirst(length) }
        return Array(received.prefix(length))
    }
}

/// Methods of the bus itself.
extension BusConnection {
    /// Whether the bus can start a program for this well-known name.
    func canStart(_ name: String, until deadline: Deadline) throws(DBusError) -> Bool {
        let activatable = try call(.bus("ListActivatableNames"), until: deadline)
        guard case .array(_, let names)? = activatable.first else { return false }
        return names.contains(.string(name))
    }

    /// Makes the bus start a program for this well-known name, unless the name already has an owner.
    ///
    /// Throws `.remote` with the bus's error if no program can be started for it.
    func start(_ name: String, until deadline: Deadline) throws(DBusError) {
        _ = try call(.bus("StartServiceByName", arguments: [.string(name), .uint32(0)]), until: deadline)
    }

    /// The unique name of the owner of this well-known name.
    ///
    /// Throws `.remote` with `NameHasNoOwner` if the name has no owner.
    func owner(of name: String, until deadline: Deadline) throws(DBusError) -> String {
        let values = try call(.bus("GetNameOwner", arguments: [.string(name)]), until: deadline)
        guard let owner = values.first?.string else { throw .malformed("the bus returned no name") }
        return owner
    }

    /// The user ID of the owner of this name, which the bus has from the kernel.
    func user(of name: String, until deadline: Deadline) throws(DBusError) -> UInt32 {
        let values = try call(.bus("GetConnectionUnixUser", arguments: [.string(name)]), until: deadline)
        guard case .uint32(let user)? = values.first else { throw .malformed("the bus returned no user") }
        return user
    }

    /// Makes the bus report when the owner of this name changes. `isChange` recognizes the signal, and `isDisconnection`
    /// the signal for a unique name.
    package func watchOwner(of name: String, until deadline: Deadline) throws(DBusError) {
        let rule = SignalRule(sender: Self.bus, interface: Self.bus, member: "NameOwnerChanged", firstArgument: name)
        try watch(rule, until: deadline)
    }

    /// Whether a message of the bus reports that the owner of a well-known name has changed.
    package static func isChange(_ message: DBusMessage, of name: String) -> Bool {
        message.sender == bus && message.member == "NameOwnerChanged"
            && (try? message.values())?.first == .string(name)  // An unreadable message is not this report.
    }

    /// Whether a message of the bus reports that the program with this unique name has left.
    static func isDisconnection(_ message: DBusMessage, of uniqueName: String) -> Bool {
        // A message with an unreadable body is not this report.
        message.sender == bus && message.member == "NameOwnerChanged"
            && (try? message.values()) == [.string(uniqueName), .string(uniqueName), .string("")]
    }
}
