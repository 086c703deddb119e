// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A sign-in that waits for the one-time code that was sent.
public final class SignInCodeRequiredState: SignInBaseState, DelegateState, @unchecked Sendable {
    typealias State = NativeAuth.SignInCode

    /// Submits the code. An empty one is rejected without a request.
    ///
    /// - Parameters:
    ///   - code: The user's input.
    ///   - delegate: Receives the outcome.
    public func submitCode(code: String, delegate: any SignInVerifyCodeDelegate) {
        perform(for: delegate) { client, state throws(NativeAuthFailure) in
            try await client.submitCode(Secret(code), in: state)
        } failed: {
            $0.onSignInVerifyCodeError
        } succeeded: { call, delegate, step in
            call.report(step, to: delegate)
        }
    }

    /// Requests another code. The previous one becomes invalid.
    public func resendCode(delegate: any SignInResendCodeDelegate) {
        perform(for: delegate) { client, state throws(NativeAuthFailure) in
            try await client.resendCode(in: state)
        } failed: {
            $0.onSignInResendCodeError
        } succeeded: { call, delegate, sent in
            call.codeSent(
                sent.state,
                delivery: sent.delivery,
                named: "onSignInResendCodeCodeRequired",
                member: delegate.onSignInResendCodeCodeRequired
            )
        }
    }
}

/// A sign-in that waits for the password.
public final class SignInPasswordRequiredState: SignInBaseState, DelegateState, @unchecked Sendable {
    typealias State = NativeAuth.SignInPassword

    /// Submits the password. It is sent unchanged; an empty one is rejected without a request.
    ///
    /// - Parameters:
    ///   - password: The user's input.
    ///   - delegate: Receives the outcome.
    public func submitPassword(password: String, delegate: any SignInPasswordRequiredDelegate) {
        perform(for: delegate) { client, state throws(NativeAuthFailure) in
            try await client.submitPassword(Secret(password), in: state)
        } failed: {
            $0.onSignInPasswordRequiredError
        } succeeded: { call, delegate, step in
            call.report(step, to: delegate)
        }
    }
}
