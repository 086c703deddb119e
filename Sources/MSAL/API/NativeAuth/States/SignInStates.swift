// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A sign-in that waits for the one-time code that was sent.
public final class SignInCodeRequiredState: SignInBaseState, @unchecked Sendable {
    let state: NativeAuth.SignInCode

    init(_ state: NativeAuth.SignInCode, application: MSALNativeAuthPublicClientApplication) {
        self.state = state
        super.init(application)
    }

    /// Submits the code. An empty one is refused without a request.
    ///
    /// - Parameters:
    ///   - code: The user's input.
    ///   - delegate: Learns how it ended.
    public func submitCode(code: String, delegate: any SignInVerifyCodeDelegate) {
        let (client, state) = (client, state)
        perform(for: delegate) { () throws(NativeAuthFailure) in
            try await client.submitCode(Secret(code), in: state)
        } report: { [self, application] delegate, outcome in
            let call = DelegateCall(application: application) { failure in
                delegate.onSignInVerifyCodeError(
                    error: VerifyCodeError(failure),
                    newState: failure.remaining.object(same: self) {
                        SignInCodeRequiredState($0, application: application)
                    }
                )
            }
            switch outcome {
            case .success(let step): call.report(step, to: delegate)
            case .failure(let failure): call.fail(failure)
            }
        }
    }

    /// Has another code sent. The earlier one is void then.
    public func resendCode(delegate: any SignInResendCodeDelegate) {
        let (client, state) = (client, state)
        perform(for: delegate) { () throws(NativeAuthFailure) in
            try await client.resendCode(in: state)
        } report: { [self, application] delegate, outcome in
            let call = DelegateCall(application: application) { failure in
                delegate.onSignInResendCodeError(
                    error: ResendCodeError(failure),
                    newState: failure.remaining.object(same: self) {
                        SignInCodeRequiredState($0, application: application)
                    }
                )
            }
            switch outcome {
            case .success(let sent):
                call("onSignInResendCodeCodeRequired", correlationID: sent.state.continuation.correlationID) {
                    delegate.onSignInResendCodeCodeRequired(
                        newState: SignInCodeRequiredState(sent.state, application: application),
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

/// A sign-in that waits for the password.
public final class SignInPasswordRequiredState: SignInBaseState, @unchecked Sendable {
    let state: NativeAuth.SignInPassword

    init(_ state: NativeAuth.SignInPassword, application: MSALNativeAuthPublicClientApplication) {
        self.state = state
        super.init(application)
    }

    /// Submits the password. It is sent as it is; an empty one is refused without a request.
    ///
    /// - Parameters:
    ///   - password: The user's input.
    ///   - delegate: Learns how it ended.
    public func submitPassword(password: String, delegate: any SignInPasswordRequiredDelegate) {
        let (client, state) = (client, state)
        perform(for: delegate) { () throws(NativeAuthFailure) in
            try await client.submitPassword(Secret(password), in: state)
        } report: { [self, application] delegate, outcome in
            let call = DelegateCall(application: application) { failure in
                delegate.onSignInPasswordRequiredError(
                    error: PasswordRequiredError(failure),
                    newState: failure.remaining.object(same: self) {
                        SignInPasswordRequiredState($0, application: application)
                    }
                )
            }
            switch outcome {
            case .success(let step): call.report(step, to: delegate)
            case .failure(let failure): call.fail(failure)
            }
        }
    }
}
