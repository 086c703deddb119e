// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The reset of a password that waits for the one-time code that was sent.
public final class ResetPasswordCodeRequiredState: ResetPasswordBaseState, @unchecked Sendable {
    let state: NativeAuth.ResetPasswordCode

    init(_ state: NativeAuth.ResetPasswordCode, application: MSALNativeAuthPublicClientApplication) {
        self.state = state
        super.init(application)
    }

    /// Submits the code. An empty one is refused without a request.
    ///
    /// - Parameters:
    ///   - code: The user's input.
    ///   - delegate: Learns how it ended.
    public func submitCode(code: String, delegate: any ResetPasswordVerifyCodeDelegate) {
        let (client, state) = (client, state)
        perform(for: delegate) { () throws(NativeAuthFailure) in
            try await client.submitCode(Secret(code), in: state)
        } report: { [self, application] delegate, outcome in
            let call = DelegateCall(application: application) { failure in
                delegate.onResetPasswordVerifyCodeError(
                    error: VerifyCodeError(failure),
                    newState: failure.remaining.object(same: self) {
                        ResetPasswordCodeRequiredState($0, application: application)
                    }
                )
            }
            switch outcome {
            case .success(let state):
                call("onPasswordRequired", correlationID: state.continuation.correlationID) {
                    delegate.onPasswordRequired(newState: ResetPasswordRequiredState(state, application: application))
                }
            case .failure(let failure): call.fail(failure)
            }
        }
    }

    /// Has another code sent. The earlier one is void then.
    public func resendCode(delegate: any ResetPasswordResendCodeDelegate) {
        let (client, state) = (client, state)
        perform(for: delegate) { () throws(NativeAuthFailure) in
            try await client.resendCode(in: state)
        } report: { [self, application] delegate, outcome in
            let call = DelegateCall(application: application) { failure in
                delegate.onResetPasswordResendCodeError(
                    error: ResendCodeError(failure),
                    newState: failure.remaining.object(same: self) {
                        ResetPasswordCodeRequiredState($0, application: application)
                    }
                )
            }
            switch outcome {
            case .success(let sent):
                call("onResetPasswordResendCodeRequired", correlationID: sent.state.continuation.correlationID) {
                    delegate.onResetPasswordResendCodeRequired(
                        newState: ResetPasswordCodeRequiredState(sent.state, application: application),
                        sentTo: sent.delivery.sentTo,
                        channelTargetType: MSALNativeAuthChannelType(value: sent.delivery.channel),
                        codeLength: sent.delivery.codeLength
                    )
                }
            case .failure(let failure): call.fail(failure)
            }
        }
    }
}

/// The reset of a password that waits for the new password.
public final class ResetPasswordRequiredState: ResetPasswordBaseState, @unchecked Sendable {
    let state: NativeAuth.NewPassword

    init(_ state: NativeAuth.NewPassword, application: MSALNativeAuthPublicClientApplication) {
        self.state = state
        super.init(application)
    }

    /// Submits the new password and waits until the service has it.
    ///
    /// The service is asked up to six times, at the interval that it names. The password is sent as it is; an empty
    /// one is refused without a request.
    ///
    /// - Parameters:
    ///   - password: The user's choice.
    ///   - delegate: Learns how it ended.
    public func submitPassword(password: String, delegate: any ResetPasswordRequiredDelegate) {
        let (client, state) = (client, state)
        perform(for: delegate) { () throws(NativeAuthFailure) in
            try await client.submitPassword(Secret(password), in: state)
        } report: { [self, application] delegate, outcome in
            let call = DelegateCall(application: application) { failure in
                delegate.onResetPasswordRequiredError(
                    error: PasswordRequiredError(failure),
                    newState: failure.remaining.object(same: self) {
                        ResetPasswordRequiredState($0, application: application)
                    }
                )
            }
            switch outcome {
            case .success(let finished):
                call("onResetPasswordCompleted", correlationID: finished.correlationID) {
                    delegate.onResetPasswordCompleted(
                        newState: SignInAfterResetPasswordState(finished, application: application)
                    )
                }
            case .failure(let failure): call.fail(failure)
            }
        }
    }
}

/// A new password, whose user can be signed in without being asked again.
public final class SignInAfterResetPasswordState: SignInAfterPreviousFlowBaseState, @unchecked Sendable {
    /// Signs the user in.
    ///
    /// If the service gave no means to, the call ends with a general error without a request: use `signIn` of the
    /// application.
    public func signIn(
        parameters: MSALNativeAuthSignInAfterResetPasswordParameters,
        delegate: any SignInAfterResetPasswordDelegate
    ) {
        let (client, finished) = (application.native, finished)
        let request = NativeAuth.SignInAfterFlowRequest(
            scopes: parameters.scopes,
            claimsRequest: parameters.claimsRequest
        )
        perform(for: delegate) { () throws(NativeAuthFailure) in
            try await client.signIn(request, after: finished)
        } report: { [application] delegate, outcome in
            let call = DelegateCall(application: application) { failure in
                delegate.onSignInAfterResetPasswordError(error: SignInAfterResetPasswordError(failure))
            }
            switch outcome {
            case .success(let step): call.report(step, to: delegate)
            case .failure(let failure): call.fail(failure)
            }
        }
    }

    /// Signs the user in, in the form of MSAL 1.
    @available(*, deprecated, message: "Use signIn(parameters:delegate:).")
    public func signIn(scopes: [String]? = nil, delegate: any SignInAfterResetPasswordDelegate) {
        let parameters = MSALNativeAuthSignInAfterResetPasswordParameters()
        parameters.scopes = scopes
        signIn(parameters: parameters, delegate: delegate)
    }
}
