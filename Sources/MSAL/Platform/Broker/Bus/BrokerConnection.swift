// Licensed under the MIT License. See LICENSE.

import DBus
import Glibc

/// A connection to the bus, and the program there that has the broker's name. It serves one call.
struct BrokerConnection {
    static let name = "com.microsoft.identity.broker1"
    private static let path = "/com/microsoft/identity/broker1"
    private static let interface = "com.microsoft.identity.Broker1"

    private let bus: BusConnection
    /// The broker's unique name. All calls go to it, so that another program cannot take the well-known name in between.
    private let owner: String

    /// Connects, and has the bus start the broker where it does not run.
    ///
    /// Throws `.absent` if there is no bus, if the bus has and starts no broker, or if the program with the broker's name
    /// is neither this user's nor root's. Nothing was said to it then.
    init(_ environment: [String: String], until deadline: Deadline) throws(BrokerCallError) {
        let user: UInt32
        do throws(DBusError) {
            bus = try BusConnection.session(environment, until: deadline)
            owner = try Self.owner(on: bus, until: deadline)
            user = try bus.user(of: owner, until: deadline)
            try bus.watchDeparture(of: owner, until: deadline)
        } catch {
            throw Self.isAbsence(error) ? .absent(Self.reason(error.message)) : .bus(error)
        }
        guard user == geteuid() || user == 0 else {
            throw .absent("the program with the broker's name belongs to another user (uid \(user))")
        }
    }

    /// The unique name of the broker, which is started if it does not run. A bus does not "start" a program that runs
    /// already, unless it could start it: that is why the owner is asked for first.
    private static func owner(on bus: BusConnection, until deadline: Deadline) throws(DBusError) -> String {
        do throws(DBusError) {
            return try bus.owner(of: name, until: deadline)
        } catch {
            guard error.kind == .remote(name: "org.freedesktop.DBus.Error.NameHasNoOwner") else { throw error }
        }
        try bus.start(name, until: deadline)
        return try bus.owner(of: name, until: deadline)
    }

    /// Whether an error of the bus says that there is no broker, or none that this program may use.
    private static func isAbsence(_ error: DBusError) -> Bool {
        guard case .remote(let name) = error.kind else { return error.kind == .noBus }
        let own = BrokerCallError.ownName(name) ?? ""
        // The bus says "TimedOut" of a program that it started and that did not take its name.
        return ["ServiceUnknown", "NameHasNoOwner", "AccessDenied", "TimedOut"].contains(own) || own.hasPrefix("Spawn.")
    }

    /// A message as part of another sentence.
    static func reason(_ message: String) -> String {
        let text = message.hasSuffix(".") ? String(message.dropLast()) : message
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Calls a method and gives the broker's text as it came.
    ///
    /// If the broker leaves the bus in the meantime, the call ends with the error `NoReply`.
    func call(
        _ method: BrokerMethod,
        request: String,
        correlationID: String,
        until deadline: Deadline
    ) throws(BrokerCallError) -> String {
        let arguments = [BrokerRequests.protocolVersion, correlationID, request]
        let call = BusCall(
            to: owner,
            at: Self.path,
            interface: Self.interface,
            member: method.rawValue,
            arguments: arguments.map(DBusValue.string)
        )
        let values = try send(call, until: deadline)
        guard values.count == 1, let text = values[0].string else {
            throw .bus(DBusError(.malformed, message: "The broker responded to \(method.rawValue) with no text."))
        }
        return text
    }

    /// The name by which the program is known to the system's log; `nil` where it does not tell. Himmelblau does
    /// (docs/reference/Broker.md#himmelblau).
    func logName(until deadline: Deadline) throws(BrokerCallError) -> String? {
        let call = BusCall(
            to: owner,
            at: "/org/freedesktop/LogControl1",
            interface: "org.freedesktop.DBus.Properties",
            member: "Get",
            arguments: [.string("org.freedesktop.LogControl1"), .string("SyslogIdentifier")]
        )
        guard case .variant(let value)? = try send(call, until: deadline).first else { return nil }
        return value.string
    }

    private func send(_ call: BusCall, until deadline: Deadline) throws(BrokerCallError) -> [DBusValue] {
        do throws(DBusError) {
            return try bus.call(call, until: deadline).values
        } catch {
            throw .bus(error)
        }
    }
}
