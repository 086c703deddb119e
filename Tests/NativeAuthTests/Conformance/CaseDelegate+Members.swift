// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

@testable import MSALSupport

extension CaseDelegate: SignInStartDelegate, SignInPasswordRequiredDelegate, SignInVerifyCodeDelegate,
    SignInResendCodeDelegate, SignInAfterSignUpDelegate, SignInAfterResetPasswordDelegate
{
    func onSignInStartError(error: SignInStartError) { note("onSignInStartError", error) }
    func onSignInPasswordRequired(newState: SignInPasswordRequiredState) { note("onSignInPasswordRequired", newState) }
    func onSignInCompleted(result: MSALNativeAuthUserAccountResult) { note(CaseOutcome("onSignInCompleted", result)) }
    func onSignInAfterSignUpError(error: SignInAfterSignUpError) { note("onSignInAfterSignUpError", error) }
    func onSignInAfterResetPasswordError(error: SignInAfterResetPasswordError) {
        note("onSignInAfterResetPasswordError", error)
    }
    func onSignInCodeRequired(
        newState: SignInCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        noteCode("onSignInCodeRequired", newState, sentTo, channelTargetType, codeLength)
    }
    func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState) {
        noteMethods("onSignInAwaitingMFA", newState, authMethods)
    }
    func onSignInStrongAuthMethodRegistration(authMethods: [MSALAuthMethod], newState: RegisterStrongAuthState) {
        noteMethods("onSignInStrongAuthMethodRegistration", newState, authMethods)
    }
    func onSignInPasswordRequiredError(error: PasswordRequiredError, newState: SignInPasswordRequiredState?) {
        note("onSignInPasswordRequiredError", error, newState)
    }
    func onSignInVerifyCodeError(error: VerifyCodeError, newState: SignInCodeRequiredState?) {
        note("onSignInVerifyCodeError", error, newState)
    }
    func onSignInResendCodeError(error: ResendCodeError, newState: SignInCodeRequiredState?) {
        note("onSignInResendCodeError", error, newState)
    }
    func onSignInResendCodeCodeRequired(
        newState: SignInCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        noteCode("onSignInResendCodeCodeRequired", newState, sentTo, channelTargetType, codeLength)
    }
}

extension CaseDelegate: MFARequestChallengeDelegate, MFASubmitChallengeDelegate, RegisterStrongAuthChallengeDelegate,
    RegisterStrongAuthSubmitChallengeDelegate
{
    func onMFARequestChallengeError(error: MFARequestChallengeError, newState: MFARequiredState?) {
        note("onMFARequestChallengeError", error, newState)
    }
    func onMFARequestChallengeVerificationRequired(
        newState: MFARequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        noteCode("onMFARequestChallengeVerificationRequired", newState, sentTo, channelTargetType, codeLength)
    }
    func onMFARequestChallengeSelectionRequired(authMethods: [MSALAuthMethod], newState: MFARequiredState) {
        noteMethods("onMFARequestChallengeSelectionRequired", newState, authMethods)
    }
    func onMFASubmitChallengeError(error: MFASubmitChallengeError, newState: MFARequiredState?) {
        note("onMFASubmitChallengeError", error, newState)
    }
    func onRegisterStrongAuthChallengeError(
        error: RegisterStrongAuthChallengeError,
        newState: RegisterStrongAuthState?
    ) {
        note("onRegisterStrongAuthChallengeError", error, newState)
    }
    func onRegisterStrongAuthVerificationRequired(
        result: MSALNativeAuthRegisterStrongAuthVerificationRequiredResult
    ) {
        noteCode(
            "onRegisterStrongAuthVerificationRequired",
            result.newState,
            result.sentTo,
            result.channelTargetType,
            result.codeLength
        )
    }
    func onRegisterStrongAuthSubmitChallengeError(
        error: RegisterStrongAuthSubmitChallengeError,
        newState: RegisterStrongAuthVerificationRequiredState?
    ) {
        note("onRegisterStrongAuthSubmitChallengeError", error, newState)
    }
}

