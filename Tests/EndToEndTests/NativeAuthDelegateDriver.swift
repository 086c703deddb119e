// Licensed under the MIT License. See LICENSE.

import Foundation

@testable import MSAL

/// An app whose only delegate adopts every protocol.
@MainActor
final class NativeAuthDelegateDriver: NativeAuthDriver {
    private let application: MSALNativeAuthPublicClientApplication
    private var waiting: CheckedContinuation<NativeAuthObservation, Never>?
    private var methods: [MSALAuthMethod] = []
    /// The codes of the newest error.
    private(set) var newestCodes: [Int] = []
    /// The newest state that the delegate received.
    private var state: Any?

    nonisolated init(_ application: MSALNativeAuthPublicClientApplication) {
        self.application = application
    }

    func make(_ move: NativeAuthMove) async throws -> NativeAuthObservation {
        switch move {
        case .signOut:
            guard let state = state as? MSALNativeAuthUserAccountResult else {
                throw ImpossibleMove(move, state: state)
            }
            state.signOut()
            return .noAccount
        case .lookUpAccount:
            guard let found = application.getNativeAuthUserAccount() else { return .noAccount }
            state = found
            return .account(found.account.username ?? "")
        default:
            let call = try call(for: move)
            // Every call ends in exactly one call of the delegate.
            return await withCheckedContinuation { continuation in
                waiting = continuation
                call()
            }
        }
    }

    private func call(for move: NativeAuthMove) throws -> () -> Void {
        let application = application
        switch (move, state) {
        case (.signIn(let name, let password, let scopes), _):
            let parameters = MSALNativeAuthSignInParameters(username: name)
            parameters.password = password
            if !scopes.isEmpty { parameters.scopes = scopes }
            return { application.signIn(parameters: parameters, delegate: self) }
        case (.signUp(let name, let password, let attributes), _):
            let parameters = MSALNativeAuthSignUpParameters(username: name)
            parameters.password = password
            parameters.attributes = attributes
            return { application.signUp(parameters: parameters, delegate: self) }
        case (.resetPassword(let name), _):
            return { application.resetPassword(parameters: .init(username: name), delegate: self) }
        case (.typedCode(let code), let state as SignInCodeRequiredState):
            return { state.submitCode(code: code, delegate: self) }
        case (.typedCode(let code), let state as MFARequiredState):
            return { state.submitChallenge(challenge: code, delegate: self) }
        case (.typedCode(let code), let state as RegisterStrongAuthVerificationRequiredState):
            return { state.submitChallenge(challenge: code, delegate: self) }
        case (.typedCode(let code), let state as SignUpCodeRequiredState):
            return { state.submitCode(code: code, delegate: self) }
        case (.typedCode(let code), let state as ResetPasswordCodeRequiredState):
            return { state.submitCode(code: code, delegate: self) }
        case (.resendCode, let state as SignInCodeRequiredState): return { state.resendCode(delegate: self) }
        case (.resendCode, let state as SignUpCodeRequiredState): return { state.resendCode(delegate: self) }
        case (.resendCode, let state as ResetPasswordCodeRequiredState): return { state.resendCode(delegate: self) }
        case (.password(let password), let state as SignInPasswordRequiredState):
            return { state.submitPassword(password: password, delegate: self) }
        case (.password(let password), let state as SignUpPasswordRequiredState):
            return { state.submitPassword(password: password, delegate: self) }
        case (.password(let password), let state as ResetPasswordRequiredState):
            return { state.submitPassword(password: password, delegate: self) }
        case (.attributes(let attributes), let state as SignUpAttributesRequiredState):
            return { state.submitAttributes(attributes: attributes, delegate: self) }
        case (.choose(let index), let state as AwaitingMFAState):
            let method = methods[index]
            return { state.requestChallenge(authMethod: method, delegate: self) }
        case (.choose(let index), let state as MFARequiredState):
            let method = methods[index]
            return { state.requestChallenge(authMethod: method, delegate: self) }
        case (.register(let index, let contact), let state as RegisterStrongAuthState):
            let parameters = contactParameters(index, contact: contact)
            return { state.challengeAuthMethod(parameters: parameters, delegate: self) }
        case (.register(let index, let contact), let state as RegisterStrongAuthVerificationRequiredState):
            let parameters = contactParameters(index, contact: contact)
            return { state.challengeAuthMethod(parameters: parameters, delegate: self) }
        case (.signInAfterwards, let state as SignInAfterSignUpState):
            return { state.signIn(parameters: .init(), delegate: self) }
        case (.signInAfterwards, let state as SignInAfterResetPasswordState):
            return { state.signIn(parameters: .init(), delegate: self) }
        case (.accessToken(let scopes, let forceRefresh), let state as MSALNativeAuthUserAccountResult):
            let parameters = MSALNativeAuthGetAccessTokenParameters()
            parameters.scopes = scopes
            parameters.forceRefresh = forceRefresh
            return { state.getAccessToken(parameters: parameters, delegate: self) }
        default: throw ImpossibleMove(move, state: state)
        }
    }

