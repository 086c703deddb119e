// Licensed under the MIT License. See LICENSE.

import Glibc

/// The owner of a well-known name on the bus that may be contacted: it runs as this user or as root.
///
/// Some buses accept several users, and any of them can acquire a name. Therefore, calls and signals use a value of
/// this type instead of a well-known name. They reach the program that was checked, even if another one acquires the
/// name afterward (docs/Security.md).
package struct TrustedName: Sendable, Hashable {
    /// The well-known name, such as `org.freedesktop.secrets`.
    package let wellKnownName: String
    /// The unique name of the program while it is on the bus, such as `:1.42`. The bus never assigns it to another
    /// program.
    package let uniqueName: String

    fileprivate init(wellKnownName: String, uniqueName: String) {
        self.wellKnownName = wellKnownName
        self.uniqueName = uniqueName
    }

    /// Whether a process of the user `own` may contact a process of `user`: it is the same user, or root.
    static func isTrusted(_ user: uid_t, by own: uid_t) -> Bool { user == own || user == 0 }
}

extension BusConnection {
    /// The state of a well-known name on the bus.
    package enum NameState: Sendable, Hashable {
        case running(uniqueName: String)
        /// No program owns the name, but the bus can start one that does.
        case startable
        case nowhere
    }

    /// The current owner of a well-known name; `nil` if it has none. Does not start a program.
    ///
    /// Calls to it end with the error `NoReply` when it leaves the bus.
    ///
    /// Throws `.untrusted` if the program belongs to another user, without contacting it.
    package func program(named name: String, until deadline: Deadline) throws(DBusError) -> TrustedName? {
        guard let program = try resolveOwner(at: name, until: deadline) else { return nil }
        try watchOwner(of: program.uniqueName, until: deadline)
        return program
    }

    /// The owner of a well-known name. If it has none, the bus starts a program for it.
    ///
    /// Throws `.untrusted` like `program(named:until:)`; `.remote` with the bus's error if no program can be started.
    package func startedProgram(named name: String, until deadline: Deadline) throws(DBusError) -> TrustedName {
        // A bus does not "start" a running program unless it could also start it, so the owner is queried first.
        if let running = try program(named: name, until: deadline) { return running }
        try start(name, until: deadline)
        guard let started = try program(named: name, until: deadline) else {
            throw DBusError(
                .remote(name: DBusError.noOwner),
                message: "No program on the session bus owns the name \(name)."
            )
        }
        return started
    }

    /// Whether a program owns this well-known name, or the bus can start one for it. Does not start or contact a
    /// program. May be called repeatedly on one connection.
    ///
    /// Throws `.untrusted` if the program belongs to another user.
    package func reach(of name: String, until deadline: Deadline) throws(DBusError) -> NameState {
        if let program = try resolveOwner(at: name, until: deadline) { return .running(uniqueName: program.uniqueName) }
        return try canStart(name, until: deadline) ? .startable : .nowhere
    }

    /// Looks up the program without watching for its departure.
    private func resolveOwner(at name: String, until deadline: Deadline) throws(DBusError) -> TrustedName? {
        let owner: String
        do throws(DBusError) {
            owner = try self.owner(of: name, until: deadline)
        } catch {
            guard error.kind == .remote(name: DBusError.noOwner) else { throw error }
            return nil
        }
        let user = try user(of: owner, until: deadline)
        guard TrustedName.isTrusted(user, by: geteuid()) else {
            throw DBusError(
                .untrusted(user: user),
                message: "The owner of the name \(name) belongs to another user (uid \(user)). "
                    + "It was not contacted."
            )
        }
        return TrustedName(wellKnownName: name, uniqueName: owner)
    }

    /// Waits for a signal of a program.
    ///
    /// Throws `.remote` with `NoReply` if the program leaves the bus first.
    package func signal(
        of program: TrustedName,
        until deadline: Deadline,
        where isWanted: (DBusMessage) -> Bool
    ) throws(DBusError) -> DBusMessage {
        let message = try signal(until: deadline) { message in
            Self.isDisconnection(message, of: program.uniqueName)
                || (message.sender == program.uniqueName && isWanted(message))
        }
        guard message.sender == program.uniqueName else {
            throw .calleeDisconnected(program.wellKnownName, before: "a signal")
        }
        return message
    }
}
