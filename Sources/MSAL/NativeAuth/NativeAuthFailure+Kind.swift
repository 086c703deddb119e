// Licensed under the MIT License. See LICENSE.

extension NativeAuthFailure {
    /// All failures that operations distinguish. Each operation has a few of them
    /// (docs/reference/NativeAuthentication.md#failures).
    enum Kind: Sendable, Hashable, CaseIterable {
        case general
        /// The user must continue in the browser.
        case browserRequired
        case userNotFound
        case userAlreadyExists
        case userDoesNotHavePassword
        case invalidUsername
        /// The password of a sign-in that has just begun.
        case invalidCredentials
        /// A requested password, the user's own or a new one.
        case invalidPassword
        /// The code for a first factor, a sign-up, or a reset.
        case invalidCode
        /// The code for a second factor, or for a method that is being registered.
        case invalidChallenge
        /// The contact of a method that is being registered.
        case invalidInput
        case authMethodBlocked
        case verificationContactBlocked
        /// Attribute values that the service rejects, with their names.
        case invalidAttributes
        /// The app's delegate does not conform to the protocol for the next state.
        case notImplemented

        /// The text if the service returned none: that of MSAL for iOS if it is short, otherwise our own.
        var defaultText: String {
            switch self {
            case .general: "General error"
            case .browserRequired:
                "Browser required. Use acquireTokenInteractively of this application to go on in the browser."
            case .userNotFound: "User does not exist"
            case .userAlreadyExists: "User already exists"
            case .userDoesNotHavePassword: "This account has no password that could be reset"
            case .invalidUsername: "Invalid username"
            case .invalidCredentials: "Invalid credentials"
            case .invalidPassword: "Invalid password"
            case .invalidCode: "Invalid code"
            case .invalidChallenge: "Invalid challenge"
            case .invalidInput: "Invalid input"
            case .authMethodBlocked: Text.authMethodBlocked
            case .verificationContactBlocked: Text.verificationContactBlocked
            case .invalidAttributes: "Invalid attributes"
            case .notImplemented: "The delegate lacks a protocol that this outcome needs"
            }
        }
    }

    /// The texts that are not specific to one kind of failure.
    enum Text {
        static let unexpectedBody = "Unexpected response body received"
        static let unexpectedChallengeType = "Unexpected challenge type"
        static let signInNotAvailable =
            "Signing in after this flow is not possible now. Use the application's own sign-in."
        static let registrationRepeated = "The service asks again for a strong method that was registered just now."
        static let passwordInsteadOfCode = "The service asks for a password where it was to send a code."
        static let codeInsteadOfPassword = "The service sends another code where it was to ask for a password."
        static let passwordNotSet = "The service did not set the new password. Try again, or choose another one."
        static let resetUnfinished = "The service has not finished with the new password. It may be valid in a moment."

        /// The text before the service's, for a second factor that the service has blocked.
        static let authMethodBlocked =
            "The service has blocked this strong authentication method; ask support for help. More information: "
        /// The text before the service's, for a password that must be changed first.
        static let passwordChangeRequired =
            "The password has to be changed, which cannot be done here. Reset it and sign in again. More information: "
        /// The text before the service's, for a contact that the service has blocked.
        static let verificationContactBlocked =
            "The service has blocked this contact; use another one or another method. More information: "
        /// The text before the service's, for a token that requires a second factor.
        static let mfaRequired =
            "A second factor is needed, which cannot be given here. Sign out and in again. More information: "

        /// The text before the service's, for attributes that it rejects.
        static func invalidAttributes(_ names: [String]) -> String {
            "The service refuses these attributes: \(names.joined(separator: ", ")). More information: "
        }

        /// The text for an outcome that the app's delegate has no member for.
        ///
        /// `member`: The base name of the missing member.
        static func notImplemented(_ member: String) -> String {
            "The delegate does not implement \(member), which this outcome needs."
        }
    }
}