extension CaseDelegate: SignUpStartDelegate, SignUpVerifyCodeDelegate, SignUpResendCodeDelegate,
    SignUpPasswordRequiredDelegate, SignUpAttributesRequiredDelegate
{
    func onSignUpStartError(error: SignUpStartError) { note("onSignUpStartError", error) }
    func onSignUpPasswordRequired(newState: SignUpPasswordRequiredState) { note("onSignUpPasswordRequired", newState) }
    func onSignUpCompleted(newState: SignInAfterSignUpState) { note("onSignUpCompleted", newState) }
    func onSignUpCodeRequired(
        newState: SignUpCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        noteCode("onSignUpCodeRequired", newState, sentTo, channelTargetType, codeLength)
    }
    func onSignUpAttributesInvalid(attributeNames: [String]) {
        let names = JSONValue.array(attributeNames.map(JSONValue.string))
        note(CaseOutcome(callback: "onSignUpAttributesInvalid", values: ["attributeNames": names]))
    }
    func onSignUpAttributesInvalid(attributeNames: [String], newState: SignUpAttributesRequiredState) {
        let names = JSONValue.array(attributeNames.map(JSONValue.string))
        note("onSignUpAttributesInvalid", newState, ["attributeNames": names])
    }
    func onSignUpVerifyCodeError(error: VerifyCodeError, newState: SignUpCodeRequiredState?) {
        note("onSignUpVerifyCodeError", error, newState)
    }
    func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute],
        newState: SignUpAttributesRequiredState
    ) {
        noteAttributes(newState, attributes)
    }
    func onSignUpResendCodeError(error: ResendCodeError, newState: SignUpCodeRequiredState?) {
        note("onSignUpResendCodeError", error, newState)
    }
    func onSignUpResendCodeCodeRequired(
        newState: SignUpCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        noteCode("onSignUpResendCodeCodeRequired", newState, sentTo, channelTargetType, codeLength)
    }
    func onSignUpPasswordRequiredError(error: PasswordRequiredError, newState: SignUpPasswordRequiredState?) {
        note("onSignUpPasswordRequiredError", error, newState)
    }
    func onSignUpAttributesRequiredError(error: AttributesRequiredError) {
        note("onSignUpAttributesRequiredError", error)
    }
}

extension CaseDelegate: ResetPasswordStartDelegate, ResetPasswordVerifyCodeDelegate, ResetPasswordResendCodeDelegate,
    ResetPasswordRequiredDelegate, CredentialsDelegate
{
    func onResetPasswordStartError(error: ResetPasswordStartError) { note("onResetPasswordStartError", error) }
    func onPasswordRequired(newState: ResetPasswordRequiredState) { note("onPasswordRequired", newState) }
    func onResetPasswordCompleted(newState: SignInAfterResetPasswordState) {
        note("onResetPasswordCompleted", newState)
    }
    func onResetPasswordCodeRequired(
        newState: ResetPasswordCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        noteCode("onResetPasswordCodeRequired", newState, sentTo, channelTargetType, codeLength)
    }
    func onResetPasswordVerifyCodeError(error: VerifyCodeError, newState: ResetPasswordCodeRequiredState?) {
        note("onResetPasswordVerifyCodeError", error, newState)
    }
    func onResetPasswordResendCodeError(error: ResendCodeError, newState: ResetPasswordCodeRequiredState?) {
        note("onResetPasswordResendCodeError", error, newState)
    }
    func onResetPasswordResendCodeRequired(
        newState: ResetPasswordCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        noteCode("onResetPasswordResendCodeRequired", newState, sentTo, channelTargetType, codeLength)
    }
    func onResetPasswordRequiredError(error: PasswordRequiredError, newState: ResetPasswordRequiredState?) {
        note("onResetPasswordRequiredError", error, newState)
    }
    func onAccessTokenRetrieveError(error: RetrieveAccessTokenError) { note("onAccessTokenRetrieveError", error) }
    func onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult) {
        note(
            CaseOutcome(
                callback: "onAccessTokenRetrieveCompleted",
                values: [
                    "accessToken": .string(result.accessToken),
                    "refreshToken": result.refreshToken.map(JSONValue.string) ?? .null,
                    "scopes": .array(result.scopes.map(JSONValue.string)),
                ]
            )
        )
    }
}
