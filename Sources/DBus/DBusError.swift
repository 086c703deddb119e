// Licensed under the MIT License. See LICENSE.

/// The failure of a call over the session bus.
package struct DBusError: Error, Sendable {
    /// The kinds of failure that callers distinguish.
    package enum Kind: Sendable, Hashable {
        /// There is no bus. The environment has no address, nobody listens there, or the bus does not admit this user.
        case noBus
        /// The deadline passed.
        case timedOut
        /// The caller gave up.
        case canceled
        /// The bus closed the connection.
        case disconnected
        /// The program that has the name belongs to another user. Nothing was said to it.
        case untrusted(user: UInt32)
        /// Bytes that came are no message of the protocol, or a value cannot be sent.
        case malformed
        /// The other side sent an error with this name.
        case remote(name: String)
    }

    package let kind: Kind
    /// The cause in words. It never holds the content of a message.
    package let message: String
    /// The text of a `.remote` error, in the words of the program that sent it: foreign text of at most 2,048
    /// characters, which may repeat the call's arguments. `nil` where it sent none.
    package let foreignText: String?

    package init(_ kind: Kind, message: String, foreignText: String? = nil) {
        self.kind = kind
        self.message = message
        self.foreignText = foreignText
    }

    /// The bus's error for a name that no program has.
    static let noOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"

    /// The failure of a call whose callee left the bus. The bus itself sends the same error then.
    static func departed(_ program: String, before what: String) -> DBusError {
        DBusError(
            .remote(name: "org.freedesktop.DBus.Error.NoReply"),
            message: "\(program) left the bus before \(what)."
        )
    }

    static func malformed(_ reason: String) -> DBusError {
        DBusError(.malformed, message: "The session bus protocol was broken: \(reason).")
    }
}
