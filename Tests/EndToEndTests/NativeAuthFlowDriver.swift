// Licensed under the MIT License. See LICENSE.

import Foundation

@testable import MSAL

/// An app that awaits the steps of V2. It submits a password that it has from the start once the service requires it,
/// like an app that was migrated from V1.
@MainActor
final class NativeAuthFlowDriver: NativeAuthStatefulDriver {
    private let application: MSALNativeAuthPublicClientApplication
    var state: Any?
    /// The password that was set at the start and that the service has not required yet.
    private var password: String?

    nonisolated init(_ application: MSALNativeAuthPublicClientApplication) {
        self.application = application
    }

    func make(_ move: NativeAuthMove) async throws -> NativeAuthObservation {
        do {
            return try await step(move)
        } catch let error as MSALNativeAuthStepError {
            guard error.reason != .invalidAttributes else { return .invalidAttributes(error.attributeNames) }
            return .failure(error.reason, retry: error.canRetry)
        }
    }

    private func step(_ move: NativeAuthMove) async throws -> NativeAuthObservation {
        switch (move, state) {
        case (.signIn(let name, let password, let scopes), _):
            let parameters = MSALNativeAuthSignInParametersV2(username: name)
            if !scopes.isEmpty { parameters.scopes = scopes }
            self.password = password
            return try await see(application.signInV2(parameters: parameters))
        case (.signUp(let name, let password, let attributes), _):
            let parameters = MSALNativeAuthSignUpParametersV2(username: name)
            parameters.attributes = attributes
            self.password = password
            return try await see(application.signUpV2(parameters: parameters))
        case (.resetPassword(let name), _):
            password = nil
            return try await see(application.resetPasswordV2(parameters: .init(username: name)))
        case (.typedCode(let code), let state as MSALNativeAuthFlowStep.CodeRequired):
            return try await see(state.submit(code: code))
        case (.typedCode(let code), let state as MSALNativeAuthFlowStep.MFACodeRequired):
            return try await see(state.submit(challenge: code))
        case (.typedCode(let code), let state as MSALNativeAuthFlowStep.RegistrationCodeRequired):
            return try await see(state.submit(challenge: code))
        case (.resendCode, let state as MSALNativeAuthFlowStep.CodeRequired):
            return try await see(state.resendCode())
        case (.resendCode, let state as MSALNativeAuthFlowStep.MFACodeRequired):
            return try await see(state.resendChallenge())
        case (.resendCode, let state as MSALNativeAuthFlowStep.RegistrationCodeRequired):
            return try await see(state.resendChallenge())
        case (.password(let password), let state as MSALNativeAuthFlowStep.PasswordRequired):
            return try await see(state.submit(password: password))
        case (.password(let password), let state as MSALNativeAuthFlowStep.NewPasswordRequired):
            return try await see(state.submit(newPassword: password))
        case (.attributes(let attributes), let state as MSALNativeAuthFlowStep.AttributesRequired):
            return try await see(state.submit(attributes: attributes))
        case (.choose(let index), let state as MSALNativeAuthFlowStep.AuthMethodSelectionRequired):
            return try await see(state.select(state.authMethods[index]))
        case (.register(let index, let contact), let state as MSALNativeAuthFlowStep.RegistrationRequired):
            return try await see(state.select(state.authMethods[index], verificationContact: contact))
        case (.signInAfterwards, let state as MSALNativeAuthFlowStep.FollowingSignIn):
            return try await see(state.signIn())
        case (.accessToken, _), (.signOut, _), (.lookUpAccount, _):
            return try await makeWithAccount(move, of: application)
        default:
            throw ImpossibleMove(move, state: state)
        }
    }

    private func see(_ step: MSALNativeAuthFlowStep) async throws -> NativeAuthObservation {
        switch step {
        case .codeRequired(let step):
            state = step
            return .code(to: step.delivery.sentTo, in: step.scenario)
        case .passwordRequired(let step):
            state = step
            guard let password else { return .password(in: step.scenario) }
            self.password = nil
            return try await see(step.submit(password: password))
        case .newPasswordRequired(let step):
            state = step
            return .newPassword
        case .attributesRequired(let step):
            state = step
            return .attributes(step.attributes.map(\.name))
        case .authMethodSelectionRequired(let step):
            state = step
            let channels = step.authMethods.map(\.channelTargetType.value)
            return step.isSecondFactor ? .secondFactor(channels) : .firstFactor(channels)
        case .mfaCodeRequired(let step):
            state = step
            return .secondFactorCode(to: step.delivery.sentTo)
        case .registrationRequired(let step):
            state = step
            return .registration(step.authMethods.map(\.channelTargetType.value))
        case .registrationCodeRequired(let step):
            state = step
            return .registrationCode(to: step.delivery.sentTo)
        case .signInAfterSignUp(let step):
            state = step
            return .signedUp
        case .signInAfterResetPassword(let step):
            state = step
            return .passwordReset
        case .browserRequired:
            return .browserRequired
        case .completed(let account):
            state = account
            return .account(account.account.username ?? "")
        }
    }
}

extension NativeAuthObservation {
    /// A code was sent in a flow of V2, whose states do not say which flow it is.
    static func code(to recipient: String, in scenario: MSALNativeAuthFlowScenario) -> NativeAuthObservation {
        switch scenario {
        case .signIn: .signInCode(to: recipient)
        case .signUp: .signUpCode(to: recipient)
        case .passwordReset: .resetCode(to: recipient)
        case .unknown: .failure(.general)
        }
    }

    /// The password is required in a flow of V2: the user's own, or the one for a new account.
    static func password(in scenario: MSALNativeAuthFlowScenario) -> NativeAuthObservation {
        scenario == .signUp ? .signUpPassword : .signInPassword
    }
}
