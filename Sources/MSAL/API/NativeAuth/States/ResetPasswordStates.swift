// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A password reset that waits for the one-time code that was sent.
public final class ResetPasswordCodeRequiredState: ResetPasswordBaseState, DelegateState, @unchecked Sendable {
    typealias State = NativeAuth.ResetPasswordCode

    /// Submits the code. An empty one is rejected without a request.
    ///
    /// - Parameters:
    ///   - code: The user's input.
    ///   - delegate: Receives the outcome.
    public func submitCode(code: String, delegate: any ResetPasswordVerifyCodeDelegate) {
        perform(for: delegate) { client, state throws(NativeAuthFailure) in
            try await client.submitCode(Secret(code), in: state)
        } failed: {
            $0.onResetPasswordVerifyCodeError
        } succeeded: { call, delegate, state in
            call.next(state, named: "onPasswordRequired", member: delegate.onPasswordRequired)
        }
    }

    /// Requests another code. The previous one becomes invalid.
    public func resendCode(delegate: any ResetPasswordResendCodeDelegate) {
        perform(for: delegate) { client, state throws(NativeAuthFailure) in
            try await client.resendCode(in: state)
        } failed: {
            $0.onResetPasswordResendCodeError
        } succeeded: { call, delegate, sent in
            call.codeSent(
                sent.state,
                delivery: sent.delivery,
                named: "onResetPasswordResendCodeRequired",
                member: delegate.onResetPasswordResendCodeRequired
            )
        }
    }
}

/// A password reset that waits for the new password.
public final class ResetPasswordRequiredState: ResetPasswordBaseState, DelegateState, @unchecked Sendable {
    typealias State = NativeAuth.NewPassword

    /// Submits the new password and waits until the service has stored it.
    ///
    /// The service is polled up to six times, at the interval that it specifies. The password is sent unchanged; an
    /// empty one is rejected without a request.
    ///
    /// - Parameters:
    ///   - password: The user's choice.
    ///   - delegate: Receives the outcome.
    public func submitPassword(password: String, delegate: any ResetPasswordRequiredDelegate) {
        perform(for: delegate) { client, state throws(NativeAuthFailure) in
            try await client.submitPassword(Secret(password), in: state)
        } failed: {
            $0.onResetPasswordRequiredError
        } succeeded: { call, delegate, finished in
            call("onResetPasswordCompleted", correlationID: finished.correlationID) {
                delegate.onResetPasswordCompleted(
                    newState: SignInAfterResetPasswordState(finished, application: call.application)
                )
            }
        }
    }
}

/// The state after a password reset. It can sign the user in without further input.
public final class SignInAfterResetPasswordState: SignInAfterPreviousFlowBaseState, @unchecked Sendable {
    /// Signs the user in.
    ///
    /// This needs a token of the flow. If the service sent none, the call ends with a general error without a request:
    /// use the application's `signIn` then.
    public func signIn(
        parameters: MSALNativeAuthSignInAfterResetPasswordParameters,
        delegate: any SignInAfterResetPasswordDelegate
    ) {
        let request = NativeAuth.SignInAfterFlowRequest(scopes: parameters.scopes, claims: parameters.claimsRequest)
        application.perform(for: delegate) { [finished] client throws(NativeAuthFailure) in
            try await client.signIn(request, after: finished)
        } failed: { delegate, failure in
            delegate.onSignInAfterResetPasswordError(error: SignInAfterResetPasswordError(failure))
        } succeeded: { call, delegate, step in
            call.report(step, to: delegate)
        }
    }

    /// Signs the user in, with the signature of MSAL 1.
    @available(*, deprecated, message: "Use signIn(parameters:delegate:).")
    public func signIn(scopes: [String]? = nil, delegate: any SignInAfterResetPasswordDelegate) {
        let parameters = MSALNativeAuthSignInAfterResetPasswordParameters()
        parameters.scopes = scopes
        signIn(parameters: parameters, delegate: delegate)
    }
}
