// Licensed under the MIT License. See LICENSE.

/// Receives the next step of `signUp`, or its failure.
public protocol SignUpStartDelegate: AnyObject {
    /// Called when the sign-up failed; check the error's flags, and start again.
    @MainActor func onSignUpStartError(error: SignUpStartError)

    /// Optional. Called when a one-time code was sent; ask for it and submit it to the state.
    @MainActor func onSignUpCodeRequired(
        newState: SignUpCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    )

    /// Optional. Called when the service rejected these attributes; start again with other values.
    @MainActor func onSignUpAttributesInvalid(attributeNames: [String])
}

extension SignUpStartDelegate {
    /// The default for delegates that do not implement the member: the error member is called instead.
    @MainActor public func onSignUpCodeRequired(
        newState: SignUpCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        OptionalMember.markMissing()
    }

    /// The default for delegates that do not implement the member: the error member is called instead.
    @MainActor public func onSignUpAttributesInvalid(attributeNames: [String]) {
        OptionalMember.markMissing()
    }
}

/// Receives the outcome of `submitCode` of a sign-up.
public protocol SignUpVerifyCodeDelegate:
    MSALNativeAuthSignUpAttributesDelegate, MSALNativeAuthSignUpCompletedDelegate
{
    /// Called when the code was not accepted, or anything else failed. If there is a `newState`, submit a code to it.
    @MainActor func onSignUpVerifyCodeError(error: VerifyCodeError, newState: SignUpCodeRequiredState?)

    /// Optional. Called when the service requires a password; ask for a new one.
    @MainActor func onSignUpPasswordRequired(newState: SignUpPasswordRequiredState)

    /// Optional. Called when the service requires attributes of the user; ask for them and submit them.
    @MainActor func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute],
        newState: SignUpAttributesRequiredState
    )

    /// Optional. Called when the account exists. `newState` can sign the user in without further input.
    @MainActor func onSignUpCompleted(newState: SignInAfterSignUpState)
}

extension SignUpVerifyCodeDelegate {
    /// The default for delegates that do not implement the member: the error member is called instead.
    @MainActor public func onSignUpPasswordRequired(newState: SignUpPasswordRequiredState) {
        OptionalMember.markMissing()
    }
}

/// Receives the outcome of `resendCode` of a sign-up.
public protocol SignUpResendCodeDelegate: AnyObject {
    /// Called when no new code was sent. If there is a `newState`, it still accepts the previous code.
    @MainActor func onSignUpResendCodeError(error: ResendCodeError, newState: SignUpCodeRequiredState?)

    /// Optional. Called when a new code was sent; the previous one is no longer valid.
    @MainActor func onSignUpResendCodeCodeRequired(
        newState: SignUpCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    )
}

extension SignUpResendCodeDelegate {
    /// The default for delegates that do not implement the member: the error member is called instead.
    @MainActor public func onSignUpResendCodeCodeRequired(
        newState: SignUpCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        OptionalMember.markMissing()
    }
}

/// Receives the outcome of `submitPassword` of a sign-up.
public protocol SignUpPasswordRequiredDelegate:
    MSALNativeAuthSignUpAttributesDelegate, MSALNativeAuthSignUpCompletedDelegate
{
    /// Called when the password was not accepted, or anything else failed. If there is a `newState`, try again with it.
    @MainActor func onSignUpPasswordRequiredError(error: PasswordRequiredError, newState: SignUpPasswordRequiredState?)

    /// Optional. Called when the service requires attributes of the user; ask for them and submit them.
    @MainActor func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute],
        newState: SignUpAttributesRequiredState
    )

    /// Optional. Called when the account exists. `newState` can sign the user in without further input.
    @MainActor func onSignUpCompleted(newState: SignInAfterSignUpState)
}

/// Receives the outcome of `submitAttributes`.
public protocol SignUpAttributesRequiredDelegate:
    MSALNativeAuthSignUpAttributesDelegate, MSALNativeAuthSignUpCompletedDelegate
{
    /// Called when the sign-up failed; start again.
    @MainActor func onSignUpAttributesRequiredError(error: AttributesRequiredError)

    /// Optional. Called when the service rejected these attributes; submit other values to the state.
    @MainActor func onSignUpAttributesInvalid(attributeNames: [String], newState: SignUpAttributesRequiredState)

    /// Optional. Called when the service requires attributes of the user; ask for them and submit them.
    @MainActor func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute],
        newState: SignUpAttributesRequiredState
    )

    /// Optional. Called when the account exists. `newState` can sign the user in without further input.
    @MainActor func onSignUpCompleted(newState: SignInAfterSignUpState)
}

extension SignUpAttributesRequiredDelegate {
    /// The default for delegates that do not implement the member: the error member is called instead.
    @MainActor public func onSignUpAttributesInvalid(
        attributeNames: [String],
        newState: SignUpAttributesRequiredState
    ) {
        OptionalMember.markMissing()
    }
}

// MARK: - Shared by several delegates

/// The member of every delegate whose operation can require attributes.
public protocol MSALNativeAuthSignUpAttributesDelegate: AnyObject {
    /// Called when the service requires attributes of the user; ask for them and submit them.
    @MainActor func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute],
        newState: SignUpAttributesRequiredState
    )
}

extension MSALNativeAuthSignUpAttributesDelegate {
    /// The default for delegates that do not implement the member: the operation's error member is called instead.
    @MainActor public func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute],
        newState: SignUpAttributesRequiredState
    ) {
        OptionalMember.markMissing()
    }
}

/// The member of every delegate whose operation can create an account.
public protocol MSALNativeAuthSignUpCompletedDelegate: AnyObject {
    /// Called when the account exists. `newState` can sign the user in without further input.
    @MainActor func onSignUpCompleted(newState: SignInAfterSignUpState)
}

extension MSALNativeAuthSignUpCompletedDelegate {
    /// The default for delegates that do not implement the member: the operation's error member is called instead.
    @MainActor public func onSignUpCompleted(newState: SignInAfterSignUpState) {
        OptionalMember.markMissing()
    }
}
