// Licensed under the MIT License. See LICENSE.

/// Receives the next step of `resetPassword`, or its failure.
public protocol ResetPasswordStartDelegate: AnyObject {
    /// Called when the reset failed; check the error's flags, and start again.
    @MainActor func onResetPasswordStartError(error: ResetPasswordStartError)

    /// Optional. Called when a one-time code was sent; ask for it and submit it to the state.
    @MainActor func onResetPasswordCodeRequired(
        newState: ResetPasswordCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    )
}

extension ResetPasswordStartDelegate {
    /// The default for delegates that do not implement the member: the error member is called instead.
    @MainActor public func onResetPasswordCodeRequired(
        newState: ResetPasswordCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        OptionalMember.markMissing()
    }
}

/// Receives the outcome of `submitCode` of a reset.
public protocol ResetPasswordVerifyCodeDelegate: AnyObject {
    /// Called when the code was not accepted, or anything else failed. If there is a `newState`, submit a code to it.
    @MainActor func onResetPasswordVerifyCodeError(error: VerifyCodeError, newState: ResetPasswordCodeRequiredState?)

    /// Optional. Called when the code was correct; ask for the new password.
    @MainActor func onPasswordRequired(newState: ResetPasswordRequiredState)
}

extension ResetPasswordVerifyCodeDelegate {
    /// The default for delegates that do not implement the member: the error member is called instead.
    @MainActor public func onPasswordRequired(newState: ResetPasswordRequiredState) {
        OptionalMember.markMissing()
    }
}

/// Receives the outcome of `resendCode` of a reset.
public protocol ResetPasswordResendCodeDelegate: AnyObject {
    /// Called when no new code was sent. The new state is `nil`; the previous state may still accept the previous code.
    @MainActor func onResetPasswordResendCodeError(error: ResendCodeError, newState: ResetPasswordCodeRequiredState?)

    /// Optional. Called when a new code was sent; the previous one is no longer valid.
    @MainActor func onResetPasswordResendCodeRequired(
        newState: ResetPasswordCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    )
}

extension ResetPasswordResendCodeDelegate {
    /// The default for delegates that do not implement the member: the error member is called instead.
    @MainActor public func onResetPasswordResendCodeRequired(
        newState: ResetPasswordCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        OptionalMember.markMissing()
    }
}

/// Receives the outcome of `submitPassword` of a reset.
public protocol ResetPasswordRequiredDelegate: AnyObject {
    /// Called when the password was not accepted, or anything else failed. If there is a `newState`, try again with it.
    @MainActor func onResetPasswordRequiredError(error: PasswordRequiredError, newState: ResetPasswordRequiredState?)

    /// Optional. Called when the new password is in effect. `newState` can sign the user in without further input.
    @MainActor func onResetPasswordCompleted(newState: SignInAfterResetPasswordState)
}

extension ResetPasswordRequiredDelegate {
    /// The default for delegates that do not implement the member: the error member is called instead.
    @MainActor public func onResetPasswordCompleted(newState: SignInAfterResetPasswordState) {
        OptionalMember.markMissing()
    }
}
