// Licensed under the MIT License. See LICENSE.

/// The decisions a person would take in front of the sign-in pages.
public struct Script: Sendable {
    /// A password; its description never shows it.
    public struct Password: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable,
        ExpressibleByStringLiteral
    {
        /// The password itself, to be written into a form and nowhere else.
        public let revealed: String

        /// Wraps a password.
        public init(_ password: String) {
            revealed = password
        }

        /// Wraps a password of a test.
        public init(stringLiteral password: String) {
            revealed = password
        }

        /// A placeholder in place of the password.
        public var description: String { "‹redacted›" }

        /// The description, which shows a placeholder in place of secrets.
        public var debugDescription: String { description }

        /// No children, so that `dump` shows nothing either.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// The answer to a page that asks for consent.
    public enum Consent: Sendable {
        case accept
        case cancel
    }

    /// A page at which the person gives up by pressing its cancel button.
    public enum CancellationPoint: Sendable {
        case userName
        case password
        case accountPicker
        case code
    }

    /// The text for a field named `loginfmt` or `login`. An account tile that shows this text is pressed.
    public var userName: String

    /// The text for a field named `passwd`.
    public var password: Password

    /// The answer to the consent page. `accept` by default.
    public var consent: Consent

    /// The answer to "stay signed in". No by default.
    public var staySignedIn: Bool

    /// The page on which the person gives up; `nil` goes on to the consent page.
    public var cancelAt: CancellationPoint?

    /// Finds what is typed into a field named `otc`. It gets the page's text, which names the recipient of the code.
    package var code: @Sendable (_ pageText: String) -> String? = { _ in nil }

    /// Makes a script for one person.
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
