// Licensed under the MIT License. See LICENSE.

import Foundation

@testable import MSAL

/// An app of V2 whose only delegate adopts the protocols of all states. Like ``NativeAuthFlowDriver``, it submits a
/// password that it has from the start once the service requires it.
@MainActor
final class NativeAuthFlowDelegateDriver: NativeAuthStatefulDriver {
    private let application: MSALNativeAuthPublicClientApplication
    private var waiting: CheckedContinuation<NativeAuthObservation, Never>?
    var state: Any?
    /// The password that was set at the start and that the service has not required yet.
    private var password: String?

    nonisolated init(_ application: MSALNativeAuthPublicClientApplication) {
        self.application = application
    }

    func make(_ move: NativeAuthMove) async throws -> NativeAuthObservation {
        switch move {
        case .accessToken, .signOut, .lookUpAccount:
            do {
                return try await makeWithAccount(move, of: application)
            } catch let error as MSALNativeAuthStepError {
                return .failure(error.reason, retry: error.canRetry)
            }
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
            let parameters = MSALNativeAuthSignInParametersV2(username: name)
            if !scopes.isEmpty { parameters.scopes = scopes }
            self.password = password
            return { application.signInV2(parameters: parameters, delegate: self) }
        case (.signUp(let name, let password, let attributes), _):
            let parameters = MSALNativeAuthSignUpParametersV2(username: name)
            parameters.attributes = attributes
            self.password = password
            return { application.signUpV2(parameters: parameters, delegate: self) }
        case (.resetPassword(let name), _):
            password = nil
            return { application.resetPasswordV2(parameters: .init(username: name), delegate: self) }
        case (.typedCode(let code), let state as MSALNativeAuthCodeRequiredState):
            return { state.submitCode(code, delegate: self) }
        case (.typedCode(let code), let state as MSALNativeAuthMFAVerificationRequiredState):
            return { state.submitChallenge(code, delegate: self) }
        case (.typedCode(let code), let state as MSALNativeAuthStrongAuthVerificationRequiredState):
            return { state.submitChallenge(code, delegate: self) }
        case (.resendCode, let state as MSALNativeAuthCodeRequiredState): return { state.resendCode(delegate: self) }
        case (.resendCode, let state as MSALNativeAuthMFAVerificationRequiredState):
            return { state.resendChallenge(delegate: self) }
        case (.resendCode, let state as MSALNativeAuthStrongAuthVerificationRequiredState):
            return { state.resendChallenge(delegate: self) }
        case (.password(let password), let state as MSALNativeAuthPasswordRequiredState):
            return { state.submitPassword(password, delegate: self) }
        case (.password(let password), let state as MSALNativeAuthNewPasswordRequiredState):
            return { state.submitNewPassword(password, delegate: self) }
        case (.attributes(let attributes), let state as MSALNativeAuthAttributesRequiredState):
            return { state.submitAttributes(attributes, delegate: self) }
        case (.choose(let index), let state as MSALNativeAuthAuthMethodSelectionRequiredState):
            return { state.selectAuthMethod(state.authMethods[index], delegate: self) }
        case (.register(let index, let contact), let state as MSALNativeAuthStrongAuthRegistrationRequiredState):
            return {
                state.selectAuthMethod(state.authMethods[index], verificationContact: contact, delegate: self)
            }
        case (.signInAfterwards, let state as MSALNativeAuthSignInAfterSignUpState):
            return { state.signIn(parameters: .init(), delegate: self) }
        case (.signInAfterwards, let state as MSALNativeAuthSignInAfterResetPasswordState):
            return { state.signIn(parameters: .init(), delegate: self) }
        default: throw ImpossibleMove(move, state: state)
        }
    }

    private func see(_ observation: NativeAuthObservation, state: Any?) {
        if let state { self.state = state }  // An error does not remove the state.
        waiting?.resume(returning: observation)
        waiting = nil
    }
}

