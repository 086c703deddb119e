// Licensed under the MIT License. See LICENSE.

import DBus

/// The owner of the broker's name on a bus. It is used for one call.
struct BrokerConnection {
    static let name = "com.microsoft.identity.broker1"
    private static let path = "/com/microsoft/identity/broker1"
    private static let interface = "com.microsoft.identity.Broker1"

    private let bus: BusConnection
    let broker: TrustedName

    /// Looks up the broker, and makes the bus start it if it is not running.
    ///
    /// Throws `.absent` if the bus has no broker and cannot start one, or if the owner of the broker's name is neither
    /// this user nor root. It was not contacted then.
    init(on bus: BusConnection, until deadline: Deadline) throws(IdentityBrokerCallError) {
        self.bus = bus
        do throws(DBusError) {
            broker = try bus.startedProgram(named: Self.name, until: deadline)
        } catch {
            throw Self.failure(error)
        }
    }

    /// A connection to the bus for one call.
    ///
    /// Throws `.absent` if there is none.
    static func bus(
        _ environment: [String: String],
        until deadline: Deadline
    ) throws(IdentityBrokerCallError) -> BusConnection {
        do throws(DBusError) {
            return try BusConnection.session(environment, until: deadline)
        } catch {
            throw failure(error)
        }
    }

    private static func failure(_ error: DBusError) -> IdentityBrokerCallError {
        isAbsence(error) ? .absent(reason(error.message)) : .bus(error)
    }

    /// Whether an error of the bus means that there is no broker, or none that this program may use.
    private static func isAbsence(_ error: DBusError) -> Bool {
        switch error.kind {
        case .noBus, .untrusted: return true
        case .timedOut, .canceled, .disconnected, .malformed: return false
        case .remote(let name):
            let own = IdentityBrokerCallError.ownName(name) ?? ""
            // The bus returns "TimedOut" if it started a program that did not acquire its name.
            return ["ServiceUnknown", "NameHasNoOwner", "AccessDenied", "TimedOut"].contains(own)
                || own.hasPrefix("Spawn.")
        }
    }

    /// A message as part of another sentence.
    static func reason(_ message: String) -> String {
        let text = message.hasSuffix(".") ? String(message.dropLast()) : message
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Calls a method and returns the broker's text unchanged.
    ///
    /// If the broker leaves the bus in the meantime, the call ends with the error `NoReply`.
    func call(
        _ method: IdentityBrokerMethod,
        request: String,
        correlationID: String,
        until deadline: Deadline
    ) throws(IdentityBrokerCallError) -> String {
        let arguments = [BrokerRequests.protocolVersion, correlationID, request]
        let call = BusCall(
            to: broker,
            at: Self.path,
            interface: Self.interface,
            member: method.rawValue,
            arguments: arguments.map(DBusValue.string)
        )
        let values = try send(call, until: deadline)
        guard values.count == 1, let text = values[0].string else {
            throw .bus(DBusError(.malformed, message: "The broker's response to \(method.rawValue) has no text."))
        }
        return text
    }

    /// The name of the program in the system log; `nil` if the broker does not report it. Himmelblau does
    /// (docs/reference/Broker.md#himmelblau).
    func logName(until deadline: Deadline) throws(IdentityBrokerCallError) -> String? {
        let call = BusCall(
            to: broker,
            at: "/org/freedesktop/LogControl1",
            interface: "org.freedesktop.DBus.Properties",
            member: "Get",
            arguments: [.string("org.freedesktop.LogControl1"), .string("SyslogIdentifier")]
        )
        guard case .variant(let value)? = try send(call, until: deadline).first else { return nil }
        return value.string
    }

    private func send(_ call: BusCall, until deadline: Deadline) throws(IdentityBrokerCallError) -> [DBusValue] {
        do throws(DBusError) {
            return try bus.call(call, until: deadline)
        } catch {
            throw .bus(error)
        }
    }
}
