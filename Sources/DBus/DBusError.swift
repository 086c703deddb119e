// Licensed under the MIT License. See LICENSE.

/// The failure of a call over the session bus.
package struct DBusError: Error, Sendable {
    /// The kinds of failure that callers distinguish.
    package enum Kind: Sendable, Hashable {
        /// No bus: the environment has no address, no process listens there, or the bus does not accept this user.
        case noBus
        /// The deadline passed.
        case timedOut
        /// The caller canceled.
        case canceled
        /// The bus closed the connection.
        case disconnected
        /// The program that owns the name belongs to another user. It was not contacted.
        case untrusted(user: UInt32)
        /// The received bytes are not a message of the protocol, or a value cannot be sent.
        case malformed
        /// The other side returned an error with this name.
        case remote(name: String)
    }

    package let kind: Kind
    /// Describes the cause. It never contains the content of a message.
    package let message: String
    /// The text of a `.remote` error from the program that sent it: untrusted text of at most 2,048 characters, which
    /// may repeat the call's arguments. `nil` if it sent none.
    package let foreignText: String?

    package init(_ kind: Kind, message: String, foreignText: String? = nil) {
        self.kind = kind
        self.message = message
        self.foreignText = foreignText
    }

    /// The bus's error for a name without an owner.
    static let noOwner = "org.freedesktop.DBus.Error.NameHasNoOwner"

    /// The error of a call whose callee left the bus. The bus itself sends the same error in that case.
    static func calleeDisconnected(_ program: String, before what: String) -> DBusError {
        DBusError(
            .remote(name: "org.freedesktop.DBus.Error.NoReply"),
            message: "\(program) left the bus before \(what)."
        )
    }

    static func malformed(_ reason: String) -> DBusError {
        DBusError(.malformed, message: "The session bus sent or received invalid data: \(reason).")
    }
}
