// Licensed under the MIT License. See LICENSE.

/// Receives the next step of a V2 flow, or its failure. One object can be used for all flows.
///
/// Each call ends in exactly one member, on the main actor. For each state that the app supports, the object conforms
/// to a separate protocol, such as ``MSALNativeAuthCodeRequiredDelegate``. If it does not conform to the next state's
/// protocol, the call ends with `isNotImplemented`, and the error names the protocol.
///
/// V2 is a preview at Microsoft: a minor version may change this name.
public protocol MSALNativeAuthFlowDelegate: AnyObject {
    /// Called when the user is signed in; the tokens are stored.
    @MainActor func onFlowCompleted(result: MSALNativeAuthUserAccountResult, scenario: MSALNativeAuthFlowScenario)

    /// Called when the call failed; check the error's flags. The same state may be used again.
    @MainActor func onFlowError(error: MSALNativeAuthFlowError, scenario: MSALNativeAuthFlowScenario)
}

/// The delegate of flows that send a one-time code. V2 is a preview at Microsoft.
public protocol MSALNativeAuthCodeRequiredDelegate: MSALNativeAuthFlowDelegate {
    /// Called when a one-time code was sent: ask for it.
    @MainActor func onCodeRequired(state: MSALNativeAuthCodeRequiredState, scenario: MSALNativeAuthFlowScenario)
}

/// For flows with a password: the user's own, or one for a new account. V2 is a preview at Microsoft.
public protocol MSALNativeAuthPasswordRequiredDelegate: MSALNativeAuthFlowDelegate {
    /// Called when the service requires the password.
    @MainActor func onPasswordRequired(state: MSALNativeAuthPasswordRequiredState, scenario: MSALNativeAuthFlowScenario)
}

/// The delegate for a password reset. V2 is a preview at Microsoft.
public protocol MSALNativeAuthNewPasswordRequiredDelegate: MSALNativeAuthFlowDelegate {
    /// Called when the user was verified: ask for the new password.
    @MainActor func onNewPasswordRequired(
        state: MSALNativeAuthNewPasswordRequiredState,
        scenario: MSALNativeAuthFlowScenario
    )
}

/// The delegate for a sign-up that requires attributes. V2 is a preview at Microsoft.
public protocol MSALNativeAuthAttributesRequiredDelegate: MSALNativeAuthFlowDelegate {
    /// Called when the service requires attributes of the user.
    @MainActor func onAttributesRequired(
        state: MSALNativeAuthAttributesRequiredState,
        scenario: MSALNativeAuthFlowScenario
    )
}

/// For users with several methods for the first or second factor. V2 is a preview at Microsoft.
public protocol MSALNativeAuthAuthMethodSelectionRequiredDelegate: MSALNativeAuthFlowDelegate {
    /// Called when the user must choose a method. A second factor is offered even if there is only one.
    @MainActor func onAuthMethodSelectionRequired(
        state: MSALNativeAuthAuthMethodSelectionRequiredState,
        scenario: MSALNativeAuthFlowScenario
    )
}

/// For second factors, with the signature of MSAL 2.15. Used if the delegate does not conform to
/// ``MSALNativeAuthAuthMethodSelectionRequiredDelegate``. V2 is a preview at Microsoft.
public protocol MSALNativeAuthMFARequiredDelegate: MSALNativeAuthFlowDelegate {
    /// Called when the user must choose a second factor.
    @MainActor func onMFARequired(state: MSALNativeAuthMFARequiredState, scenario: MSALNativeAuthFlowScenario)
}

/// The delegate for the code of a second factor. V2 is a preview at Microsoft.
public protocol MSALNativeAuthMFAVerificationRequiredDelegate: MSALNativeAuthFlowDelegate {
    /// Called when the code of the second factor was sent: ask for it.
    @MainActor func onMFAVerificationRequired(
        state: MSALNativeAuthMFAVerificationRequiredState,
        scenario: MSALNativeAuthFlowScenario
    )
}

/// The delegate for users who must register a strong authentication method. V2 is a preview at Microsoft.
public protocol MSALNativeAuthStrongAuthRegistrationRequiredDelegate: MSALNativeAuthFlowDelegate {
    /// Called when the user must register a method: let the user choose one and enter an address.
    @MainActor func onStrongAuthRegistrationRequired(
        state: MSALNativeAuthStrongAuthRegistrationRequiredState,
        scenario: MSALNativeAuthFlowScenario
    )
}

/// The delegate for the code that verifies an address. V2 is a preview at Microsoft.
public protocol MSALNativeAuthStrongAuthVerificationRequiredDelegate: MSALNativeAuthFlowDelegate {
    /// Called when a code was sent to the address that is being registered: ask for it.
    @MainActor func onStrongAuthVerificationRequired(
        state: MSALNativeAuthStrongAuthVerificationRequiredState,
        scenario: MSALNativeAuthFlowScenario
    )
}

/// The delegate for the end of a sign-up. V2 is a preview at Microsoft.
public protocol MSALNativeAuthSignInAfterSignUpRequiredDelegate: MSALNativeAuthFlowDelegate {
    /// Called when the account has been created; the state signs the user in without further input.
    @MainActor func onSignInAfterSignUpRequired(
        state: MSALNativeAuthSignInAfterSignUpState,
        scenario: MSALNativeAuthFlowScenario
    )
}

/// The delegate for the end of a reset. V2 is a preview at Microsoft.
public protocol MSALNativeAuthSignInAfterResetPasswordRequiredDelegate: MSALNativeAuthFlowDelegate {
    /// Called when the new password is in effect; the state signs the user in without further input.
    @MainActor func onSignInAfterResetPasswordRequired(
        state: MSALNativeAuthSignInAfterResetPasswordState,
        scenario: MSALNativeAuthFlowScenario
    )
}