extension NativeAuthFlowDelegateDriver: MSALNativeAuthFlowDelegate, MSALNativeAuthCodeRequiredDelegate,
    MSALNativeAuthPasswordRequiredDelegate, MSALNativeAuthNewPasswordRequiredDelegate,
    MSALNativeAuthAttributesRequiredDelegate, MSALNativeAuthAuthMethodSelectionRequiredDelegate,
    MSALNativeAuthMFAVerificationRequiredDelegate, MSALNativeAuthStrongAuthRegistrationRequiredDelegate,
    MSALNativeAuthStrongAuthVerificationRequiredDelegate, MSALNativeAuthSignInAfterSignUpRequiredDelegate,
    MSALNativeAuthSignInAfterResetPasswordRequiredDelegate
{
    typealias Scenario = MSALNativeAuthFlowScenario

    func onFlowCompleted(result: MSALNativeAuthUserAccountResult, scenario: Scenario) {
        see(.account(result.account.username ?? ""), state: result)
    }

    func onFlowError(error: MSALNativeAuthFlowError, scenario: Scenario) {
        see(NativeAuthObservation(error), state: nil)
    }

    func onCodeRequired(state: MSALNativeAuthCodeRequiredState, scenario: Scenario) {
        see(.code(to: state.sentTo, in: scenario), state: state)
    }

    func onPasswordRequired(state: MSALNativeAuthPasswordRequiredState, scenario: Scenario) {
        guard let password else { return see(.password(in: scenario), state: state) }
        self.password = nil
        self.state = state
        state.submitPassword(password, delegate: self)
    }

    func onNewPasswordRequired(state: MSALNativeAuthNewPasswordRequiredState, scenario: Scenario) {
        see(.newPassword, state: state)
    }

    func onAttributesRequired(state: MSALNativeAuthAttributesRequiredState, scenario: Scenario) {
        see(.attributes(state.attributes.map(\.name)), state: state)
    }

    func onAuthMethodSelectionRequired(
        state: MSALNativeAuthAuthMethodSelectionRequiredState,
        scenario: Scenario
    ) {
        // Delegates do not learn which factor it is. A single method is offered only as a second one, and the password
        // only as a first one.
        let channels = state.authMethods.map(\.channelTargetType.value)
        see(channels.contains("password") ? .firstFactor(channels) : .secondFactor(channels), state: state)
    }

    func onMFAVerificationRequired(state: MSALNativeAuthMFAVerificationRequiredState, scenario: Scenario) {
        see(.secondFactorCode(to: state.sentTo), state: state)
    }

    func onStrongAuthRegistrationRequired(
        state: MSALNativeAuthStrongAuthRegistrationRequiredState,
        scenario: Scenario
    ) {
        see(.registration(state.authMethods.map(\.channelTargetType.value)), state: state)
    }

    func onStrongAuthVerificationRequired(
        state: MSALNativeAuthStrongAuthVerificationRequiredState,
        scenario: Scenario
    ) {
        see(.registrationCode(to: state.sentTo), state: state)
    }

    func onSignInAfterSignUpRequired(state: MSALNativeAuthSignInAfterSignUpState, scenario: Scenario) {
        see(.signedUp, state: state)
    }

    func onSignInAfterResetPasswordRequired(state: MSALNativeAuthSignInAfterResetPasswordState, scenario: Scenario) {
        see(.passwordReset, state: state)
    }
}

extension NativeAuthObservation {
    /// How an app interprets the flags of an error.
    fileprivate init(_ error: MSALNativeAuthFlowError) {
        let flags: [(Bool, NativeAuthObservation)] = [
            (error.isBrowserRequired, .browserRequired),
            (error.isInvalidAttributes, .invalidAttributes(error.serverError?.invalidAttributes ?? [])),
            (error.isUserNotFound, .failure(.userNotFound)),
            (error.isUserAlreadyExists, .failure(.userAlreadyExists)),
            (error.isUserDoesNotHavePassword, .failure(.userDoesNotHavePassword)),
            (error.isInvalidUsername, .failure(.invalidUsername)),
            (error.isInvalidPassword, .failure(.invalidPassword)),
            (error.isInvalidCode, .failure(.invalidCode)),
            (error.isInvalidInput, .failure(.invalidInput)),
            (error.isAuthMethodBlocked, .failure(.authMethodBlocked)),
            (error.isVerificationContactBlocked, .failure(.verificationContactBlocked)),
        ]
        self = flags.first { $0.0 }?.1 ?? .failure(.general)
    }

    /// What delegates of V2 learn of it: neither that the service is down, nor whether the state can be used again,
    /// which it always can.
    var toldToDelegates: NativeAuthObservation {
        guard case .failure(let reason, _) = self else { return self }
        return .failure(reason == .serviceUnavailable ? .general : reason)
    }
}
