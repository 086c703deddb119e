// Licensed under the MIT License. See LICENSE.

extension NativeAuth {
    /// The texts of errors, the reference's where they are short (spec native-auth 10.1), else our own.
    package enum Text {
        static let general = "General error"
        static let browserRequired =
            "Browser required. Use acquireTokenInteractively of this application to go on in the browser."
        static let userNotFound = "User does not exist"
        static let userAlreadyExists = "User already exists"
        static let userDoesNotHavePassword = "This account has no password that could be reset"
        static let invalidUsername = "Invalid username"
        static let invalidPassword = "Invalid password"
        static let invalidCredentials = "Invalid credentials"
        static let invalidCode = "Invalid code"
        static let invalidChallenge = "Invalid challenge"
        static let invalidInput = "Invalid input"
        static let refreshTokenExpired = "Refresh token is expired"
        static let invalidScope = "Invalid scope"

        static let unexpectedBody = "Unexpected response body received"
        static let unexpectedChallengeType = "Unexpected challenge type"
        static let signInNotAvailable =
            "Signing in after this flow is not possible now. Use the application's own sign-in."
        static let registrationRepeated = "The service asks again for a strong method that was registered just now."

        /// P1: of a second factor that the service refuses to use.
        static let authMethodBlocked =
            "The service has blocked this strong authentication method; ask support for help. More information: "
        /// P2: of a password that must be changed before anything else.
        static let passwordChangeRequired =
            "The password has to be changed, which cannot be done here. Reset it and sign in again. More information: "
        /// P3: of a contact that the service refuses to use.
        static let verificationContactBlocked =
            "The service has blocked this contact; use another one or another method. More information: "
        /// P4: of a token that needs a second factor.
        static let mfaRequired =
            "A second factor is needed, which cannot be given here. Sign out and in again. More information: "

        /// Of an outcome that the app's delegate has no method for.
        ///
        /// `method`: The base name of the missing method.
        package static func notImplemented(_ method: String) -> String {
            "The delegate does not implement \(method), which this outcome needs."
        }
    }
}
