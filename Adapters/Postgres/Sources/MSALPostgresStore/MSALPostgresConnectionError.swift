// Licensed under the MIT License. See LICENSE.

/// The reason why the client has no connection to the server.
public struct MSALPostgresConnectionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of reasons.
    public enum Reason: Sendable, Hashable {
        /// The server refuses the role, its password, or its certificate. Correct the client's settings.
        case signInRefused
        /// The server refuses the connection for another reason, such as a database that does not exist.
        case refused
        /// No connection to the server can be opened. Check the address, the network, and the TLS settings.
        case unreachable
        /// The server has not responded in time, and the client has reported no failure. Check that the client runs.
        case timedOut
    }

    /// The kind of the reason.
    public let reason: Reason

    /// The SQLSTATE of the server's refusal, or the driver's description of the failure. It may be empty.
    public let detail: String

    init(_ reason: Reason, detail: String = "") {
        self.reason = reason
        self.detail = detail
    }

    /// The reason, and what to check.
    public var description: String {
        let detail = detail.isEmpty ? "" : " (\(detail))"
        return switch reason {
        case .signInRefused:
            "PostgreSQL refuses the role, its password, or its certificate\(detail). Correct the client's settings."
        case .refused: "PostgreSQL refuses the connection\(detail)."
        case .unreachable:
            "PostgreSQL cannot be reached\(detail). Check the address, the network, and the TLS settings."
        case .timedOut:
            "PostgreSQL has not responded in time\(detail). Check that the client runs, and look at its log."
        }
    }
}

extension MSALPostgresConnectionError {
    /// Reads the error that the driver's log has for an attempt to connect that failed: `String(reflecting:)` of a `PSQLError`.
    init(logged text: String) {
        if let state = text.firstMatch(of: /sqlState: ([0-9A-Z]{5})\b/)?.1 {
            // Class 28 is "Invalid Authorization Specification" (PostgreSQL's documentation, "PostgreSQL Error Codes").
            self.init(state.hasPrefix("28") ? .signInRefused : .refused, detail: String(state))
            return
        }
        let isSignIn = ["authMechanismRequiresPassword", "unsupportedAuthMechanism", "saslError"].contains(
            where: text.contains
        )
        let cause = text.firstMatch(of: /underlying: (.*?)(, triggeredFromRequestInFile|$)/)?.1 ?? text[...]
        let visible = cause.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(200)
        self.init(isSignIn ? .signInRefused : .unreachable, detail: String(String.UnicodeScalarView(visible)))
    }
}
