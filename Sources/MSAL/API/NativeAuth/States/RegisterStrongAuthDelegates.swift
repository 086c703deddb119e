// Licensed under the MIT License. See LICENSE.

/// Receives the outcome of `challengeAuthMethod`.
public protocol RegisterStrongAuthChallengeDelegate: MSALNativeAuthSignInCompletedDelegate {
    /// Called when no code was sent. If there is a `newState`, it can request a code again, also with another address
    /// or method.
    @MainActor func onRegisterStrongAuthChallengeError(
        error: RegisterStrongAuthChallengeError,
        newState: RegisterStrongAuthState?
    )

    /// Optional. Called when a one-time code was sent to the address; ask for it and submit it to the result's state.
    @MainActor func onRegisterStrongAuthVerificationRequired(
        result: MSALNativeAuthRegisterStrongAuthVerificationRequiredResult
    )

    /// Optional. Called when the user is signed in; the tokens are stored.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

extension RegisterStrongAuthChallengeDelegate {
    /// The default for delegates that do not implement the member: the error member is called instead.
    @MainActor public func onRegisterStrongAuthVerificationRequired(
        result: MSALNativeAuthRegisterStrongAuthVerificationRequiredResult
    ) { OptionalMember.markMissing() }
}

/// Receives the outcome of `submitChallenge` of a registration.
public protocol RegisterStrongAuthSubmitChallengeDelegate: MSALNativeAuthSignInCompletedDelegate {
    /// Called when the code was not accepted, or anything else failed. If there is a `newState`, submit a code to it.
    @MainActor func onRegisterStrongAuthSubmitChallengeError(
        error: RegisterStrongAuthSubmitChallengeError,
        newState: RegisterStrongAuthVerificationRequiredState?
    )

    /// Optional. Called when the user is signed in; the tokens are stored.
    @MainActor func onSignInCompleted(result: MSALNativeAuthUserAccountResult)
}

// MARK: - Shared by several delegates

/// The member of every delegate whose operation can require the registration of a method.
public protocol MSALNativeAuthStrongAuthRegistrationDelegate: AnyObject {
    /// Called when the user must register a strong authentication method: let the user choose one and enter an address.
    @MainActor func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod],
        newState: RegisterStrongAuthState
    )
}

extension MSALNativeAuthStrongAuthRegistrationDelegate {
    /// The default for delegates that do not implement the member: the operation's error member is called instead.
    @MainActor public func onSignInStrongAuthMethodRegistration(
        authMethods: [MSALAuthMethod],
        newState: RegisterStrongAuthState
    ) { OptionalMember.markMissing() }
}
