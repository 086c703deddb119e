// Licensed under the MIT License. See LICENSE.

/// Gets the next step of `resetPassword`, or its failure.
public protocol ResetPasswordStartDelegate: AnyObject {
    /// Called when the reset failed; look at the error's flags, and start again.
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
    /// Stands in for the missing member: the error member is called instead.
    @MainActor public func onResetPasswordCodeRequired(
        newState: ResetPasswordCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        OptionalMember.markMissing()
    }
}

/// Gets the outcome of `submitCode` of a reset.
public protocol ResetPasswordVerifyCodeDelegate: AnyObject {
    /// Called when the code was not accepted, or anything else failed. If there is a `newState`, submit a code to it.
    @MainActor func onResetPasswordVerifyCodeError(
        error: VerifyCodeError,
        newState: ResetPasswordCodeRequiredState?
    )

    /// Optional. Called when the code was right; ask for the new password.
    @MainActor func onPasswordRequired(newState: ResetPasswordRequiredState)
}

extension ResetPasswordVerifyCodeDelegate {
    /// Stands in for the missing member: the error member is called instead.
    @MainActor public func onPasswordRequired(newState: ResetPasswordRequiredState) {
        OptionalMember.markMissing()
    }
}

/// Gets the outcome of `resendCode` of a reset.
public protocol ResetPasswordResendCodeDelegate: AnyObject {
    /// Called when no new code was sent. The new state is `nil`; the earlier state may still accept the earlier code.
    @MainActor func onResetPasswordResendCodeError(
        error: ResendCodeError,
        newState: ResetPasswordCodeRequiredState?
    )

    /// Optional. Called when a new code was sent; the earlier one is void.
    @MainActor func onResetPasswordResendCodeRequired(
        newState: ResetPasswordCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    )
}

extension ResetPasswordResendCodeDelegate {
    /// Stands in for the missing member: the error member is called instead.
    @MainActor public func onResetPasswordResendCodeRequired(
        newState: ResetPasswordCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        OptionalMember.markMissing()
    }
}

/// Gets the outcome of `submitPassword` of a reset.
public protocol ResetPasswordRequiredDelegate: AnyObject {
    /// Called when the password was not accepted, or anything else failed. If there is a `newState`, try again with it.
    @MainActor func onResetPasswordRequiredError(
        error: PasswordRequiredError,
        newState: ResetPasswordRequiredState?
    )

    /// Optional. Called when the new password is in force. `newState` can sign the user in without asking again.
    @MainActor func onResetPasswordCompleted(newState: SignInAfterResetPasswordState)
}

extension ResetPasswordRequiredDelegate {
    /// Stands in for the missing member: the error member is called instead.
    @MainActor public func onResetPasswordCompleted(newState: SignInAfterResetPasswordState) {
        OptionalMember.markMissing()
    }
}