    private func contactParameters(_ index: Int, contact: String) -> MSALNativeAuthChallengeAuthMethodParameters {
        .init(authMethod: methods[index], verificationContact: contact)
    }

    private func see(_ observation: NativeAuthObservation, state: Any?) {
        self.state = state
        waiting?.resume(returning: observation)
        waiting = nil
    }

    private func fail(
        _ reason: MSALNativeAuthStepError.Reason,
        error: MSALNativeAuthError,
        isBrowserRequired: Bool = false,
        state: (any AnyObject)? = nil
    ) {
        newestCodes = error.errorCodes
        see(isBrowserRequired ? .browserRequired : .failure(reason, retry: state != nil), state: state)
    }
}

extension NativeAuthDelegateDriver: SignInStartDelegate, SignInPasswordRequiredDelegate, SignInVerifyCodeDelegate,
    SignInResendCodeDelegate, SignInAfterSignUpDelegate, SignInAfterResetPasswordDelegate
{
    func onSignInCompleted(result: MSALNativeAuthUserAccountResult) {
        see(.account(result.account.username ?? ""), state: result)
    }

    func onSignInCodeRequired(
        newState: SignInCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        see(.signInCode(to: sentTo), state: newState)
    }

    func onSignInResendCodeCodeRequired(
        newState: SignInCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        see(.signInCode(to: sentTo), state: newState)
    }

    func onSignInPasswordRequired(newState: SignInPasswordRequiredState) {
        see(.signInPassword, state: newState)
    }

    func onSignInAwaitingMFA(authMethods: [MSALAuthMethod], newState: AwaitingMFAState) {
        methods = authMethods
        see(.secondFactor(authMethods.map(\.channelTargetType.value)), state: newState)
    }

    func onSignInStrongAuthMethodRegistration(authMethods: [MSALAuthMethod], newState: RegisterStrongAuthState) {
        methods = authMethods
        see(.registration(authMethods.map(\.channelTargetType.value)), state: newState)
    }

    func onSignInStartError(error: SignInStartError) {
        let reason: MSALNativeAuthStepError.Reason =
            if error.isUserNotFound {
                .userNotFound
            } else if error.isInvalidCredentials {
                .invalidCredentials
            } else if error.isInvalidUsername {
                .invalidUsername
            } else {
                .general
            }
        fail(reason, error: error, isBrowserRequired: error.isBrowserRequired)
    }

    func onSignInPasswordRequiredError(error: PasswordRequiredError, newState: SignInPasswordRequiredState?) {
        fail(
            error.isInvalidPassword ? .invalidPassword : .general,
            error: error,
            isBrowserRequired: error.isBrowserRequired,
            state: newState
        )
    }

    func onSignInVerifyCodeError(error: VerifyCodeError, newState: SignInCodeRequiredState?) {
        fail(
            error.isInvalidCode ? .invalidCode : .general,
            error: error,
            isBrowserRequired: error.isBrowserRequired,
            state: newState
        )
    }

    func onSignInResendCodeError(error: ResendCodeError, newState: SignInCodeRequiredState?) {
        fail(.general, error: error, isBrowserRequired: error.isBrowserRequired, state: newState)
    }

    func onSignInAfterSignUpError(error: SignInAfterSignUpError) {
        fail(.general, error: error, isBrowserRequired: error.isBrowserRequired)
    }

    func onSignInAfterResetPasswordError(error: SignInAfterResetPasswordError) {
        fail(.general, error: error, isBrowserRequired: error.isBrowserRequired)
    }
}

