// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

@testable import MSALBase

extension CaseDelegate: SignInStartDelegate, SignInPasswordRequiredDelegate, SignInVerifyCodeDelegate,
    SignInResendCodeDelegate, SignInAfterSignUpDelegate, SignInAfterResetPasswordDelegate
{
    func onSignInStartError(error: SignInStartError) { note("onSignInStartError", error: error) }
    func onSignInPasswordRequired(newState: SignInPasswordRequiredState) {
        note("onSignInPasswordRequired", state: newState)
    }
    func onSignInCompleted(result: MSALNativeAuthUserAccountResult) {
        note(CaseOutcome("onSignInCompleted", account: result))
    }
    func onSignInAfterSignUpError(error: SignInAfterSignUpError) { note("onSignInAfterSignUpError", error: error) }
    func onSignInAfterResetPasswordError(error: SignInAfterResetPasswordError) {
        note("onSignInAfterResetPasswordError", error: error)
    }
    func onSignInCodeRequired(
        newState: SignInCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        noteCode(
            "onSignInCodeRequired",
            state: newState,
            sentTo: sentTo,
            channel: channelTargetType,
            codeLength: codeLength
        )
    }
    func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState) {
        noteMethods("onSignInAwaitingMFA", state: newState, methods: authMethods)
    }
    func onSignInStrongAuthMethodRegistration(authMethods: [MSALAuthMethod], newState: RegisterStrongAuthState) {
        noteMethods("onSignInStrongAuthMethodRegistration", state: newState, methods: authMethods)
    }
    func onSignInPasswordRequiredError(error: PasswordRequiredError, newState: SignInPasswordRequiredState?) {
        note("onSignInPasswordRequiredError", error: error, state: newState)
    }
    func onSignInVerifyCodeError(error: VerifyCodeError, newState: SignInCodeRequiredState?) {
        note("onSignInVerifyCodeError", error: error, state: newState)
    }
    func onSignInResendCodeError(error: ResendCodeError, newState: SignInCodeRequiredState?) {
        note("onSignInResendCodeError", error: error, state: newState)
    }
    func onSignInResendCodeCodeRequired(
        newState: SignInCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        noteCode(
            "onSignInResendCodeCodeRequired",
            state: newState,
            sentTo: sentTo,
            channel: channelTargetType,
            codeLength: codeLength
        )
    }
}

extension CaseDelegate: MFARequestChallengeDelegate, MFASubmitChallengeDelegate, RegisterStrongAuthChallengeDelegate,
    RegisterStrongAuthSubmitChallengeDelegate
{
    func onMFARequestChallengeError(error: MFARequestChallengeError, newState: MFARequiredState?) {
        note("onMFARequestChallengeError", error: error, state: newState)
    }
    func onMFARequestChallengeVerificationRequired(
        newState: MFARequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        noteCode(
            "onMFARequestChallengeVerificationRequired",
            state: newState,
            sentTo: sentTo,
            channel: channelTargetType,
            codeLength: codeLength
        )
    }
    func onMFARequestChallengeSelectionRequired(authMethods: [MSALAuthMethod], newState: MFARequiredState) {
        noteMethods("onMFARequestChallengeSelectionRequired", state: newState, methods: authMethods)
    }
    func onMFASubmitChallengeError(error: MFASubmitChallengeError, newState: MFARequiredState?) {
        note("onMFASubmitChallengeError", error: error, state: newState)
    }
    func onRegisterStrongAuthChallengeError(
        error: RegisterStrongAuthChallengeError,
        newState: RegisterStrongAuthState?
    ) {
        note("onRegisterStrongAuthChallengeError", error: error, state: newState)
    }
    func onRegisterStrongAuthVerificationRequired(
        result: MSALNativeAuthRegisterStrongAuthVerificationRequiredResult
    ) {
        noteCode(
            "onRegisterStrongAuthVerificationRequired",
            state: result.newState,
            sentTo: result.sentTo,
            channel: result.channelTargetType,
            codeLength: result.codeLength
        )
    }
    func onRegisterStrongAuthSubmitChallengeError(
        error: RegisterStrongAuthSubmitChallengeError,
        newState: RegisterStrongAuthVerificationRequiredState?
    ) {
        note("onRegisterStrongAuthSubmitChallengeError", error: error, state: newState)
    }
}

