// Licensed under the MIT License. See LICENSE.

import ScriptedAgent

/// The decisions of the user that a browser stand-in plays.
///
/// The defaults complete a sign-in: the password from the directory, the codes from the outbox, consent, and no
/// persistent session.
public struct SignInChoices: Sendable {
    /// The response to the consent page.
    public enum Consent: Sendable {
        /// The user accepts.
        case accept
        /// The user declines; the app gets `access_denied`.
        case decline
    }

    /// A page on which the user presses Cancel; the app gets `access_denied`.
    public enum Page: Sendable, CaseIterable {
        /// The page that requests the user name.
        case userName
        /// The page that requests the password.
        case password
        /// The page that requests a code.
        case code
        /// The page that offers the accounts of this browser.
        case accountPicker
    }

    /// The password; `nil` uses the one in the directory.
    public var password: String?
    /// The code, if one is requested; `nil` uses the latest one in the outbox.
    public var code: String?
    /// The response to the consent page.
    public var consent = Consent.accept
    /// Whether the user stays signed in. A later visit of the same stand-in then shows the account picker, or no page.
    public var staysSignedIn = false
    /// The page on which the user cancels; `nil` completes the sign-in.
    public var givesUp: Page?

    /// Creates the choices of a user who signs in.
    ///
    /// - Parameters:
    ///   - password: The password; `nil` uses the one in the directory.
    ///   - code: The code, if one is requested; `nil` uses the latest one in the outbox.
    ///   - consent: The response to the consent page.
    ///   - staysSignedIn: Whether the user stays signed in.
    ///   - givesUp: The page on which the user cancels; `nil` completes the sign-in.
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

    /// The same as ``description``.
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
