// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The next step of a V2 flow: a sign-in, a sign-up, or a password reset. Each case has a state with the calls that
/// continue from there. Linux only.
///
/// ```swift
/// var step = try await application.signInV2(parameters: parameters)
/// while true {
///     switch step {
///     case .completed(let user): return user
///     case .codeRequired(let code): step = try await code.submit(code: ask(code.delivery.sentTo))
///     …
///     }
/// }
/// ```
///
/// States are values: after an error, the same one can be used again. Using one twice sends two independent requests.
///
/// V2 is a preview at Microsoft: a minor version may add a case, and the changelog names it.
public enum MSALNativeAuthFlowStep: Sendable {
    /// A one-time code was sent.
    case codeRequired(CodeRequired)
    /// The service requires the password: the user's own, or one for a new account.
    case passwordRequired(PasswordRequired)
    /// The user was verified: ask for the new password.
    case newPasswordRequired(NewPasswordRequired)
    /// The service requires attributes of a new user.
    case attributesRequired(AttributesRequired)
    /// The user must choose a method for the first or second factor.
    case authMethodSelectionRequired(AuthMethodSelectionRequired)
    /// The code of the second factor was sent.
    case mfaCodeRequired(MFACodeRequired)
    /// The user must register a strong authentication method: let the user choose one and enter an address.
    case registrationRequired(RegistrationRequired)
    /// The code that verifies the address was sent.
    case registrationCodeRequired(RegistrationCodeRequired)
    /// The account has been created; its user can be signed in without further input.
    case signInAfterSignUp(FollowingSignIn)
    /// The new password is in effect; its user can be signed in without further input.
    case signInAfterResetPassword(FollowingSignIn)
    /// The user must continue in the browser.
    case browserRequired(MSALNativeAuthBrowserHandover)
    /// The user is signed in, and the tokens are stored.
    case completed(MSALNativeAuthUserAccountResult)
}

extension MSALNativeAuthFlowStep {
    init(_ step: NativeAuth.FlowStep, application: MSALNativeAuthPublicClientApplication) {
        switch step {
        case .codeRequired(let state):
            self = .codeRequired(CodeRequired(state, application: application))
        case .passwordRequired(let state):
            self = .passwordRequired(PasswordRequired(point: FlowPoint(state: state, application: application)))
        case .newPasswordRequired(let state):
            self = .newPasswordRequired(NewPasswordRequired(point: FlowPoint(state: state, application: application)))
        case .attributesRequired(let state):
            self = .attributesRequired(AttributesRequired(state, application: application))
        case .methodSelectionRequired(let state):
            self = .authMethodSelectionRequired(AuthMethodSelectionRequired(state, application: application))
        case .secondFactorCodeRequired(let state):
            self = .mfaCodeRequired(MFACodeRequired(state, application: application))
        case .registrationRequired(let state):
            self = .registrationRequired(RegistrationRequired(state, application: application))
        case .registrationCodeRequired(let state):
            self = .registrationCodeRequired(RegistrationCodeRequired(state, application: application))
        case .finished(let state):
            let following = FollowingSignIn(point: FlowPoint(state: state, application: application))
            self =
                state.flow.scenario == .passwordReset
                ? .signInAfterResetPassword(following) : .signInAfterSignUp(following)
        case .completed(let result):
            self = .completed(MSALNativeAuthUserAccountResult(result, application: application))
        }
    }
}

/// A state of a flow, and the application that continues from there.
struct FlowPoint<State: NativeAuth.FlowState>: Sendable {
    let state: State
    let application: MSALNativeAuthPublicClientApplication

    var scenario: MSALNativeAuthFlowScenario { MSALNativeAuthFlowScenario(state.flow.scenario) }

    /// Makes the call that continues from this state.
    nonisolated(nonsending) func next(
        _ operation:
            nonisolated(nonsending) (NativeAuthClient, State) async throws(NativeAuthFailure) ->
            NativeAuth.FlowStep
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
        try await application.flowStep(of: state.flow) { client throws(NativeAuthFailure) in
            try await operation(client, state)
        }
    }
}

extension MSALNativeAuthPublicClientApplication {
    /// Runs one call of the asynchronous API, in which the need for the browser is a step.
    nonisolated(nonsending) func flowStep(
        of flow: NativeAuth.Flow,
        operation: nonisolated(nonsending) (NativeAuthClient) async throws(NativeAuthFailure) -> NativeAuth.FlowStep
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
        do throws(NativeAuthFailure) {
            return MSALNativeAuthFlowStep(try await operation(native), application: self)
        } catch {
            let continued = MSALNativeAuthBrowserHandover.Flow(flow.continuation)
            return .browserRequired(try handover(after: error, flow: continued, isSignUp: flow.scenario == .signUp))
        }
    }
}
