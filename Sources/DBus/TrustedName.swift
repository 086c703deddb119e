// Licensed under the MIT License. See LICENSE.

import Glibc

/// A program on the bus with a well-known name. This program may talk to it: it runs as this user or as root.
///
/// Some buses admit several users, and anybody there can take a name. So calls and signals use a value of this type and
/// never a well-known name. They reach the program that was checked, even if another one takes the name afterwards
/// (docs/Security.md).
package struct TrustedName: Sendable, Hashable {
    /// The name that it was looked up by, such as `org.freedesktop.secrets`.
    package let wellKnownName: String
    /// The name that the program has as long as it is on the bus, such as `:1.42`. The bus never gives it to another
    /// program.
    package let uniqueName: String

    fileprivate init(wellKnownName: String, uniqueName: String) {
        self.wellKnownName = wellKnownName
        self.uniqueName = uniqueName
    }

    /// Whether a program of `user` may be talked to by one of `own`: it is the same user, or root.
    static func isTrusted(_ user: uid_t, by own: uid_t) -> Bool { user == own || user == 0 }
}

extension BusConnection {
    /// The state of a well-known name on the bus.
    package enum Reach: Sendable, Hashable {
        case running(uniqueName: String)
        /// No program has the name, and the bus can start one that takes it.
        case startable
        case nowhere
    }

    /// The program that has a well-known name now; `nil` where none has it. Nothing is started.
    ///
    /// Calls to it end when it leaves the bus, with the error `NoReply`.
    ///
    /// Throws `.untrusted` if the program belongs to another user. Nothing was said to it then.
    package func program(named name: String, until deadline: Deadline) throws(DBusError) -> TrustedName? {
        guard let program = try look(at: name, until: deadline) else { return nil }
        try watchOwner(of: program.uniqueName, until: deadline)
        return program
    }

    /// The same. The bus starts a program where none has the name.
    ///
    /// Throws `.untrusted` as `program(named:until:)`; `.remote` with the bus's error if nothing can be started.
    package func startedProgram(named name: String, until deadline: Deadline) throws(DBusError) -> TrustedName {
        // A bus does not "start" a program that runs already, unless it could start it. So the owner is asked for first.
        if let running = try program(named: name, until: deadline) { return running }
        try start(name, until: deadline)
        guard let started = try program(named: name, until: deadline) else {
            throw DBusError(
                .remote(name: DBusError.noOwner),
                message: "Nothing on the session bus has the name \(name)."
            )
        }
        return started
    }

    /// Whether a program has this well-known name, or the bus can start one for it. Nothing is started, and nothing is
    /// said to the program. A connection may ask this again and again.
    ///
    /// Throws `.untrusted` if the program belongs to another user.
    package func reach(of name: String, until deadline: Deadline) throws(DBusError) -> Reach {
        if let program = try look(at: name, until: deadline) { return .running(uniqueName: program.uniqueName) }
        return try canStart(name, until: deadline) ? .startable : .nowhere
    }

    /// The program without a watch of its departure.
    private func look(at name: String, until deadline: Deadline) throws(DBusError) -> TrustedName? {
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
                message: "The program with the name \(name) belongs to another user (uid \(user)). "
                    + "Nothing was said to it."
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
            Self.isDeparture(message, of: program.uniqueName)
                || (message.sender == program.uniqueName && isWanted(message))
        }
        guard message.sender == program.uniqueName else { throw .departed(program.wellKnownName, before: "a signal") }
        return message
    }
}
