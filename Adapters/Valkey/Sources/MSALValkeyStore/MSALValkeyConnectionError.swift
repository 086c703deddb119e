// Licensed under the MIT License. See LICENSE.

/// The reason why the store cannot use the server.
public struct MSALValkeyConnectionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of reasons.
    public enum Reason: Sendable, Hashable {
        /// The server refuses the user or its password. Correct the client's settings.
        case signInRefused
        /// The user may not run all commands that the store needs, or not on its keys. Change the user's rules (ACL).
        case rightsMissing
        /// The server refuses a command for another reason, such as a replica that takes no writes.
        case refused
        /// No connection to the server can be opened. Check the address, the network, and the TLS settings.
        case unreachable
        /// The server has not responded in time, and the client has reported no failure. Check that the client runs.
        case timedOut
    }

    /// The kind of the reason.
    public let reason: Reason

    /// The server's error, or the driver's description of the failure. It may be empty.
    public let detail: String

    init(_ reason: Reason, detail: String = "") {
        self.reason = reason
        let visible = detail.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(200)
        self.detail = String(String.UnicodeScalarView(visible))
    }

    /// The reason, and what to check.
    public var description: String {
        let detail = detail.isEmpty ? "" : " (\(detail))"
        return switch reason {
        case .signInRefused: "The server refuses the user or its password\(detail). Correct the client's settings."
        case .rightsMissing:
            "The user lacks rights on the server\(detail). It needs the commands that the page about the store lists, on "
                + "the keys of the store's prefix."
        case .refused: "The server refuses the store's commands\(detail)."
        case .unreachable:
            "The server cannot be reached\(detail). Check the address, the network, and the TLS settings."
        case .timedOut:
            "The server has not responded in time\(detail). Check that the client runs, and look at its log."
        }
    }
}

extension MSALValkeyConnectionError {
    /// Reads an error of the server: its first word is the code.
    init(server message: String) {
        let reason: Reason =
            if ["WRONGPASS", "NOAUTH"].contains(where: message.contains) {
                .signInRefused
            } else if ["NOPERM", "ACL failure", "The user executing the script"].contains(where: message.contains) {
                .rightsMissing
            } else {
                .refused
            }
        self.init(reason, detail: message)
    }

    /// Reads the error that the driver's log has for an attempt to connect that failed.
    init(logged text: String) {
        if let code = text.firstMatch(of: /\b(WRONGPASS|NOAUTH|NOPERM)\b/)?.1 {
            self.init(server: String(code))
        } else {
            self.init(.unreachable, detail: text)
        }
    }
}
