// Licensed under the MIT License. See LICENSE.

/// Why a call over the session bus failed.
package struct DBusError: Error, Sendable {
    /// The kinds of failure that callers tell apart.
    package enum Kind: Sendable, Hashable {
        /// There is no bus: no address in the environment, nobody listens there, or it does not admit this user.
        case noBus
        /// The deadline passed.
        case timedOut
        /// The caller gave up.
        case canceled
        /// The bus closed the connection.
        case disconnected
        /// What came is no message of the protocol, or what should be sent cannot be one.
        case malformed
        /// The other side answered with this error name.
        case remote(name: String)
    }

    package let kind: Kind
    /// Cause in words; never holds what a message carried.
    package let message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    static func malformed(_ reason: String) -> DBusError {
        DBusError(.malformed, "The session bus protocol was broken: \(reason).")
    }
}