extension CaseDelegate: SignUpStartDelegate, SignUpVerifyCodeDelegate, SignUpResendCodeDelegate,
    SignUpPasswordRequiredDelegate, SignUpAttributesRequiredDelegate
{
    func onSignUpStartError(error: SignUpStartError) { note("onSignUpStartError", error: error) }
    func onSignUpPasswordRequired(newState: SignUpPasswordRequiredState) {
        note("onSignUpPasswordRequired", state: newState)
    }
    func onSignUpCompleted(newState: SignInAfterSignUpState) { note("onSignUpCompleted", state: newState) }
    func onSignUpCodeRequired(
        newState: SignUpCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        noteCode(
            "onSignUpCodeRequired",
            state: newState,
            sentTo: sentTo,
            channel: channelTargetType,
            codeLength: codeLength
        )
    }
    func onSignUpAttributesInvalid(attributeNames: [String]) {
        let names = JSONValue.array(attributeNames.map(JSONValue.string))
        note(CaseOutcome(callback: "onSignUpAttributesInvalid", values: ["attributeNames": names]))
    }
    func onSignUpAttributesInvalid(attributeNames: [String], newState: SignUpAttributesRequiredState) {
        let names = JSONValue.array(attributeNames.map(JSONValue.string))
        note("onSignUpAttributesInvalid", state: newState, values: ["attributeNames": names])
    }
    func onSignUpVerifyCodeError(error: VerifyCodeError, newState: SignUpCodeRequiredState?) {
        note("onSignUpVerifyCodeError", error: error, state: newState)
    }
    func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute],
        newState: SignUpAttributesRequiredState
    ) {
        noteAttributes(newState, attributes: attributes)
    }
    func onSignUpResendCodeError(error: ResendCodeError, newState: SignUpCodeRequiredState?) {
        note("onSignUpResendCodeError", error: error, state: newState)
    }
    func onSignUpResendCodeCodeRequired(
        newState: SignUpCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        noteCode(
            "onSignUpResendCodeCodeRequired",
            state: newState,
            sentTo: sentTo,
            channel: channelTargetType,
            codeLength: codeLength
        )
    }
    func onSignUpPasswordRequiredError(error: PasswordRequiredError, newState: SignUpPasswordRequiredState?) {
        note("onSignUpPasswordRequiredError", error: error, state: newState)
    }
    func onSignUpAttributesRequiredError(error: AttributesRequiredError) {
        note("onSignUpAttributesRequiredError", error: error)
    }
}

extension CaseDelegate: ResetPasswordStartDelegate, ResetPasswordVerifyCodeDelegate, ResetPasswordResendCodeDelegate,
    ResetPasswordRequiredDelegate, CredentialsDelegate
{
    func onResetPasswordStartError(error: ResetPasswordStartError) { note("onResetPasswordStartError", error: error) }
    func onPasswordRequired(newState: ResetPasswordRequiredState) { note("onPasswordRequired", state: newState) }
    func onResetPasswordCompleted(newState: SignInAfterResetPasswordState) {
        note("onResetPasswordCompleted", state: newState)
    }
    func onResetPasswordCodeRequired(
        newState: ResetPasswordCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        noteCode(
            "onResetPasswordCodeRequired",
            state: newState,
            sentTo: sentTo,
            channel: channelTargetType,
            codeLength: codeLength
        )
    }
    func onResetPasswordVerifyCodeError(error: VerifyCodeError, newState: ResetPasswordCodeRequiredState?) {
        note("onResetPasswordVerifyCodeError", error: error, state: newState)
    }
    func onResetPasswordResendCodeError(error: ResendCodeError, newState: ResetPasswordCodeRequiredState?) {
        note("onResetPasswordResendCodeError", error: error, state: newState)
    }
    func onResetPasswordResendCodeRequired(
        newState: ResetPasswordCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        noteCode(
            "onResetPasswordResendCodeRequired",
            state: newState,
            sentTo: sentTo,
            channel: channelTargetType,
            codeLength: codeLength
        )
    }
    func onResetPasswordRequiredError(error: PasswordRequiredError, newState: ResetPasswordRequiredState?) {
        note("onResetPasswordRequiredError", error: error, state: newState)
    }
    func onAccessTokenRetrieveError(error: RetrieveAccessTokenError) {
        note("onAccessTokenRetrieveError", error: error)
    }
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