extension NativeAuthDelegateDriver: MFARequestChallengeDelegate, MFASubmitChallengeDelegate,
    RegisterStrongAuthChallengeDelegate, RegisterStrongAuthSubmitChallengeDelegate
{
    func onMFARequestChallengeVerificationRequired(
        newState: MFARequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        see(.secondFactorCode(to: sentTo), state: newState)
    }

    func onMFARequestChallengeError(error: MFARequestChallengeError, newState: MFARequiredState?) {
        let reason: MSALNativeAuthStepError.Reason = error.isAuthMethodBlocked ? .authMethodBlocked : .general
        fail(reason, error: error, isBrowserRequired: error.isBrowserRequired, state: newState)
    }

    func onMFASubmitChallengeError(error: MFASubmitChallengeError, newState: MFARequiredState?) {
        fail(
            error.isInvalidChallenge ? .invalidCode : .general,
            error: error,
            isBrowserRequired: error.isBrowserRequired,
            state: newState
        )
    }

    func onRegisterStrongAuthVerificationRequired(result: MSALNativeAuthRegisterStrongAuthVerificationRequiredResult) {
        see(.registrationCode(to: result.sentTo), state: result.newState)
    }

    func onRegisterStrongAuthChallengeError(error: RegisterStrongAuthChallengeError, newState: RegisterStrongAuthState?)
    {
        let reason: MSALNativeAuthStepError.Reason =
            if error.isInvalidInput {
                .invalidInput
            } else if error.isVerificationContactBlocked {
                .verificationContactBlocked
            } else {
                .general
            }
        fail(reason, error: error, isBrowserRequired: error.isBrowserRequired, state: newState)
    }

    func onRegisterStrongAuthSubmitChallengeError(
        error: RegisterStrongAuthSubmitChallengeError,
        newState: RegisterStrongAuthVerificationRequiredState?
    ) {
        fail(
            error.isInvalidChallenge ? .invalidCode : .general,
            error: error,
            isBrowserRequired: error.isBrowserRequired,
            state: newState
        )
    }
}

extension NativeAuthDelegateDriver: SignUpStartDelegate, SignUpVerifyCodeDelegate, SignUpResendCodeDelegate,
    SignUpPasswordRequiredDelegate, SignUpAttributesRequiredDelegate
{
    func onSignUpCodeRequired(
        newState: SignUpCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        see(.signUpCode(to: sentTo), state: newState)
    }

    func onSignUpResendCodeCodeRequired(
        newState: SignUpCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        see(.signUpCode(to: sentTo), state: newState)
    }

    func onSignUpPasswordRequired(newState: SignUpPasswordRequiredState) {
        see(.signUpPassword, state: newState)
    }

    func onSignUpAttributesRequired(
        attributes: [MSALNativeAuthRequiredAttribute],
        newState: SignUpAttributesRequiredState
    ) {
        see(.attributes(attributes.map(\.name)), state: newState)
    }

    func onSignUpAttributesInvalid(attributeNames: [String]) {
        see(.invalidAttributes(attributeNames), state: nil)
    }

    func onSignUpAttributesInvalid(attributeNames: [String], newState: SignUpAttributesRequiredState) {
        see(.invalidAttributes(attributeNames), state: newState)
    }

    func onSignUpCompleted(newState: SignInAfterSignUpState) {
        see(.signedUp, state: newState)
    }

    func onSignUpStartError(error: SignUpStartError) {
        let reason: MSALNativeAuthStepError.Reason =
            if error.isUserAlreadyExists {
                .userAlreadyExists
            } else if error.isInvalidPassword {
                .invalidPassword
            } else if error.isInvalidUsername {
                .invalidUsername
            } else {
                .general
            }
        fail(reason, error: error, isBrowserRequired: error.isBrowserRequired)
    }

    func onSignUpVerifyCodeError(error: VerifyCodeError, newState: SignUpCodeRequiredState?) {
        fail(
            error.isInvalidCode ? .invalidCode : .general,
            error: error,
            isBrowserRequired: error.isBrowserRequired,
            state: newState
        )
    }

    func onSignUpResendCodeError(error: ResendCodeError, newState: SignUpCodeRequiredState?) {
        fail(.general, error: error, isBrowserRequired: error.isBrowserRequired, state: newState)
    }

    func onSignUpPasswordRequiredError(error: PasswordRequiredError, newState: SignUpPasswordRequiredState?) {
        fail(
            error.isInvalidPassword ? .invalidPassword : .general,
            error: error,
            isBrowserRequired: error.isBrowserRequired,
            state: newState
        )
    }

    func onSignUpAttributesRequiredError(error: AttributesRequiredError) {
        fail(.general, error: error, isBrowserRequired: error.isBrowserRequired)
    }
}

