// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The user flow and the policies of an application for customers who sign in natively.
public struct NativePolicy: Sendable, Codable, Equatable {
    /// The credential that new customers get; sign-up with a code asks for no password.
    public var signUpCredential: CustomerProfile.Credential
    /// The attributes that new customers are asked for.
    public var attributes: [AttributeRule]
    /// Whether customers with a password need a second factor.
    public var requiresSecondFactor: Bool
    /// The channels in which a second factor can be registered, the usual one first.
    public var registrationChannels: [StrongMethod.Channel]
    /// Whether customers may reset their passwords (AADSTS500222 otherwise).
    public var allowsPasswordReset: Bool
    /// The branches of native authentication V2 that the application's customers meet; `nil` chooses none.
    public var v2: NativeAuthV2Settings?

    /// Describes a policy; the defaults ask for a password and nothing else.
    public init(
        signUpCredential: CustomerProfile.Credential = .password,
        attributes: [AttributeRule] = [],
        requiresSecondFactor: Bool = false,
        registrationChannels: [StrongMethod.Channel] = [.email],
        allowsPasswordReset: Bool = true
    ) {
        self.signUpCredential = signUpCredential
        self.attributes = attributes
        self.requiresSecondFactor = requiresSecondFactor
        self.registrationChannels = registrationChannels
        self.allowsPasswordReset = allowsPasswordReset
    }

    /// Reads a policy; everything may be left out.
    public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
}

/// One attribute of a user flow.
public struct AttributeRule: Sendable, Codable, Equatable {
    /// The JSON type of its values.
    public enum Kind: String, Sendable, Codable, CaseIterable, FileValue {
        /// A text.
        case string
        /// `true` or `false`.
        case boolean
        /// A whole number.
        case integer
        /// A day, such as 2026-12-31.
        case date
    }

    /// A built-in name, or `extension_{app id without hyphens}_{name}`.
    public var name: String
    /// The JSON type of its values.
    public var kind: Kind
    /// Whether a customer has to give a value.
    public var isRequired: Bool
    /// The regular expression that a value has to match as a whole.
    public var pattern: String?
    /// The only values that are allowed; several are written with commas between them. Empty allows every value.
    public var options: [String]

    /// Describes an attribute.
    public init(
        name: String,
        kind: Kind = .string,
        isRequired: Bool = true,
        pattern: String? = nil,
        options: [String] = []
    ) {
        self.name = name
        self.kind = kind
        self.isRequired = isRequired
        self.pattern = pattern
        self.options = options
    }

    /// Reads an attribute; only the name is required.
    public init(from decoder: any Decoder) throws { try self.init(members: decoder) }

    /// Whether a value obeys the rule.
    func accepts(_ value: String) -> Bool {
        switch kind {
        case .boolean: if !["true", "false"].contains(value.lowercased()) { return false }
        case .integer: if Int(value) == nil { return false }
        case .date: if Date(iso8601Day: value) == nil { return false }
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
            // V1 has no type of its own for a day.
            "name": .string(name), "type": .string(kind == .date ? Kind.string.rawValue : kind.rawValue),
            "required": .bool(isRequired),
        ]
        members["options"] = expression.map { ["regex": .string($0)] }
        return .object(members)
    }

    /// The regular expression of its values, if there is one.
    var expression: String? {
        let alternatives = options.map(NSRegularExpression.escapedPattern(for:)).joined(separator: "|")
        return (options.isEmpty ? pattern : alternatives).map { "^(?:\($0))$" }
    }
}

extension NativePolicy: FileEntry {
    static let form = EntryForm(
        "native policy",
        summary: "What native authentication asks of customers.",
        blank: NativePolicy()
    ) { members in
        members.optional("signUpCredential", at: \.signUpCredential, as: .choice(["password", "emailCode"]))
            .summary("What new customers sign in with.")
        members.optional("attributes", at: \.attributes).summary("What new customers are asked for.")
        members.optional("requiresSecondFactor", at: \.requiresSecondFactor)
            .summary("Whether customers with a password need a second factor.")
        members.optional("registrationChannels", at: \.registrationChannels)
            .summary("How a second factor can be registered, the usual way first.")
        members.optional("allowsPasswordReset", at: \.allowsPasswordReset)
            .summary("Whether customers may reset their passwords (AADSTS500222).")
        members.optional("v2", at: \.v2).summary("The branches of native authentication V2 that its customers meet.")
    }
}

extension AttributeRule: FileEntry {
    static let form = EntryForm(
        "attribute",
        summary: "An attribute of the sign-up.",
        blank: AttributeRule(name: "")
    ) { members in
        members.required("name", at: \.name).summary("A built-in name, or extension_{app id without hyphens}_{name}.")
        members.optional("type", at: \.kind).summary("The type of its values.")
        members.optional("isRequired", at: \.isRequired).summary("Whether a customer has to give a value.")
        members.optional("pattern", at: \.pattern)
            .summary("The regular expression that a value has to match as a whole.")
        members.optional("options", at: \.options).summary("The only values that are allowed.")
    }
}
