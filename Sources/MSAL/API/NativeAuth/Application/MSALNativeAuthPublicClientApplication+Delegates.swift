// Licensed under the MIT License. See LICENSE.

import MSALBase

extension MSALNativeAuthPublicClientApplication {
    /// Starts a sign-in.
    ///
    /// The service decides whether a code, a password, a second factor, or a registration is next. An empty user name
    /// or password is rejected without a request.
    ///
    /// - Parameters:
    ///   - parameters: The user, and the scopes of the first access token.
    ///   - delegate: Receives the next step or the error, on the main actor. The call retains it until then.
    public func signIn(parameters: MSALNativeAuthSignInParameters, delegate: any SignInStartDelegate) {
        let request = NativeAuth.SignInRequest(parameters)
        perform(for: delegate) { client throws(NativeAuthFailure) in
            try await client.signIn(request)
        } failed: { delegate, failure in
            delegate.onSignInStartError(error: SignInStartError(failure))
        } succeeded: { call, delegate, step in
            switch step {
            case .codeRequired(let state, let delivery):
                let member = delegate.onSignInCodeRequired
                call.codeSent(state, delivery: delivery, named: "onSignInCodeRequired", member: member)
            case .passwordRequired(let state):
                call.next(state, named: "onSignInPasswordRequired", member: delegate.onSignInPasswordRequired)
            case .accepted(let step):
                call.report(step, to: delegate)
            }
        }
    }

    /// Starts a sign-up.
    ///
    /// An empty user name or password is rejected without a request, as are attributes that JSON cannot represent.
    ///
    /// - Parameters:
    ///   - parameters: The account to create.
    ///   - delegate: Receives the next step or the error, on the main actor. The call retains it until then.
    public func signUp(parameters: MSALNativeAuthSignUpParameters, delegate: any SignUpStartDelegate) {
        let correlationID = parameters.correlationId ?? .random()
        let request = NativeAuth.SignUpRequest.make(parameters, correlationID: correlationID)
        perform(for: delegate) { client throws(NativeAuthFailure) in
            try await client.signUp(try request.get())
        } failed: { delegate, failure in
            delegate.onSignUpStartError(error: SignUpStartError(failure))
        } succeeded: { call, delegate, step in
            switch step {
            case .codeRequired(let state, let delivery):
                let member = delegate.onSignUpCodeRequired
                call.codeSent(state, delivery: delivery, named: "onSignUpCodeRequired", member: member)
            case .attributesInvalid(let names):
                call("onSignUpAttributesInvalid", correlationID: correlationID) {
                    delegate.onSignUpAttributesInvalid(attributeNames: names)
                }
            }
        }
    }

    /// Starts a password reset. An empty user name is rejected without a request.
    ///
    /// - Parameters:
    ///   - parameters: The user.
    ///   - delegate: Receives the next step or the error, on the main actor. The call retains it until then.
    public func resetPassword(
        parameters: MSALNativeAuthResetPasswordParameters,
        delegate: any ResetPasswordStartDelegate
    ) {
        let request = NativeAuth.ResetPasswordRequest(parameters)
        perform(for: delegate) { client throws(NativeAuthFailure) in
            try await client.resetPassword(request)
        } failed: { delegate, failure in
            delegate.onResetPasswordStartError(error: ResetPasswordStartError(failure))
        } succeeded: { call, delegate, sent in
            let member = delegate.onResetPasswordCodeRequired
            call.codeSent(sent.state, delivery: sent.delivery, named: "onResetPasswordCodeRequired", member: member)
        }
    }
}
