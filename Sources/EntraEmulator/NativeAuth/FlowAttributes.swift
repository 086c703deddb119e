// Licensed under the MIT License. See LICENSE.

import Hummingbird
import MSALBase

/// `signup/submitattributes`: the attributes that a customer has to provide, including a new password.
struct FlowAttributes: Sendable {
    let steps: FlowSteps
    let progress: FlowProgress

    /// Accepts either all attributes or none.
    func submit(_ request: FlowCall) async throws -> Response {
        var request = request
        guard case .object(let values) = request.members["attributes"] else {
            throw EntraError.invalidParameter("attributes")
        }
        var refused: [RefusedAttribute] = []
        for attribute in progress.requestedAttributes(of: request) {
            switch attribute {
            case .rule(let rule):
                switch (values[rule.name] ?? .null, rule.isRequired) {
                case (.null, true): refused.append(.missing(rule.name))
                case (.null, false): continue
                case (let value, _):
                    if let text = value.attributeText, rule.accepts(text) {
                        request.flow.draft.attributes[rule.name] = text
                    } else {
                        refused.append(.invalid(rule.name))
                    }
                }
            case .password:
                guard let text = values[FlowMethod.password]?.string else {
                    refused.append(.missing(FlowMethod.password))
                    continue
                }
                let password = Secret(text)
                let violation = PasswordPolicy.violation(
                    of: password,
                    userName: request.flow.userName,
                    tenant: request.tenant,
                    user: nil
                )
                if let violation { refused.append(.password(violation)) }
                request.flow.draft.password = password
            }
        }
        guard refused.isEmpty else { throw FlowProblem.attributes(refused) }
        return try await progress.next(request)
    }
}

extension JSONValue {
    /// A value in the format of the directory; several values are separated by commas.
    fileprivate var attributeText: String? {
        switch self {
        case .array(let elements):
            let texts = elements.compactMap(\.plainText)
            return texts.count == elements.count ? texts.joined(separator: ",") : nil
        case .number(let number): return String(number)
        case .string, .integer, .bool, .null, .object: return plainText
        }
    }
}
