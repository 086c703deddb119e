// Licensed under the MIT License. See LICENSE.

/// Learns how `signIn` goes on.
///
/// Each operation calls one member, on the main actor. If the delegate lacks the optional member that is needed, its
/// error member is called, with a general error that names the missing one.
public protocol SignInStartDelegate:
    MSALNativeAuthStrongAuthRegistrationDelegate, MSALNativeAuthAwaitingMFADelegate,
    MSALNativeAuthSignInCompletedDelegate
{
    /// Called when the sign-in failed; look at the error's flags, and start again.
    @MainActor func onSignInStartError(error: SignInStartError)

    /// Optional. Called when a one-time code was sent; a password that was given is not used.
    @MainActor func onSignInCodeRequired(
        newState: SignInCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    )

    /// Optional. Called when the service wants the password.
    @MainActor func onSignInPasswordRequired(newState: SignInPasswordRequiredState)

    /// Optional. Called when the user must register a strong authentication method first.
    @MainActor func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod],
        newState: RegisterStrongAuthState
    )

    /// Optional. Called when the service wants a second factor; request the challenge of one of the methods.
    @MainActor func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState)

    /// Optional. The form of MSAL 1.6 to 2.4; called if the delegate lacks the one with the methods.
    @MainActor func onSignInAwaitingMFA(newState: AwaitingMFAState)

    /// Optional. Called when the user is signed in; the tokens are stored.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

extension SignInStartDelegate {
    /// Stands in for the missing member: the error member is called instead.
    @MainActor public func onSignInCodeRequired(
        newState: SignInCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        OptionalMember.markMissing()
    }

    /// Stands in for the missing member: the error member is called instead.
    @MainActor public func onSignInPasswordRequired(newState: SignInPasswordRequiredState) {
        OptionalMember.markMissing()
    }
}

/// Gets the outcome of `submitPassword` of a sign-in.
public protocol SignInPasswordRequiredDelegate:
    MSALNativeAuthAwaitingMFADelegate, MSALNativeAuthStrongAuthRegistrationDelegate,
    MSALNativeAuthSignInCompletedDelegate
{
    /// Called when the password was not accepted, or anything else failed; with a state it can be tried again.
    @MainActor func onSignInPasswordRequiredError(
        error: PasswordRequiredError,
        newState: SignInPasswordRequiredState?
    )

    /// Optional. Called when the service wants a second factor; request the challenge of one of the methods.
    @MainActor func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState)

    /// Optional. The form of MSAL 1.6 to 2.4; called if the delegate lacks the one with the methods.
    @MainActor func onSignInAwaitingMFA(newState: AwaitingMFAState)

    /// Optional. Called when the user must register a strong authentication method first.
    @MainActor func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod],
        newState: RegisterStrongAuthState
    )

    /// Optional. Called when the user is signed in; the tokens are stored.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

/// Gets the outcome of `submitCode` of a sign-in.
public protocol SignInVerifyCodeDelegate:
    MSALNativeAuthAwaitingMFADelegate, MSALNativeAuthStrongAuthRegistrationDelegate,
    MSALNativeAuthSignInCompletedDelegate
{
    /// Called when the code was not accepted, or anything else failed; with a state it can be tried again.
    @MainActor func onSignInVerifyCodeError(
        error: VerifyCodeError,
        newState: SignInCodeRequiredState?
    )

    /// Optional. Called when the service wants a second factor; request the challenge of one of the methods.
    @MainActor func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState)

    /// Optional. Called when the user must register a strong authentication method first.
    @MainActor func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod],
        newState: RegisterStrongAuthState
    )

    /// Optional. Called when the user is signed in; the tokens are stored.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

/// Gets the outcome of `resendCode` of a sign-in.
public protocol SignInResendCodeDelegate: AnyObject {
    /// Called when no new code was sent; with a state the earlier code can still be submitted.
    @MainActor func onSignInResendCodeError(
        error: ResendCodeError,
        newState: SignInCodeRequiredState?
    )

    /// Optional. Called when a new code was sent; the earlier one is void.
    @MainActor func onSignInResendCodeCodeRequired(
        newState: SignInCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    )
}

extension SignInResendCodeDelegate {
    /// Stands in for the missing member: the error member is called instead.
    @MainActor public func onSignInResendCodeCodeRequired(
        newState: SignInCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        OptionalMember.markMissing()
    }
}

/// Gets the outcome of the sign-in after a sign-up.
public protocol SignInAfterSignUpDelegate:
    MSALNativeAuthAwaitingMFADelegate, MSALNativeAuthStrongAuthRegistrationDelegate,
    MSALNativeAuthSignInCompletedDelegate
{
    /// Called when the sign-in failed; the account exists: use `signIn` of the application.
    @MainActor func onSignInAfterSignUpError(error: SignInAfterSignUpError)

    /// Optional. Called when the service wants a second factor; request the challenge of one of the methods.
    @MainActor func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState)

    /// Optional. The form of MSAL 1.6 to 2.4; called if the delegate lacks the one with the methods.
    @MainActor func onSignInAwaitingMFA(newState: AwaitingMFAState)

    /// Optional. Called when the user must register a strong authentication method first.
    @MainActor func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod],
        newState: RegisterStrongAuthState
    )

    /// Optional. Called when the user is signed in; the tokens are stored.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

/// Gets the outcome of the sign-in after the reset of a password.
public protocol SignInAfterResetPasswordDelegate:
    MSALNativeAuthAwaitingMFADelegate, MSALNativeAuthStrongAuthRegistrationDelegate,
    MSALNativeAuthSignInCompletedDelegate
{
    /// Called when the sign-in failed; the new password holds: use `signIn` of the application.
    @MainActor func onSignInAfterResetPasswordError(error: SignInAfterResetPasswordError)

    /// Optional. Called when the service wants a second factor; request the challenge of one of the methods.
    @MainActor func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState)

    /// Optional. The form of MSAL 1.6 to 2.4; called if the delegate lacks the one with the methods.
    @MainActor func onSignInAwaitingMFA(newState: AwaitingMFAState)

    /// Optional. Called when the user must register a strong authentication method first.
    @MainActor func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod],
        newState: RegisterStrongAuthState
    )

    /// Optional. Called when the user is signed in; the tokens are stored.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}
