// Licensed under the MIT License. See LICENSE.

import ScriptedAgent

/// The decisions of the person whom a browser stand-in plays.
///
/// The defaults sign in: the password of the directory, the codes of the outbox, consent, and no lasting session.
public struct SignInChoices: Sendable {
    /// The response to the page that asks for consent.
    public enum Consent: Sendable {
        /// The person accepts.
        case accept
        /// The person declines; the app gets `access_denied`.
        case decline
    }

    /// A page at which the person gives up by pressing Cancel; the app gets `access_denied`.
    public enum Page: Sendable, CaseIterable {
        /// The page that asks for the user name.
        case userName
        /// The page that asks for the password.
        case password
        /// The page that asks for a code.
        case code
        /// The page that offers the accounts of this browser.
        case accountPicker
    }

    /// The password that is typed; `nil` types the one of the directory.
    public var password: String?
    /// The code that is typed where one is wanted; `nil` types the newest one of the outbox.
    public var code: String?
    /// The response to the page that asks for consent.
    public var consent = Consent.accept
    /// Whether the person stays signed in. A later visit of the same stand-in then sees the account picker, or no page.
    public var staysSignedIn = false
    /// The page on which the person gives up; `nil` goes on to the end.
    public var givesUp: Page?

    /// The choices of a person who signs in.
    ///
    /// - Parameters:
    ///   - password: The password that is typed; `nil` types the one of the directory.
    ///   - code: The code that is typed where one is wanted; `nil` types the newest one of the outbox.
    ///   - consent: The response to the page that asks for consent.
    ///   - staysSignedIn: Whether the person stays signed in.
    ///   - givesUp: Where the person gives up; `nil` goes on to the end.
    public init(
        password: String? = nil,
        code: String? = nil,
        consent: Consent = .accept,
        staysSignedIn: Bool = false,
        givesUp: Page? = nil
    ) {
        self.password = password
        self.code = code
        self.consent = consent
        self.staysSignedIn = staysSignedIn
        self.givesUp = givesUp
    }
}

extension SignInChoices: CustomStringConvertible, CustomReflectable {
    /// The choices without password and code.
    public var description: String {
        "consent: \(consent), staysSignedIn: \(staysSignedIn), givesUp: \(givesUp.map { "\($0)" } ?? "never")"
    }

    /// Shows what `description` shows.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension SignInChoices.Consent {
    var scripted: Script.Consent {
        switch self {
        case .accept: .accept
        case .decline: .cancel
        }
    }
}

extension SignInChoices.Page {
    var scripted: Script.CancellationPoint {
        switch self {
        case .userName: .userName
        case .password: .password
        case .code: .code
        case .accountPicker: .accountPicker
        }
    }
}
