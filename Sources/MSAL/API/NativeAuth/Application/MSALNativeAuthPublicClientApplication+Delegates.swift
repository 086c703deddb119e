// Licensed under the MIT License. See LICENSE.

import MSALBase

extension MSALNativeAuthPublicClientApplication {
    /// Starts a sign-in.
    ///
    /// The service decides whether a code, a password, a second factor or a registration follows. An empty user name
    /// or password is refused without a request.
    ///
    /// - Parameters:
    ///   - parameters: The user, and the scopes of the first access token.
    ///   - delegate: Learns how it goes on, on the main actor; it is held until then.
    public func signIn(parameters: MSALNativeAuthSignInParameters, delegate: any SignInStartDelegate) {
        let request = NativeAuth.SignInRequest(parameters)
        perform(for: delegate) { [native] () throws(NativeAuthFailure) in
            try await native.signIn(request)
        } report: { [self] delegate, outcome in
            let call = DelegateCall(application: self) { failure in
                delegate.onSignInStartError(error: SignInStartError(failure))
            }
            switch outcome {
            case .success(.codeRequired(let state, let delivery)):
                call("onSignInCodeRequired", correlationID: state.continuation.correlationID) {
                    delegate.onSignInCodeRequired(
                        newState: SignInCodeRequiredState(state, application: self),
                        sentTo: delivery.sentTo,
                        channelTargetType: MSALNativeAuthChannelType(value: delivery.channel),
                        codeLength: delivery.codeLength
                    )
                }
            case .success(.passwordRequired(let state)):
                call("onSignInPasswordRequired", correlationID: state.continuation.correlationID) {
                    delegate.onSignInPasswordRequired(newState: SignInPasswordRequiredState(state, application: self))
                }
            case .success(.awaitingMFA(let state, let methods)):
                call.awaitingMFA(state, methods: methods, to: delegate)
            case .success(.registrationRequired(let state, let methods)):
                call.registrationRequired(state, methods: methods, to: delegate)
            case .success(.completed(let result)):
                call.completed(result, to: delegate)
            case .failure(let failure):
                call.fail(failure)
            }
        }
    }

    /// Starts a sign-up.
    ///
    /// An empty user name or password is refused without a request, and so are attributes that JSON does not know.
    ///
    /// - Parameters:
    ///   - parameters: The account to be made.
    ///   - delegate: Learns how it goes on, on the main actor; it is held until then.
    public func signUp(parameters: MSALNativeAuthSignUpParameters, delegate: any SignUpStartDelegate) {
        let correlationID = parameters.correlationId ?? .random()
        let request = NativeAuth.SignUpRequest.make(parameters, correlationID: correlationID)
        perform(for: delegate) { [native] () throws(NativeAuthFailure) in
            try await native.signUp(try request.get())
        } report: { [self] delegate, outcome in
            let call = DelegateCall(application: self) { failure in
                delegate.onSignUpStartError(error: SignUpStartError(failure))
            }
            switch outcome {
            case .success(.codeRequired(let state, let delivery)):
                call("onSignUpCodeRequired", correlationID: state.continuation.correlationID) {
                    delegate.onSignUpCodeRequired(
                        newState: SignUpCodeRequiredState(state, application: self),
                        sentTo: delivery.sentTo,
                        channelTargetType: MSALNativeAuthChannelType(value: delivery.channel),
                        codeLength: delivery.codeLength
                    )
                }
            case .success(.attributesInvalid(let names)):
                call("onSignUpAttributesInvalid", correlationID: correlationID) {
                    delegate.onSignUpAttributesInvalid(attributeNames: names)
                }
            case .failure(let failure):
                call.fail(failure)
            }
        }
    }

    /// Starts the reset of a password. An empty user name is refused without a request.
    ///
    /// - Parameters:
    ///   - parameters: The user.
    ///   - delegate: Learns how it goes on, on the main actor; it is held until then.
    public func resetPassword(
        parameters: MSALNativeAuthResetPasswordParameters,
        delegate: any ResetPasswordStartDelegate
    ) {
        let request = NativeAuth.ResetPasswordRequest(parameters)
        perform(for: delegate) { [native] () throws(NativeAuthFailure) in
            try await native.resetPassword(request)
        } report: { [self] delegate, outcome in
            let call = DelegateCall(application: self) { failure in
                delegate.onResetPasswordStartError(error: ResetPasswordStartError(failure))
            }
            switch outcome {
            case .success(let sent):
                call("onResetPasswordCodeRequired", correlationID: sent.state.continuation.correlationID) {
                    delegate.onResetPasswordCodeRequired(
                        newState: ResetPasswordCodeRequiredState(sent.state, application: self),
                        sentTo: sent.delivery.sentTo,
                        channelTargetType: MSALNativeAuthChannelType(value: sent.delivery.channel),
                        codeLength: sent.delivery.codeLength
                    )
                }
            case .failure(let failure):
                call.fail(failure)
            }
        }
    }
}