extension NativeAuthDelegateDriver: ResetPasswordStartDelegate, ResetPasswordVerifyCodeDelegate,
    ResetPasswordResendCodeDelegate, ResetPasswordRequiredDelegate, CredentialsDelegate
{
    func onResetPasswordCodeRequired(
        newState: ResetPasswordCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        see(.resetCode(to: sentTo), state: newState)
    }

    func onResetPasswordResendCodeRequired(
        newState: ResetPasswordCodeRequiredState,
        sentTo: String,
        channelTargetType: MSALNativeAuthChannelType,
        codeLength: Int
    ) {
        see(.resetCode(to: sentTo), state: newState)
    }

    func onPasswordRequired(newState: ResetPasswordRequiredState) {
        see(.newPassword, state: newState)
    }

    func onResetPasswordCompleted(newState: SignInAfterResetPasswordState) {
        see(.passwordReset, state: newState)
    }

    func onResetPasswordStartError(error: ResetPasswordStartError) {
        let reason: MSALNativeAuthStepError.Reason =
            if error.isUserNotFound {
                .userNotFound
            } else if error.isUserDoesNotHavePassword {
                .userDoesNotHavePassword
            } else if error.isInvalidUsername {
                .invalidUsername
            } else {
                .general
            }
        fail(reason, error: error, isBrowserRequired: error.isBrowserRequired)
    }

    func onResetPasswordVerifyCodeError(error: VerifyCodeError, newState: ResetPasswordCodeRequiredState?) {
        fail(
            error.isInvalidCode ? .invalidCode : .general,
            error: error,
            isBrowserRequired: error.isBrowserRequired,
            state: newState
        )
    }

    func onResetPasswordResendCodeError(error: ResendCodeError, newState: ResetPasswordCodeRequiredState?) {
        fail(.general, error: error, isBrowserRequired: error.isBrowserRequired, state: newState)
    }

    func onResetPasswordRequiredError(error: PasswordRequiredError, newState: ResetPasswordRequiredState?) {
        fail(
            error.isInvalidPassword ? .invalidPassword : .general,
            error: error,
            isBrowserRequired: error.isBrowserRequired,
            state: newState
        )
    }

    func onAccessTokenRetrieveCompleted(result: MSALNativeAuthTokenResult) {
        see(.token(result.scopes), state: state)
    }

    func onAccessTokenRetrieveError(error: RetrieveAccessTokenError) {
        // The class has one type of failure. The underlying error has the details.
        newestCodes = error.errorCodes
        let needsSignIn = error.underlyingError?.code == MSALError.interactionRequired.rawValue
        see(
            error.isBrowserRequired ? .browserRequired : .failure(needsSignIn ? .signInRequired : .general),
            state: state
        )
    }
}
