// Licensed under the MIT License. See LICENSE.

import MSALBase

// The methods of MSAL 1, which did not have parameter objects yet. Each calls the current method with a parameter
// object.

extension MSALNativeAuthPublicClientApplication {
    /// Starts a sign-up; see ``signUp(parameters:delegate:)``.
    @available(*, deprecated, message: "Use signUp(parameters:delegate:).")
    public func signUp(
        username: String,
        password: String? = nil,
        attributes: [String: Any]? = nil,
        correlationId: UUID? = nil,
        delegate: any SignUpStartDelegate
    ) {
        let parameters = MSALNativeAuthSignUpParameters(username: username)
        parameters.password = password
        parameters.attributes = attributes
        parameters.correlationId = correlationId
        signUp(parameters: parameters, delegate: delegate)
    }

    /// Starts a sign-in; see ``signIn(parameters:delegate:)``.
    @available(*, deprecated, message: "Use signIn(parameters:delegate:).")
    public func signIn(
        username: String,
        password: String? = nil,
        scopes: [String]? = nil,
        correlationId: UUID? = nil,
        delegate: any SignInStartDelegate
    ) {
        let parameters = MSALNativeAuthSignInParameters(username: username)
        parameters.password = password
        parameters.scopes = scopes
        parameters.correlationId = correlationId
        signIn(parameters: parameters, delegate: delegate)
    }

    /// Starts a password reset; see ``resetPassword(parameters:delegate:)``.
    @available(*, deprecated, message: "Use resetPassword(parameters:delegate:).")
    public func resetPassword(username: String, correlationId: UUID? = nil, delegate: any ResetPasswordStartDelegate) {
        let parameters = MSALNativeAuthResetPasswordParameters(username: username)
        parameters.correlationId = correlationId
        resetPassword(parameters: parameters, delegate: delegate)
    }

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
