// Licensed under the MIT License. See LICENSE.

import Foundation

/// What an application's user flow and policies ask of customers who sign in natively.
struct NativePolicy: Sendable, Equatable {
    /// What new customers get; sign-up with a code asks for no password.
    var signUpCredential = CustomerProfile.Credential.password
    /// What new customers are asked, and what values are allowed.
    var attributes: [AttributeRule] = []
    /// Whether customers with a password need a second factor.
    var requiresSecondFactor = false
    /// The channels in which a second factor can be registered, the usual one first.
    var registrationChannels: [StrongMethod.Channel] = [.email]
    /// Whether customers may reset their passwords (AADSTS500222 otherwise).
    var allowsPasswordReset = true
}

/// One attribute of a user flow.
struct AttributeRule: Sendable, Equatable {
    /// The JSON type of its values.
    enum Kind: String, Sendable {
        case string, boolean, integer
    }

    /// A built-in name, or `extension_{app id without hyphens}_{name}`.
    let name: String
    var kind = Kind.string
    var isRequired = true
    /// What a value has to match as a whole.
    var pattern: String?
    /// The only values there are; several are written with commas between them.
    var options: [String] = []

    /// Whether a value obeys the rule.
    func accepts(_ value: String) -> Bool {
        switch kind {
        case .boolean: if !["true", "false"].contains(value.lowercased()) { return false }
        case .integer: if Int(value) == nil { return false }
        case .string: if value.isEmpty { return false }
        }
        if !options.isEmpty {
            return value.split(separator: ",", omittingEmptySubsequences: false)
                .allSatisfy { options.contains($0.trimmingCharacters(in: .whitespaces)) }
        }
        guard let pattern else { return true }
        return value.range(of: "^(?:\(pattern))$", options: .regularExpression) != nil
    }

    /// The element of `required_attributes`.
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "name": .string(name), "type": .string(kind.rawValue), "required": .bool(isRequired),
        ]
        let alternatives = options.map(NSRegularExpression.escapedPattern(for:)).joined(separator: "|")
        let regex = options.isEmpty ? pattern : alternatives
        members["options"] = regex.map { ["regex": .string("^(?:\($0))$")] }
        return .object(members)
    }
}
