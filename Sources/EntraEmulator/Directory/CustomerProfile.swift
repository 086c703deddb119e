// Licensed under the MIT License. See LICENSE.

/// What an External ID tenant knows about a customer: how the person signs in, and what stands in the way.
public struct CustomerProfile: Sendable, Codable, Equatable {
    /// How the person proves who they are first.
    public enum Credential: String, Sendable, Codable {
        /// A password.
        case password
        /// A one-time code by e-mail; there is no password.
        case emailCode
        /// An account of another provider, which needs the browser.
        case socialAccount
    }

    /// What the next password is met with.
    public enum PasswordState: String, Sendable, Codable {
        /// It counts.
        case current
        /// AADSTS50055.
        case expired
        /// AADSTS50142: an administrator wants a new one.
        case mustChange
    }

    /// What comes of a password reset once the new password was handed in.
    public enum ResetOutcome: String, Sendable, Codable {
        /// It counts after a poll or two.
        case succeeds
        /// The poll answers `failed`; the app may hand in a password again.
        case fails
        /// The poll answers `in_progress` for ever.
        case neverEnds
    }

    /// How the person signs in.
    public var credential: Credential
    /// Where second factors go.
    public var strongMethods: [StrongMethod]
    /// Whether a second factor is needed in every app; without a method one has to be registered.
    public var requiresSecondFactor: Bool
    /// Whether the password counts.
    public var passwordState: PasswordState
    /// Whether the account is locked until its password is reset (AADSTS50053).
    public var isLocked: Bool
    /// What comes of a password reset.
    public var resetOutcome: ResetOutcome
    /// What the person said about themselves at sign-up.
    public var attributes: [String: String]

    /// Describes a customer; what is left out stands in nobody's way.
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
}

/// A way to receive a second factor.
public struct StrongMethod: Sendable, Codable, Equatable {
    /// How a code travels.
    public enum Channel: String, Sendable, Codable {
        /// To an e-mail address.
        case email
        /// To a telephone, as a text message.
        case sms
    }

    /// A GUID.
    public var id: String
    /// How the code travels.
    public var channel: Channel
    /// Where it goes: an e-mail address, or a telephone number that begins with `+`.
    public var address: String
    /// Whether the service refuses to send codes there (AADSTS550024).
    public var isBlocked: Bool

    /// Describes a method.
    public init(id: String, channel: Channel, address: String, isBlocked: Bool = false) {
        self.id = id
        self.channel = channel
        self.address = address
        self.isBlocked = isBlocked
    }

    /// Whether a text can be an address of the channel.
    static func isPlausible(_ address: String, for channel: Channel) -> Bool {
        switch channel {
        case .email: isEmailAddress(address)
        case .sms:
            address.hasPrefix("+") && (7...15).contains(address.filter(\.isWholeNumber).count)
                && address.dropFirst().allSatisfy { $0.isWholeNumber || $0 == " " || $0 == "-" }
        }
    }

    /// Whether a text has the form of an e-mail address.
    static func isEmailAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, text.utf8.count <= 113 else { return false }
        return parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }

    /// The address as the service shows it to somebody who has not proved who they are: `m***n@fa******.example`.
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
