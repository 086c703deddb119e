// Licensed under the MIT License. See LICENSE.

import Foundation

@testable import MSAL

/// An app that awaits the next step.
@MainActor
final class NativeAuthAsyncDriver: NativeAuthStatefulDriver {
    private let application: MSALNativeAuthPublicClientApplication
    var state: Any?

    nonisolated init(_ application: MSALNativeAuthPublicClientApplication) {
        self.application = application
    }

    func make(_ move: NativeAuthMove) async throws -> NativeAuthObservation {
        do {
            return try await step(move)
        } catch let error as MSALNativeAuthStepError {
            if !error.canRetry, !(state is MSALNativeAuthUserAccountResult) { state = nil }
            return .failure(error.reason, retry: error.canRetry)
        }
    }

    private func step(_ move: NativeAuthMove) async throws -> NativeAuthObservation {
        switch move {
        case .signIn(let name, let password, let scopes):
            let parameters = MSALNativeAuthSignInParameters(username: name)
            parameters.password = password
            if !scopes.isEmpty { parameters.scopes = scopes }
            return see(try await application.signIn(parameters: parameters))
        case .signUp(let name, let password, let attributes):
            let parameters = MSALNativeAuthSignUpParameters(username: name)
            parameters.password = password
            parameters.attributes = attributes
            return see(try await application.signUp(parameters: parameters))
        case .resetPassword(let name):
            return see(try await application.resetPassword(parameters: .init(username: name)))
        case .typedCode(let code): return try await submit(code, for: move)
        case .resendCode: return try await resend(move)
        case .password(let password): return try await submit(password: password, move)
        case .attributes(let attributes):
            guard let state = state as? MSALNativeAuthSignUpStep.AttributesRequired else {
                throw ImpossibleMove(move, state: state)
            }
            return see(try await state.submit(attributes: attributes))
        case .choose(let index): return try await choose(index, for: move)
        case .register(let index, let contact): return try await register(index, contact: contact, for: move)
        case .signInAfterwards:
            guard let state = state as? MSALNativeAuthFollowingSignIn else { throw ImpossibleMove(move, state: state) }
            return see(try await state.signIn())
        case .accessToken, .signOut, .lookUpAccount:
            return try await makeWithAccount(move, of: application)
        case .code, .meanwhile: throw ImpossibleMove(move, state: state)
        }
    }

    private func submit(_ code: String, for move: NativeAuthMove) async throws -> NativeAuthObservation {
        switch state {
        case let state as MSALNativeAuthSignInStep.CodeRequired: see(try await state.submit(code: code))
        case let state as MSALNativeAuthSignInStep.MFACodeRequired: see(try await state.submit(challenge: code))
        case let state as MSALNativeAuthSignInStep.RegistrationCodeRequired:
            see(try await state.submit(challenge: code))
        case let state as MSALNativeAuthSignUpStep.CodeRequired: see(try await state.submit(code: code))
        case let state as MSALNativeAuthResetPasswordStep.CodeRequired: see(try await state.submit(code: code))
        default: throw ImpossibleMove(move, state: state)
        }
    }

    private func resend(_ move: NativeAuthMove) async throws -> NativeAuthObservation {
        switch state {
        case let state as MSALNativeAuthSignInStep.CodeRequired: see(try await state.resendCode())
        case let state as MSALNativeAuthSignUpStep.CodeRequired: see(try await state.resendCode())
        case let state as MSALNativeAuthResetPasswordStep.CodeRequired: see(try await state.resendCode())
        default: throw ImpossibleMove(move, state: state)
        }
    }

    private func submit(password: String, _ move: NativeAuthMove) async throws -> NativeAuthObservation {
        switch state {
        case let state as MSALNativeAuthSignInStep.PasswordRequired: see(try await state.submit(password: password))
        case let state as MSALNativeAuthSignUpStep.PasswordRequired: see(try await state.submit(password: password))
        case let state as MSALNativeAuthResetPasswordStep.PasswordRequired:
            see(try await state.submit(password: password))
        default: throw ImpossibleMove(move, state: state)
        }
    }

    private func choose(_ index: Int, for move: NativeAuthMove) async throws -> NativeAuthObservation {
        switch state {
        case let state as MSALNativeAuthSignInStep.MFARequired:
            see(try await state.requestChallenge(authMethod: state.authMethods[index]))
        case let state as MSALNativeAuthSignInStep.MFACodeRequired:
            see(try await state.requestChallenge(authMethod: state.authMethods[index]))
        default: throw ImpossibleMove(move, state: state)
        }
    }

    private func register(_ index: Int, contact: String, for move: NativeAuthMove) async throws -> NativeAuthObservation
    {
        switch state {
        case let state as MSALNativeAuthSignInStep.RegistrationRequired:
            see(try await state.challengeAuthMethod(state.authMethods[index], verificationContact: contact))
        case let state as MSALNativeAuthSignInStep.RegistrationCodeRequired:
            see(try await state.challengeAuthMethod(state.authMethods[index], verificationContact: contact))
        default: throw ImpossibleMove(move, state: state)
        }
    }

    // MARK: Observations

    private func see(_ step: MSALNativeAuthSignInStep) -> NativeAuthObservation {
        switch step {
        case .codeRequired(let step):
            state = step
            return .signInCode(to: step.delivery.sentTo)
        case .passwordRequired(let step):
            state = step
            return .signInPassword
        case .mfaRequired(let step):
            state = step
            return .secondFactor(step.authMethods.map(\.channelTargetType.value))
        case .mfaCodeRequired(let step):
            state = step
            return .secondFactorCode(to: step.delivery.sentTo)
        case .registrationRequired(let step):
            state = step
            return .registration(step.authMethods.map(\.channelTargetType.value))
        case .registrationCodeRequired(let step):
            state = step
            return .registrationCode(to: step.delivery.sentTo)
        case .browserRequired: return .browserRequired
        case .completed(let account):
            state = account
            return .account(account.account.username ?? "")
        }
    }

    private func see(_ step: MSALNativeAuthSignUpStep) -> NativeAuthObservation {
        switch step {
        case .codeRequired(let step):
            state = step
            return .signUpCode(to: step.delivery.sentTo)
        case .passwordRequired(let step):
            state = step
            return .signUpPassword
        case .attributesRequired(let step):
            state = step
            return .attributes(step.attributes.map(\.name))
        case .attributesInvalid(let step):
            state = step.retry
            return .invalidAttributes(step.names)
        case .browserRequired: return .browserRequired
        case .completed(let step):
            state = step
            return .signedUp
        }
    }

    private func see(_ step: MSALNativeAuthResetPasswordStep) -> NativeAuthObservation {
        switch step {
        case .codeRequired(let step):
            state = step
            return .resetCode(to: step.delivery.sentTo)
        case .passwordRequired(let step):
            state = step
            return .newPassword
        case .browserRequired: return .browserRequired
        case .completed(let step):
            state = step
            return .passwordReset
        }
    }
}
