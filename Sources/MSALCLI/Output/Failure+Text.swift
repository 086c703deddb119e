// Licensed under the MIT License. See LICENSE.

import CommandOutput

extension Failure {
    /// `msal: …`, the remedy, and the correlation id where the service knows one.
    func text(_ style: Style) -> TerminalText {
        var lines: [TerminalText] = ["\(style.problem("msal:")) \(message)"]
        lines += details.map { "  \($0)" }
        if let remedy { lines.append("\(remedy)") }
        if let correlationID { lines.append("Correlation id: \(correlationID)") }
        return lines.joined(separator: "\n")
    }

    /// The `error` object.
    var json: String { JSONText.encode(["error": FailureMembers(self)]) }
}

/// The members of the `error` object. All of them are always present.
private struct FailureMembers: Encodable {
    private let failure: Failure

    init(_ failure: Failure) {
        self.failure = failure
    }

    private enum CodingKeys: String, CodingKey {
        case code, internalCode, message, remedy, correlationId, errorCodes, suberror, claims
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(failure.code, forKey: .code)
        try members.encode(failure.internalCode, forKey: .internalCode)
        try members.encode(([failure.message] + failure.details).joined(separator: "\n"), forKey: .message)
        try members.encode(failure.remedy, forKey: .remedy)
        try members.encode(failure.correlationID, forKey: .correlationId)
        try members.encode(failure.serviceCodes, forKey: .errorCodes)
        try members.encode(failure.suberror, forKey: .suberror)
        try members.encode(failure.claims, forKey: .claims)
    }
}
