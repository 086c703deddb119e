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
    var json: String { JSONText.encode(["error": self]) }
}

/// The members of the `error` object. All of them are always present.
extension Failure: Encodable {
    private enum CodingKeys: String, CodingKey {
        case code, internalCode, message, remedy, correlationId, errorCodes, suberror, claims
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(code, forKey: .code)
        try members.encode(internalCode, forKey: .internalCode)
        try members.encode(([message] + details).joined(separator: "\n"), forKey: .message)
        try members.encode(remedy, forKey: .remedy)
        try members.encode(correlationID, forKey: .correlationId)
        try members.encode(serviceCodes, forKey: .errorCodes)
        try members.encode(suberror, forKey: .suberror)
        try members.encode(claims, forKey: .claims)
    }
}
