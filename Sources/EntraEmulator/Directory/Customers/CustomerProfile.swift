// Licensed under the MIT License. See LICENSE.

import Foundation

/// How a customer of an External ID tenant signs in: credential, second factors, and states that prevent it.
public struct CustomerProfile: Sendable, Codable, Equatable {
    /// The first factor of a sign-in.
    public enum Credential: String, Sendable, Codable, CaseIterable, FileValue {
        /// A password.
        case password
        /// A one-time code by email; there is no password.
        case emailCode
        /// An account of another provider, which requires the browser.
        case socialAccount
    }

    /// Whether a correct password is enough.
    public enum PasswordState: String, Sendable, Codable, CaseIterable, FileValue {
        /// The password is enough.
        case current
        /// AADSTS50055.
        case expired
        /// AADSTS50142: an administrator requires a new one.
        case mustChange
    }

    /// The outcome of a password reset, after the new password was submitted.
    public enum ResetOutcome: String, Sendable, Codable, CaseIterable, FileValue {
        /// The new password becomes valid after one or two polls.
        case succeeds
        /// The poll returns `failed`; the app may submit a password again.
        case fails
        /// The poll returns `in_progress` indefinitely.
        case neverEnds
    }

    /// The first factor of a sign-in.
    public var credential: Credential
    /// The methods for a second factor.
    public var strongMethods: [StrongMethod]
    /// Whether every app requires a second factor; a customer without a method has to register one.
    public var requiresSecondFactor: Bool
    /// Whether a correct password is enough.
    public var passwordState: PasswordState
    /// Whether the account is locked until its password is reset (AADSTS50053).
    public var isLocked: Bool
    /// The outcome of a password reset.
    public var resetOutcome: ResetOutcome
    /// The attributes of the sign-up, by name.
    public var attributes: [String: String]
    /// The branches of native authentication V2 for this customer; `nil` selects none.
    public var v2: NativeAuthV2Settings?

    /// Creates a customer; by default with a password and no obstacles.
    public init(
        credential: Credential = .password,
        strongMethods: [StrongMethod] = [],
        requiresSecondFactor: Bool = false,
        passwordState: PasswordState = .current,
        isLocked: Bool = false,
        resetOutcome: ResetOutcome = .succeeds,
        attributes: [String: String] = [:]
    ) {
        self.credential = credential
        self.strongMethods = strongMethods
        self.requiresSecondFactor = requiresSecondFactor
        self.passwordState = passwordState
        self.isLocked = isLocked
        self.resetOutcome = resetOutcome
        self.attributes = attributes
    }

    /// Decodes a profile; every member is optional.
    public init(from decoder: any Decoder) throws { try self.init(members: decoder) }
}

/// A method that receives a second factor.
public struct StrongMethod: Sendable, Codable, Equatable {
    /// The channel of a code.
    public enum Channel: String, Sendable, Codable, CaseIterable, FileValue {
        /// The code goes to an e-mail address.
        case email
        /// The code goes to a phone, as a text message.
        case sms
    }

    /// A GUID.
    public var id: String
    /// The channel of the code.
    public var channel: Channel
    /// The address to which a code goes: an email address, or a phone number that starts with `+`.
    public var address: String
    /// Whether the service does not send codes to the address (AADSTS550024).
    public var isBlocked: Bool

    /// Creates a method.
    public init(id: String, channel: Channel, address: String, isBlocked: Bool = false) {
        self.id = id
        self.channel = channel
        self.address = address
        self.isBlocked = isBlocked
    }

    /// Decodes a method. An omitted ID is derived from the address. An omitted channel is a text message if the address
    /// starts with `+`, otherwise email.
    public init(from decoder: any Decoder) throws { try self.init(members: decoder) }

    /// Whether a text has the form of an address of the channel.
    static func isPlausible(_ address: String, for channel: Channel) -> Bool {
        switch channel {
        case .email: isEmailAddress(address)
        case .sms:
            address.hasPrefix("+") && (7...15).contains(address.filter(\.isWholeNumber).count)
                && address.dropFirst().allSatisfy { $0.isWholeNumber || $0 == " " || $0 == "-" }
        }
    }

    /// Whether a text has the form of an email address.
    static func isEmailAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, text.utf8.count <= 113 else { return false }
        return parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }

    /// The address as the service shows it before the sign-in is complete: `m***n@fa******.example`.
    var maskedAddress: String { Self.masked(address) }

    /// Hides most of an address.
    static func masked(_ address: String) -> String {
        guard let at = address.lastIndex(of: "@") else {
            return String(repeating: "*", count: max(0, address.count - 2)) + address.suffix(2)
        }
        let name = address[..<at]
        let host = address[address.index(after: at)...]
        let dot = host.lastIndex(of: ".") ?? host.endIndex
        let middle = String(repeating: "*", count: max(1, host[..<dot].count - 2))
        return "\(name.prefix(1))***\(name.suffix(1))@\(host[..<dot].prefix(2))\(middle)\(host[dot...])"
    }
}

extension CustomerProfile: FileEntry {
    static let form = EntryForm(
        "customer",
        summary: "How a customer of an External ID tenant signs in.",
        blank: CustomerProfile()
    ) { members in
        members.optional("credential", at: \.credential).summary("The first factor of a sign-in.")
        members.optional("strongMethods", at: \.strongMethods).summary("The methods for a second factor.")
        members.optional("requiresSecondFactor", at: \.requiresSecondFactor)
            .summary("Whether every app requires a second factor.")
        members.optional("passwordState", at: \.passwordState)
            .summary("Whether a correct password is enough (AADSTS50055, AADSTS50142).")
        members.optional("isLocked", at: \.isLocked).summary("Whether the account is locked (AADSTS50053).")
        members.optional("resetOutcome", at: \.resetOutcome).summary("The outcome of a password reset.")
        members.optional("attributes", at: \.attributes).summary("The attributes of the sign-up, by name.")
        members.optional("v2", at: \.v2).summary("The branches of native authentication V2 for this customer.")
    }
}

extension StrongMethod: FileEntry {
    static let form = EntryForm(
        "strong method",
        summary: "A method that receives a second factor.",
        blank: StrongMethod(id: "", channel: .email, address: "")
    ) { members in
        members.derived("id", at: \.id) { UUID.derived(from: "strong method", $0.address).text }
            .summary("A GUID. By default, it is derived from the address.")
        members.derived("channel", at: \.channel) { $0.address.hasPrefix("+") ? .sms : .email }
            .summary("The channel of the code. By default, it is determined by the address.")
        members.required("address", at: \.address)
            .summary("An email address, or a phone number that starts with +.")
        members.optional("isBlocked", at: \.isBlocked).summary(
            "Whether no codes are sent to the address (AADSTS550024)."
        )
    }
}
