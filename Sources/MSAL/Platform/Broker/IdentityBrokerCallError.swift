// Licensed under the MIT License. See LICENSE.

import DBus
import MSALBase

/// The reason why a broker call has no response.
enum IdentityBrokerCallError: Error, Sendable {
    /// There is no broker. The reason is a text without a period. No call was made.
    case absent(String)
    /// The bus or the broker reported this error, or neither responded.
    case bus(DBusError)

    static let canceled = IdentityBrokerCallError.bus(DBusError(.canceled, message: "The call was canceled."))

    /// Whether no response arrived before the deadline.
    var isTimeOut: Bool { if case .bus(let error) = self { error.kind == .timedOut } else { false } }

    /// The broker owns its name but has not exported its object yet.
    var isTooEarly: Bool { remoteName == "UnknownObject" }

    /// The broker or the bus exited before it responded. Another one may be running by now.
    var isLoss: Bool {
        if case .bus(let error) = self, error.kind == .disconnected { return true }
        // The last two: it exited before the call.
        return ["NoReply", "Timeout", "TimedOut", "Disconnected", "ServiceUnknown", "NameHasNoOwner"].contains(
            remoteName
        )
    }

    /// The last part of the error name if it is one of the bus's own errors.
    private var remoteName: String? {
        guard case .bus(let error) = self, case .remote(let name) = error.kind else { return nil }
        return Self.ownName(name)
    }

    static func ownName(_ name: String) -> String? {
        let prefix = "org.freedesktop.DBus.Error."
        return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
    }

    /// `secrets` are those of the request, which the broker's text might repeat.
    func failure(of method: IdentityBrokerMethod, secrets: [Secret]) -> BrokerFailure {
        switch self {
        case .absent(let reason):
            return BrokerFailure(.absent, message: "No identity broker is available: \(reason).")
        case .bus(let error):
            let words = error.foreignText.map { BrokerErrorText($0, without: secrets) }
            var failure = BrokerFailure(
                Self.kind(of: error, words: words?.text, method: method),
                message: error.message
            )
            if let words, !words.text.isEmpty { failure.message += " It says: \(words.text)" }
            failure.serviceCodes = words?.serviceCodes ?? []
            if failure.kind == .misconfigured { failure.message += " " + BrokerFailure.registrationRemedy }
            return failure
        }
    }

    private static func kind(of error: DBusError, words: String?, method: IdentityBrokerMethod) -> BrokerFailure.Kind {
        switch error.kind {
        case .noBus, .untrusted: .absent
        case .timedOut, .disconnected: .unreachable
        case .canceled: .canceled
        case .malformed: .unreadable
        case .remote(let name):
            switch ownName(name) {
            // Himmelblau and others without status codes.
            case "Failed": HimmelblauErrorText.kind(of: words ?? "", method: method)
            case "UnknownMethod", "UnknownInterface", "NotSupported": .unsupported
            case "InvalidArgs", "InvalidSignature": .invalidRequest
            case "NoMemory", "LimitsExceeded": .temporary
            case "NoReply", "Timeout", "TimedOut", "Disconnected", "UnknownObject", "ServiceUnknown", "NameHasNoOwner":
                .unreachable
            case "AccessDenied": .absent
            default: .unexpected
            }
        }
    }
}
