// Licensed under the MIT License. See LICENSE.

/// The decisions of a user on the sign-in pages.
public struct Script: Sendable {
    /// A password; its description never reveals it.
    public struct Password: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable,
        ExpressibleByStringLiteral
    {
        /// The password in plain text, only for forms.
        public let revealed: String

        /// Creates a password.
        public init(_ password: String) { revealed = password }

        /// Creates a password in a test.
        public init(stringLiteral password: String) { revealed = password }

        /// A placeholder instead of the password.
        public var description: String { "‹redacted›" }

        /// The same as ``description``.
        public var debugDescription: String { description }

        /// No children, so that `dump` does not reveal the password either.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// The response to a consent page.
    public enum Consent: Sendable {
        case accept
        case cancel
    }

    /// A page on which the user presses the cancel button.
    public enum CancellationPoint: Sendable {
        case userName
        case password
        case accountPicker
        case code
    }

    /// The text for a field named `loginfmt` or `login`. An account tile with this text is pressed.
    public var userName: String

    /// The text for a field named `passwd`.
    public var password: Password

    /// The response to the consent page; `accept` by default.
    public var consent: Consent

    /// The response to "stay signed in"; `false` by default.
    public var staySignedIn: Bool

    /// The page on which the user cancels; `nil` continues to the consent page.
    public var cancelAt: CancellationPoint?

    /// Finds the code for a field named `otc`, given the page's text, which contains the recipient of the code.
    package var code: @Sendable (_ pageText: String) -> String? = { _ in nil }

    /// Creates a script for one user.
    public init(
        userName: String,
        password: Password,
        consent: Consent = .accept,
        staySignedIn: Bool = false,
        cancelAt: CancellationPoint? = nil
    ) {
        self.userName = userName
        self.password = password
        self.consent = consent
        self.staySignedIn = staySignedIn
        self.cancelAt = cancelAt
    }
}
