// Licensed under the MIT License. See LICENSE.

import MSALBase

extension NativeAuth {
    /// The values that a flow passes from one step to the next. Its description contains neither the token nor the
    /// user's name.
    struct Continuation: Sendable, Hashable, CustomStringConvertible, RedactedReflection {
        /// The service's handle for the flow.
        var token: Secret
        /// The ID that is sent with every further request. Include it in support requests.
        var correlationID: UUID
        var username: String
        /// The app's scopes, in its order.
        var scopes: [String] = []
        /// The claims request as JSON text.
        var claims: String?

        var description: String { "continuation of \(correlationID.uuidString)" }
    }

    /// A state of a flow that waits for the user's input. States are values: using one twice sends two independent
    /// requests.
    protocol State: Sendable, Hashable {
        var continuation: Continuation { get }
        init(continuation: Continuation)
    }

    /// A state in which the app may choose a second factor.
    protocol MFAState: State {}

    /// A state in which the app may choose a strong method to register.
    protocol RegistrationState: State {}

    /// Sign-in waits for the code that was sent.
    struct SignInCode: State { let continuation: Continuation }

    /// Sign-in waits for the password.
    struct SignInPassword: State { let continuation: Continuation }

    /// Sign-in waits for the choice of a second factor.
    struct AwaitingMFA: MFAState { let continuation: Continuation }

    /// Sign-in waits for the second factor's code, or for another choice.
    struct MFAChallenge: MFAState { let continuation: Continuation }

    /// Sign-in waits for a strong method to be registered.
    struct StrongAuthRegistration: RegistrationState { let continuation: Continuation }

    /// Registration waits for the code sent to the new contact, or for another contact.
    struct StrongAuthVerification: RegistrationState { let continuation: Continuation }

    /// Sign-up waits for the code that was sent.
    struct SignUpCode: State { let continuation: Continuation }

    /// Sign-up waits for a password.
    struct SignUpPassword: State { let continuation: Continuation }

    /// Sign-up waits for attributes.
    struct SignUpAttributes: State { let continuation: Continuation }

    /// Password reset waits for the code that was sent.
    struct ResetPasswordCode: State { let continuation: Continuation }

    /// Password reset waits for the new password.
    struct NewPassword: State { let continuation: Continuation }

    /// The user exists, or has a new password, and can be signed in without entering it again.
    struct FinishedFlow: Sendable, Hashable {
        let username: String
        let correlationID: UUID
        /// `nil` if the service returned none. The sign-in then fails without a request.
        let token: Secret?
    }
}

extension NativeAuth.FinishedFlow: CustomStringConvertible, RedactedReflection {
    var description: String { "finished flow \(correlationID.uuidString)" }
}
