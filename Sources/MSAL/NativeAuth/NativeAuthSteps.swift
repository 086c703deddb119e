// Licensed under the MIT License. See LICENSE.

// The next steps. Each transition has its own enum, so that the compiler lists the cases for the app. A step that waits
// for the user contains the state from which the flow continues.
extension NativeAuth {
    /// The step after the start of a sign-in (docs/reference/NativeAuthentication.md#sign-in).
    enum SignInStep: Sendable {
        case codeRequired(SignInCode, CodeDelivery)
        case passwordRequired(SignInPassword)
        /// The password that came with the start was accepted.
        case accepted(CredentialStep)
    }

    /// The step after a factor was accepted, or after another flow
    /// (docs/reference/NativeAuthentication.md#next-factor).
    enum CredentialStep: Sendable {
        case awaitingMFA(AwaitingMFA, [AuthMethod])
        case registrationRequired(StrongAuthRegistration, [AuthMethod])
        case completed(TokenResult)
    }

    /// The step after a code was sent, for the first time or again.
    struct CodeSent<Next: State>: Sendable, Hashable {
        let state: Next
        let delivery: CodeDelivery
    }

    /// The step after the choice of a contact for a strong method
    /// (docs/reference/NativeAuthentication.md#registration).
    enum RegistrationStep: Sendable {
        case verificationRequired(StrongAuthVerification, CodeDelivery)
        /// The contact was known to be the user's, and the sign-in continues.
        case registered(CredentialStep)
    }

    /// The step after the start of a sign-up (docs/reference/NativeAuthentication.md#sign-up).
    enum SignUpStep: Sendable {
        case codeRequired(SignUpCode, CodeDelivery)
        /// The app must start again with other values for the named attributes.
        case attributesInvalid([String])
    }

    /// The step after the code of a sign-up was accepted (docs/reference/NativeAuthentication.md#sign-up-code).
    enum SignUpCodeStep: Sendable {
        case passwordRequired(SignUpPassword)
        case accepted(SignUpProgress)
    }

    /// The step after an input of a sign-up was accepted, such as the password
    /// (docs/reference/NativeAuthentication.md#sign-up-password).
    enum SignUpProgress: Sendable {
        case attributesRequired(SignUpAttributes, [RequiredAttribute])
        case completed(FinishedFlow)
    }

    /// The step after attributes were sent (docs/reference/NativeAuthentication.md#sign-up-attributes).
    enum SignUpAttributesStep: Sendable {
        /// The app may try again with other values for the named attributes.
        case attributesInvalid(SignUpAttributes, [String])
        case accepted(SignUpProgress)
    }
}
