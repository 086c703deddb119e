// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The user flow and the policies of an application for customers who use native authentication.
public struct NativePolicy: Sendable, Codable, Equatable {
    /// The credential of new customers; a sign-up with a code requires no password.
    public var signUpCredential: CustomerProfile.Credential
    /// The attributes that new customers have to provide.
    public var attributes: [AttributeRule]
    /// Whether customers with a password require a second factor.
    public var requiresSecondFactor: Bool
    /// The channels for registering a second factor, the default one first.
    public var registrationChannels: [StrongMethod.Channel]
    /// Whether customers may reset their passwords (AADSTS500222 otherwise).
    public var allowsPasswordReset: Bool
    /// The branches of native authentication V2 for the application's customers; `nil` selects none.
    public var v2: NativeAuthV2Settings?

    /// Creates a policy, which by default only requires a password.
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

    /// Decodes a policy; every member is optional.
    public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
}

/// One attribute of a user flow.
public struct AttributeRule: Sendable, Codable, Equatable {
    /// The JSON type of its values.
    public enum Kind: String, Sendable, Codable, CaseIterable, FileValue {
        /// A string.
        case string
        /// `true` or `false`.
        case boolean
        /// A whole number.
        case integer
        /// A date, such as 2026-12-31.
        case date
    }

    /// A built-in name, or `extension_{app ID without hyphens}_{name}`.
    public var name: String
    /// The JSON type of its values.
    public var kind: Kind
    /// Whether a customer has to provide a value.
    public var isRequired: Bool
    /// The regular expression that the whole value has to match.
    public var pattern: String?
    /// The only allowed values; several are separated by commas. Empty allows all values.
    public var options: [String]

    /// Creates an attribute.
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

    /// Decodes an attribute; only the name is required.
    public init(from decoder: any Decoder) throws { try self.init(members: decoder) }

    /// Whether a value satisfies the rule.
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
            // V1 has no separate type for a date.
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
        summary: "The settings of native authentication for an application.",
        blank: NativePolicy()
    ) { members in
        members.optional("signUpCredential", at: \.signUpCredential, as: .choice(["password", "emailCode"]))
            .summary("The credential of new customers.")
        members.optional("attributes", at: \.attributes).summary("The attributes that new customers have to provide.")
        members.optional("requiresSecondFactor", at: \.requiresSecondFactor)
            .summary("Whether customers with a password require a second factor.")
        members.optional("registrationChannels", at: \.registrationChannels)
            .summary("The channels for registering a second factor, the default one first.")
        members.optional("allowsPasswordReset", at: \.allowsPasswordReset)
            .summary("Whether customers may reset their passwords (AADSTS500222).")
        members.optional("v2", at: \.v2).summary("The branches of native authentication V2 for its customers.")
    }
}

extension AttributeRule: FileEntry {
    static let form = EntryForm(
        "attribute",
        summary: "An attribute of the sign-up.",
        blank: AttributeRule(name: "")
    ) { members in
        members.required("name", at: \.name).summary("A built-in name, or extension_{app ID without hyphens}_{name}.")
        members.optional("type", at: \.kind).summary("The type of its values.")
        members.optional("isRequired", at: \.isRequired).summary("Whether a customer has to provide a value.")
        members.optional("pattern", at: \.pattern)
            .summary("The regular expression that the whole value has to match.")
        members.optional("options", at: \.options).summary("The only allowed values.")
    }
}
