// Licensed under the MIT License. See LICENSE.

import Foundation

@testable import MSAL
@testable import MSALBase

/// Every transition of every flow (docs/reference/NativeAuthentication.md#states), each from a separate state.
enum Transition: String, CaseIterable {
    case signIn, signInWithPassword, submitCode, resendCode, submitPassword
    case requestChallenge, requestAnotherChallenge, submitSecondFactor
    case register, registerAnother, submitRegistration
    case signUp, submitSignUpCode, resendSignUpCode, submitSignUpPassword, submitAttributes, signInAfterSignUp
    case resetPassword, submitResetCode, resendResetCode, submitNewPassword, signInAfterReset

    /// The outcome of a transition, whatever its types: a failure as delegates get it.
    struct End: Sendable {
        let failure: NativeAuthFailure?
        let isCanceled: Bool
        /// The failure's kind, by its name.
        var kind = ""
        var text = ""
        /// The remaining state: `nothing`, `same`, or the continuation token of the state.
        var remaining = ""
        /// Everything that printing the outcome shows.
        let printed: String

        var failed: Bool { failure != nil }
    }

    func run(_ client: NativeAuthClient) async -> End {
        let (continuation, code, password) = (Lee.continuation, Secret("secret-code"), Secret("secret-password"))
        switch self {
        case .signIn:
            return await end { () throws(NativeAuthFailure) in
                try await client.signIn(NativeAuth.SignInRequest(username: Lee.username))
            }
        case .signInWithPassword:
            return await end { () throws(NativeAuthFailure) in
                var request = NativeAuth.SignInRequest(username: Lee.username)
                request.password = password
                return try await client.signIn(request)
            }
        case .submitCode:
            return await end { () throws(NativeAuthFailure) in
                try await client.submitCode(code, in: NativeAuth.SignInCode(continuation: continuation))
            }
        case .resendCode:
            return await end { () throws(NativeAuthFailure) in
                try await client.resendCode(in: NativeAuth.SignInCode(continuation: continuation))
            }
        case .submitPassword:
            return await end { () throws(NativeAuthFailure) in
                try await client.submitPassword(password, in: NativeAuth.SignInPassword(continuation: continuation))
            }
        case .requestChallenge:
            return await end { () throws(NativeAuthFailure) in
                try await client.requestChallenge(Lee.method, in: NativeAuth.AwaitingMFA(continuation: continuation))
            }
        case .requestAnotherChallenge:
            return await end { () throws(NativeAuthFailure) in
                try await client.requestChallenge(Lee.method, in: NativeAuth.MFAChallenge(continuation: continuation))
            }
        case .submitSecondFactor:
            return await end { () throws(NativeAuthFailure) in
                try await client.submitChallenge(code, in: NativeAuth.MFAChallenge(continuation: continuation))
            }
        case .register:
            return await end { () throws(NativeAuthFailure) in
                let state = NativeAuth.StrongAuthRegistration(continuation: continuation)
                return try await client.challengeAuthMethod(Lee.method, contact: "l@x", in: state)
            }
        case .registerAnother:
            return await end { () throws(NativeAuthFailure) in
                let state = NativeAuth.StrongAuthVerification(continuation: continuation)
                return try await client.challengeAuthMethod(Lee.method, contact: "l@x", in: state)
            }
        case .submitRegistration:
            return await end { () throws(NativeAuthFailure) in
                try await client.submitChallenge(
                    code,
                    in: NativeAuth.StrongAuthVerification(continuation: continuation)
                )
            }
        case .signUp:
            return await end { () throws(NativeAuthFailure) in
                var request = NativeAuth.SignUpRequest(username: Lee.username)
                request.password = password
                return try await client.signUp(request)
            }
        case .submitSignUpCode:
            return await end { () throws(NativeAuthFailure) in
                try await client.submitCode(code, in: NativeAuth.SignUpCode(continuation: continuation))
            }
        case .resendSignUpCode:
            return await end { () throws(NativeAuthFailure) in
                try await client.resendCode(in: NativeAuth.SignUpCode(continuation: continuation))
            }
        case .submitSignUpPassword:
            return await end { () throws(NativeAuthFailure) in
                try await client.submitPassword(password, in: NativeAuth.SignUpPassword(continuation: continuation))
            }
        case .submitAttributes:
            return await end { () throws(NativeAuthFailure) in
                try await client.submitAttributes(
                    ["a": .string("b")],
                    in: NativeAuth.SignUpAttributes(continuation: continuation)
                )
            }
        case .signInAfterSignUp, .signInAfterReset:
            return await end { () throws(NativeAuthFailure) in
                try await client.signIn(
                    NativeAuth.SignInAfterFlowRequest(),
                    after: NativeAuth.FinishedFlow(
                        username: Lee.username,
                        correlationID: continuation.correlationID,
                        token: continuation.token
                    )
                )
            }
        case .resetPassword:
            return await end { () throws(NativeAuthFailure) in
                try await client.resetPassword(NativeAuth.ResetPasswordRequest(username: Lee.username))
            }
        case .submitResetCode:
            return await end { () throws(NativeAuthFailure) in
                try await client.submitCode(code, in: NativeAuth.ResetPasswordCode(continuation: continuation))
            }
        case .resendResetCode:
            return await end { () throws(NativeAuthFailure) in
                try await client.resendCode(in: NativeAuth.ResetPasswordCode(continuation: continuation))
            }
        case .submitNewPassword:
            return await end { () throws(NativeAuthFailure) in
                try await client.submitPassword(password, in: NativeAuth.NewPassword(continuation: continuation))
            }
        }
    }

    private func name(of remaining: NativeAuthFailure.Remaining) -> String {
        switch remaining {
        case .nothing: "nothing"
        case .same: "same"
        case .continuation(let continuation): continuation.token.exposed
        }
    }

    private func end<Step>(_ body: () async throws(NativeAuthFailure) -> Step) async -> End {
        func printed(_ value: Any) -> String {
            var dumped = ""
            dump(value, to: &dumped)
            return "\(value)\n\(String(reflecting: value))\n\(dumped)"
        }
        do throws(NativeAuthFailure) {
            return End(failure: nil, isCanceled: false, printed: printed(try await body()))
        } catch {
            let seen = error.forDelegates
            return End(
                failure: seen,
                isCanceled: error.isCanceled,
                kind: "\(seen.kind)",
                text: seen.errorDescription,
                remaining: name(of: seen.remaining),
                printed: printed(error)
            )
        }
    }
}
