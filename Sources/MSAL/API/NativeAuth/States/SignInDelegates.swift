// Licensed under the MIT License. See LICENSE.

/// Receives the next step of `signIn`, or its failure.
///
/// Each operation calls one member, on the main actor. If the delegate does not implement the optional member for that
/// step, its error member is called instead. The error sets no flag, and its description names the missing member.
public protocol SignInStartDelegate:
    MSALNativeAuthStrongAuthRegistrationDelegate, MSALNativeAuthAwaitingMFADelegate,
    MSALNativeAuthSignInCompletedDelegate
{
    /// Called when the sign-in failed; check the error's flags, and start again.
    @MainActor func onSignInStartError(error: SignInStartError)

    /// Optional. Called when a one-time code was sent. A password in the parameters is not used in that case.
    @MainActor func onSignInCodeRequired(
        newState: SignInCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    )

    /// Optional. Called when the service requires the password.
    @MainActor func onSignInPasswordRequired(newState: SignInPasswordRequiredState)

    /// Optional. Called when the user must register a strong authentication method first.
    @MainActor func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod],
        newState: RegisterStrongAuthState
    )

    /// Optional. Called when the service requires a second factor; request the challenge of one of the methods.
    @MainActor func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState)

    /// Optional. The member of MSAL 1.6 to 2.4. It is called if the delegate lacks the member with the methods.
    @MainActor func onSignInAwaitingMFA(newState: AwaitingMFAState)

    /// Optional. Called when the user is signed in; the tokens are stored.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

extension SignInStartDelegate {
    /// The default for delegates that do not implement the member: the error member is called instead.
    @MainActor public func onSignInCodeRequired(
        newState: SignInCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) { OptionalMember.markMissing() }

    /// The default for delegates that do not implement the member: the error member is called instead.
    @MainActor public func onSignInPasswordRequired(newState: SignInPasswordRequiredState) {
        OptionalMember.markMissing()
    }
}

/// Receives the outcome of `submitPassword` of a sign-in.
public protocol SignInPasswordRequiredDelegate:
    MSALNativeAuthAwaitingMFADelegate, MSALNativeAuthStrongAuthRegistrationDelegate,
    MSALNativeAuthSignInCompletedDelegate
{
    /// Called when the password was not accepted, or anything else failed. If there is a `newState`, try again with it.
    @MainActor func onSignInPasswordRequiredError(error: PasswordRequiredError, newState: SignInPasswordRequiredState?)

    /// Optional. Called when the service requires a second factor; request the challenge of one of the methods.
    @MainActor func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState)

    /// Optional. The member of MSAL 1.6 to 2.4. It is called if the delegate lacks the member with the methods.
    @MainActor func onSignInAwaitingMFA(newState: AwaitingMFAState)

    /// Optional. Called when the user must register a strong authentication method first.
    @MainActor func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod],
        newState: RegisterStrongAuthState
    )

    /// Optional. Called when the user is signed in; the tokens are stored.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

/// Receives the outcome of `submitCode` of a sign-in.
public protocol SignInVerifyCodeDelegate:
    MSALNativeAuthAwaitingMFADelegate, MSALNativeAuthStrongAuthRegistrationDelegate,
    MSALNativeAuthSignInCompletedDelegate
{
    /// Called when the code was not accepted, or anything else failed. If there is a `newState`, submit a code to it.
    @MainActor func onSignInVerifyCodeError(error: VerifyCodeError, newState: SignInCodeRequiredState?)

    /// Optional. Called when the service requires a second factor; request the challenge of one of the methods.
    @MainActor func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState)

    /// Optional. Called when the user must register a strong authentication method first.
    @MainActor func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod],
        newState: RegisterStrongAuthState
    )

    /// Optional. Called when the user is signed in; the tokens are stored.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

/// Receives the outcome of `resendCode` of a sign-in.
public protocol SignInResendCodeDelegate: AnyObject {
    /// Called when no new code was sent. If there is a `newState`, it still accepts the previous code.
    @MainActor func onSignInResendCodeError(error: ResendCodeError, newState: SignInCodeRequiredState?)

    /// Optional. Called when a new code was sent; the previous one is no longer valid.
    @MainActor func onSignInResendCodeCodeRequired(
        newState: SignInCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    )
}

extension SignInResendCodeDelegate {
    /// The default for delegates that do not implement the member: the error member is called instead.
    @MainActor public func onSignInResendCodeCodeRequired(
        newState: SignInCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) { OptionalMember.markMissing() }
}

/// Receives the outcome of the sign-in after a sign-up.
public protocol SignInAfterSignUpDelegate:
    MSALNativeAuthAwaitingMFADelegate, MSALNativeAuthStrongAuthRegistrationDelegate,
    MSALNativeAuthSignInCompletedDelegate
{
    /// Called when the sign-in failed; the account exists: use the application's `signIn`.
    @MainActor func onSignInAfterSignUpError(error: SignInAfterSignUpError)

    /// Optional. Called when the service requires a second factor; request the challenge of one of the methods.
    @MainActor func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState)

    /// Optional. The member of MSAL 1.6 to 2.4. It is called if the delegate lacks the member with the methods.
    @MainActor func onSignInAwaitingMFA(newState: AwaitingMFAState)

    /// Optional. Called when the user must register a strong authentication method first.
    @MainActor func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod],
        newState: RegisterStrongAuthState
    )

    /// Optional. Called when the user is signed in; the tokens are stored.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

/// Receives the outcome of the sign-in after a password reset.
public protocol SignInAfterResetPasswordDelegate:
    MSALNativeAuthAwaitingMFADelegate, MSALNativeAuthStrongAuthRegistrationDelegate,
    MSALNativeAuthSignInCompletedDelegate
{
    /// Called when the sign-in failed; the new password is in effect: use the application's `signIn`.
    @MainActor func onSignInAfterResetPasswordError(error: SignInAfterResetPasswordError)

    /// Optional. Called when the service requires a second factor; request the challenge of one of the methods.
    @MainActor func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState)

    /// Optional. The member of MSAL 1.6 to 2.4. It is called if the delegate lacks the member with the methods.
    @MainActor func onSignInAwaitingMFA(newState: AwaitingMFAState)

    /// Optional. Called when the user must register a strong authentication method first.
    @MainActor func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod],
        newState: RegisterStrongAuthState
    )

    /// Optional. Called when the user is signed in; the tokens are stored.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

// Several delegates share some optional members. Each shared member, with its default, is in a separate protocol whose
// name is not Microsoft's. With a default in each delegate, a class that conforms to several delegates would have to
// implement the shared members. Apps conform to the delegates and not to these protocols.

/// The member of every delegate whose operation can complete a sign-in.
public protocol MSALNativeAuthSignInCompletedDelegate: AnyObject {
    /// Called when the user is signed in; the tokens are stored.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

extension MSALNativeAuthSignInCompletedDelegate {
    /// The default for delegates that do not implement the member: the operation's error member is called instead.
    @MainActor public func onSignInCompleted(result: MSALNativeAuthUserAccountResult) {
        OptionalMember.markMissing()
    }
}
