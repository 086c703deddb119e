// Licensed under the MIT License. See LICENSE.

import Foundation

@testable import MSAL

/// Every transition of every flow (spec native-auth, appendix D), each from a state of its own.
enum Transition: String, CaseIterable {
    case signIn, signInWithPassword, submitCode, resendCode, submitPassword
    case requestChallenge, requestAnotherChallenge, submitSecondFactor
    case register, registerAnother, submitRegistration
    case signUp, submitSignUpCode, resendSignUpCode, submitSignUpPassword, submitAttributes, signInAfterSignUp
    case resetPassword, submitResetCode, resendResetCode, submitNewPassword, signInAfterReset

    /// How a transition ended, whatever its types.
    struct End: Sendable {
        let facts: NativeAuth.Facts?
        let isCanceled: Bool
        /// The failure's kind, by its name.
        var kind = ""
        var text = ""
        /// What is left: `nothing`, `same`, or the continuation token of the state.
        var remaining = ""
        /// Everything that printing the outcome shows.
        let printed: String

        var failed: Bool { facts != nil }
    }

    func run(_ client: NativeAuthClient) async -> End {
        let (continuation, code, password) = (Lee.continuation, Secret("secret-code"), Secret("secret-password"))
        switch self {
        case .signIn:
            return await end { () throws(NativeAuth.SignInStartFailure) in
                try await client.signIn(NativeAuth.SignInRequest(username: Lee.username))
            }
        case .signInWithPassword:
            return await end { () throws(NativeAuth.SignInStartFailure) in
                var request = NativeAuth.SignInRequest(username: Lee.username)
                request.password = password
                return try await client.signIn(request)
            }
        case .submitCode:
            return await end { () throws(NativeAuth.SignInCodeFailure) in
                try await client.submitCode(code, NativeAuth.SignInCode(continuation))
            }
        case .resendCode:
            return await end { () throws(NativeAuth.SignInResendFailure) in
                try await client.resendCode(NativeAuth.SignInCode(continuation))
            }
        case .submitPassword:
            return await end { () throws(NativeAuth.SignInPasswordFailure) in
                try await client.submitPassword(password, NativeAuth.SignInPassword(continuation))
            }
        case .requestChallenge:
            return await end { () throws(NativeAuth.MFARequestChallengeFailure) in
                try await client.requestChallenge(Lee.method, NativeAuth.AwaitingMFA(continuation))
            }
        case .requestAnotherChallenge:
            return await end { () throws(NativeAuth.MFARequestChallengeFailure) in
                try await client.requestChallenge(Lee.method, NativeAuth.MFAChallenge(continuation))
            }
        case .submitSecondFactor:
            return await end { () throws(NativeAuth.MFASubmitChallengeFailure) in
                try await client.submitChallenge(code, NativeAuth.MFAChallenge(continuation))
            }
        case .register:
            return await end { () throws(NativeAuth.RegistrationChallengeFailure) in
                let state = NativeAuth.StrongAuthRegistration(continuation)
                return try await client.challengeAuthMethod(Lee.method, contact: "l@x", state)
            }
        case .registerAnother:
            return await end { () throws(NativeAuth.RegistrationChallengeFailure) in
                let state = NativeAuth.StrongAuthVerification(continuation)
                return try await client.challengeAuthMethod(Lee.method, contact: "l@x", state)
            }
        case .submitRegistration:
            return await end { () throws(NativeAuth.RegistrationSubmitFailure) in
                try await client.submitChallenge(code, NativeAuth.StrongAuthVerification(continuation))
            }
        case .signUp:
            return await end { () throws(NativeAuth.SignUpStartFailure) in
                var request = NativeAuth.SignUpRequest(username: Lee.username)
                request.password = password
                return try await client.signUp(request)
            }
        case .submitSignUpCode:
            return await end { () throws(NativeAuth.SignUpCodeFailure) in
                try await client.submitCode(code, NativeAuth.SignUpCode(continuation))
            }
        case .resendSignUpCode:
            return await end { () throws(NativeAuth.SignUpResendFailure) in
                try await client.resendCode(NativeAuth.SignUpCode(continuation))
            }
        case .submitSignUpPassword:
            return await end { () throws(NativeAuth.SignUpPasswordFailure) in
                try await client.submitPassword(password, NativeAuth.SignUpPassword(continuation))
            }
        case .submitAttributes:
            return await end { () throws(NativeAuth.SignUpAttributesFailure) in
                try await client.submitAttributes(["a": .string("b")], NativeAuth.SignUpAttributes(continuation))
            }
        case .signInAfterSignUp, .signInAfterReset:
            return await end { () throws(NativeAuth.FinishedFlowFailure) in
                try await client.signIn(
                    NativeAuth.SignInAfterFlowRequest(),
                    after: NativeAuth.FinishedFlow(
                        origin: self == .signInAfterReset ? .resetPassword : .signUp,
                        username: Lee.username,
                        correlationID: continuation.correlationID,
                        token: continuation.token
                    )
                )
            }
        case .resetPassword:
            return await end { () throws(NativeAuth.ResetPasswordStartFailure) in
                try await client.resetPassword(NativeAuth.ResetPasswordRequest(username: Lee.username))
            }
        case .submitResetCode:
            return await end { () throws(NativeAuth.ResetPasswordCodeFailure) in
                try await client.submitCode(code, NativeAuth.ResetPasswordCode(continuation))
            }
        case .resendResetCode:
            return await end { () throws(NativeAuth.ResetPasswordResendFailure) in
                try await client.resendCode(NativeAuth.ResetPasswordCode(continuation))
            }
        case .submitNewPassword:
            return await end { () throws(NativeAuth.NewPasswordFailure) in
                try await client.submitPassword(password, NativeAuth.NewPassword(continuation))
            }
        }
    }

    private func name<State>(of remaining: NativeAuth.Remaining<State>) -> String {
        switch remaining {
        case .nothing: "nothing"
        case .same: "same"
        case .state(let state): (state as? any NativeAuth.State)?.continuation.token.exposed ?? "a state of no kind"
        }
    }

    private func end<Step, Kind, State>(
        _ body: () async throws(NativeAuthFailure<Kind, State>) -> Step
    ) async -> End {
        func printed(_ value: Any) -> String {
            var dumped = ""
            dump(value, to: &dumped)
            return "\(value)\n\(String(reflecting: value))\n\(dumped)"
        }
        do throws(NativeAuthFailure<Kind, State>) {
            return End(facts: nil, isCanceled: false, printed: printed(try await body()))
        } catch {
            return End(
                facts: error.facts,
                isCanceled: error.isCanceled,
                kind: "\(error.kind)",
                text: error.errorDescription,
                remaining: name(of: error.remaining),
                printed: printed(error)
            )
        }
    }
}
