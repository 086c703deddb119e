// Licensed under the MIT License. See LICENSE.

/// A sign-in that waits for the one-time code that was sent.
public final class SignInCodeRequiredState: SignInBaseState, @unchecked Sendable {
    private let state: NativeAuth.SignInCode

    init(_ application: MSALNativeAuthPublicClientApplication, _ state: NativeAuth.SignInCode) {
        self.state = state
        super.init(application)
    }

    /// Submits the code (spec native-auth 3.5). An empty one is refused without a request.
    ///
    /// - Parameters:
    ///   - code: What the user typed.
    ///   - delegate: Learns how it ended.
    public func submitCode(code: String, delegate: any SignInVerifyCodeDelegate) {
        let (client, state) = (client, state)
        perform(for: delegate) { () throws(NativeAuth.SignInCodeFailure) in
            try await client.submitCode(Secret(code), state)
        } report: { [self, application] delegate, outcome in
            let call = DelegateCall<NativeAuth.VerifyCodeKind, NativeAuth.SignInCode> { failure in
                delegate.onSignInVerifyCodeError(
                    error: VerifyCodeError(failure),
                    newState: failure.remaining.object(self) { SignInCodeRequiredState(application, $0) }
                )
            }
            switch outcome {
            case .success(let step): call.report(step, application, to: delegate)
            case .failure(let failure): call.fail(failure)
            }
        }
    }

    /// Has another code sent (spec native-auth 3.8). The earlier one is void then.
    public func resendCode(delegate: any SignInResendCodeDelegate) {
        let (client, state) = (client, state)
        perform(for: delegate) { () throws(NativeAuth.SignInResendFailure) in
            try await client.resendCode(state)
        } report: { [self, application] delegate, outcome in
            let call = DelegateCall<NativeAuth.GenericKind, NativeAuth.SignInCode> { failure in
                delegate.onSignInResendCodeError(
                    error: ResendCodeError(failure),
                    newState: failure.remaining.object(self) { SignInCodeRequiredState(application, $0) }
                )
            }
            switch outcome {
            case .success(let sent):
                call("onSignInResendCodeCodeRequired", sent.state.continuation.correlationID) {
                    delegate.onSignInResendCodeCodeRequired(
                        newState: SignInCodeRequiredState(application, sent.state),
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
    private let state: NativeAuth.SignInPassword

    init(_ application: MSALNativeAuthPublicClientApplication, _ state: NativeAuth.SignInPassword) {
        self.state = state
        super.init(application)
    }

    /// Submits the password (spec native-auth 3.5). It is sent as it is; an empty one is refused without a request.
    ///
    /// - Parameters:
    ///   - password: What the user typed.
    ///   - delegate: Learns how it ended.
    public func submitPassword(password: String, delegate: any SignInPasswordRequiredDelegate) {
        let (client, state) = (client, state)
        perform(for: delegate) { () throws(NativeAuth.SignInPasswordFailure) in
            try await client.submitPassword(Secret(password), state)
        } report: { [self, application] delegate, outcome in
            let call = DelegateCall<NativeAuth.PasswordKind, NativeAuth.SignInPassword> { failure in
                delegate.onSignInPasswordRequiredError(
                    error: PasswordRequiredError(failure),
                    newState: failure.remaining.object(self) { SignInPasswordRequiredState(application, $0) }
                )
            }
            switch outcome {
            case .success(let step): call.report(step, application, to: delegate)
            case .failure(let failure): call.fail(failure)
            }
        }
    }
}
