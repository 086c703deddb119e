// Licensed under the MIT License. See LICENSE.

import DBus
import MSALBase

/// The reason for which a call of the broker brought no response.
enum BrokerCallError: Error, Sendable {
    /// There is no broker. The reason is in words, without a full stop. Nothing was asked.
    case absent(String)
    /// The bus or the broker reported this, or neither responded.
    case bus(DBusError)

    static let canceled = BrokerCallError.bus(DBusError(.canceled, message: "The call was cancelled."))

    /// Whether no response came until the deadline.
    var isTimeOut: Bool {
        if case .bus(let error) = self { error.kind == .timedOut } else { false }
    }

    /// The broker has its name and not its object yet.
    var isTooEarly: Bool { remoteName == "UnknownObject" }

    /// The broker or the bus went before a response came. Another one may be there by now.
    var isLoss: Bool {
        if case .bus(let error) = self, error.kind == .disconnected { return true }
        // The last two: it went before the call.
        return ["NoReply", "Timeout", "TimedOut", "Disconnected", "ServiceUnknown", "NameHasNoOwner"].contains(
            remoteName
        )
    }

    /// The last part of the name of one of the bus's own errors.
    private var remoteName: String? {
        guard case .bus(let error) = self, case .remote(let name) = error.kind else { return nil }
        return Self.ownName(name)
    }

    static func ownName(_ name: String) -> String? {
        let prefix = "org.freedesktop.DBus.Error."
        return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
    }

    /// `secrets` are those of the request, which the broker's words might repeat.
    func failure(of method: BrokerMethod, secrets: [Secret]) -> BrokerFailure {
        switch self {
        case .absent(let reason):
            return BrokerFailure(.absent, message: "There is no identity broker: \(reason).")
        case .bus(let error):
            let words = error.foreignText.map { BrokerWords($0, without: secrets) }
            var failure = BrokerFailure(
                Self.kind(of: error, words: words?.text, method: method),
                message: error.message
            )
            if let words, !words.text.isEmpty { failure.message += " Its words: \(words.text)" }
            failure.serviceCodes = words?.serviceCodes ?? []
            if failure.kind == .misconfigured { failure.message += " " + BrokerFailure.registrationRemedy }
            return failure
        }
    }

    private static func kind(of error: DBusError, words: String?, method: BrokerMethod) -> BrokerFailure.Kind {
        switch error.kind {
        case .noBus, .untrusted: .absent
        case .timedOut, .disconnected: .unreachable
        case .canceled: .canceled
        case .malformed: .unreadable
        case .remote(let name):
            switch ownName(name) {
            // Himmelblau and others that have no number.
            case "Failed": HimmelblauWords.kind(of: words ?? "", method: method)
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
