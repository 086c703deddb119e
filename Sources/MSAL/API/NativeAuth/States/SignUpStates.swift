// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A sign-up that waits for the one-time code that was sent.
public final class SignUpCodeRequiredState: SignUpBaseState, @unchecked Sendable {
    let state: NativeAuth.SignUpCode

    init(_ state: NativeAuth.SignUpCode, application: MSALNativeAuthPublicClientApplication) {
        self.state = state
        super.init(application)
    }

    /// Submits the code. An empty one is refused without a request.
    ///
    /// - Parameters:
    ///   - code: The user's input.
    ///   - delegate: Learns how it ended.
    public func submitCode(code: String, delegate: any SignUpVerifyCodeDelegate) {
        let (client, state) = (client, state)
        perform(for: delegate) { () throws(NativeAuthFailure) in
            try await client.submitCode(Secret(code), in: state)
        } report: { [self, application] delegate, outcome in
            let call = DelegateCall(application: application) { failure in
                delegate.onSignUpVerifyCodeError(
                    error: VerifyCodeError(failure),
                    newState: failure.remaining.object(same: self) {
                        SignUpCodeRequiredState($0, application: application)
                    }
                )
            }
            switch outcome {
            case .success(.passwordRequired(let state)):
                call("onSignUpPasswordRequired", correlationID: state.continuation.correlationID) {
                    delegate.onSignUpPasswordRequired(
                        newState: SignUpPasswordRequiredState(state, application: application)
                    )
                }
            case .success(.attributesRequired(let state, let attributes)):
                call.attributesRequired(state, attributes: attributes, to: delegate)
            case .success(.completed(let finished)):
                call.signUpCompleted(finished, to: delegate)
            case .failure(let failure): call.fail(failure)
            }
        }
    }

    /// Has another code sent. The earlier one is void then.
    public func resendCode(delegate: any SignUpResendCodeDelegate) {
        let (client, state) = (client, state)
        perform(for: delegate) { () throws(NativeAuthFailure) in
            try await client.resendCode(in: state)
        } report: { [self, application] delegate, outcome in
            let call = DelegateCall(application: application) { failure in
                delegate.onSignUpResendCodeError(
                    error: ResendCodeError(failure),
                    newState: failure.remaining.object(same: self) {
                        SignUpCodeRequiredState($0, application: application)
                    }
                )
            }
            switch outcome {
            case .success(let sent):
                call("onSignUpResendCodeCodeRequired", correlationID: sent.state.continuation.correlationID) {
                    delegate.onSignUpResendCodeCodeRequired(
                        newState: SignUpCodeRequiredState(sent.state, application: application),
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

/// A sign-up that waits for a password.
public final class SignUpPasswordRequiredState: SignUpBaseState, @unchecked Sendable {
    let state: NativeAuth.SignUpPassword

    init(_ state: NativeAuth.SignUpPassword, application: MSALNativeAuthPublicClientApplication) {
        self.state = state
        super.init(application)
    }

    /// Submits the password. It is sent as it is; an empty one is refused without a request.
    ///
    /// - Parameters:
    ///   - password: The user's choice.
    ///   - delegate: Learns how it ended.
    public func submitPassword(password: String, delegate: any SignUpPasswordRequiredDelegate) {
        let (client, state) = (client, state)
        perform(for: delegate) { () throws(NativeAuthFailure) in
            try await client.submitPassword(Secret(password), in: state)
        } report: { [self, application] delegate, outcome in
            let call = DelegateCall(application: application) { failure in
                delegate.onSignUpPasswordRequiredError(
                    error: PasswordRequiredError(failure),
                    newState: failure.remaining.object(same: self) {
                        SignUpPasswordRequiredState($0, application: application)
                    }
                )
            }
            switch outcome {
            case .success(.attributesRequired(let state, let attributes)):
                call.attributesRequired(state, attributes: attributes, to: delegate)
            case .success(.completed(let finished)):
                call.signUpCompleted(finished, to: delegate)
            case .failure(let failure): call.fail(failure)
            }
        }
    }
}

/// A sign-up that waits for attributes of the user.
public final class SignUpAttributesRequiredState: SignUpBaseState, @unchecked Sendable {
    let state: NativeAuth.SignUpAttributes

    init(_ state: NativeAuth.SignUpAttributes, application: MSALNativeAuthPublicClientApplication) {
        self.state = state
        super.init(application)
    }

    /// Submits attributes.
    ///
    /// - Parameters:
    ///   - attributes: Values by attribute name, of types that JSON knows; others are refused without a request.
    ///   - delegate: Learns how it ended.
    public func submitAttributes(attributes: [String: Any], delegate: any SignUpAttributesRequiredDelegate) {
        let (client, state) = (client, state)
        let values = NativeAuth.attributes(attributes)
        perform(for: delegate) { () throws(NativeAuthFailure) in
            guard let values else { throw .unusableAttributes(correlationID: state.continuation.correlationID) }
            return try await client.submitAttributes(values, in: state)
        } report: { [application] delegate, outcome in
            let call = DelegateCall(application: application) { failure in
                delegate.onSignUpAttributesRequiredError(error: AttributesRequiredError(failure))
            }
            switch outcome {
            case .success(.attributesRequired(let state, let attributes)):
                call.attributesRequired(state, attributes: attributes, to: delegate)
            case .success(.attributesInvalid(let state, let names)):
                call("onSignUpAttributesInvalid", correlationID: state.continuation.correlationID) {
                    delegate.onSignUpAttributesInvalid(
                        attributeNames: names,
                        newState: SignUpAttributesRequiredState(state, application: application)
                    )
                }
            case .success(.completed(let finished)):
                call.signUpCompleted(finished, to: delegate)
            case .failure(let failure): call.fail(failure)
            }
        }
    }
}

/// A new account, whose user can be signed in without being asked again.
public final class SignInAfterSignUpState: SignInAfterPreviousFlowBaseState, @unchecked Sendable {
    /// Signs the new user in.
    ///
    /// If the service gave no means to, the call ends with a general error without a request: use `signIn` of the
    /// application.
    public func signIn(
        parameters: MSALNativeAuthSignInAfterSignUpParameters,
        delegate: any SignInAfterSignUpDelegate
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
                delegate.onSignInAfterSignUpError(error: SignInAfterSignUpError(failure))
            }
            switch outcome {
            case .success(let step): call.report(step, to: delegate)
            case .failure(let failure): call.fail(failure)
            }
        }
    }

    /// Signs the new user in, in the form of MSAL 1.
    @available(*, deprecated, message: "Use signIn(parameters:delegate:).")
    public func signIn(scopes: [String]? = nil, delegate: any SignInAfterSignUpDelegate) {
        let parameters = MSALNativeAuthSignInAfterSignUpParameters()
        parameters.scopes = scopes
        signIn(parameters: parameters, delegate: delegate)
    }
}

// The outcomes that several operations share.
extension DelegateCall {
    fileprivate func attributesRequired(
        _ state: NativeAuth.SignUpAttributes,
        attributes: [NativeAuth.RequiredAttribute],
        to delegate: any MSALNativeAuthSignUpAttributesDelegate
    ) {
        self("onSignUpAttributesRequired", correlationID: state.continuation.correlationID) {
            delegate.onSignUpAttributesRequired(
                attributes: attributes.map(MSALNativeAuthRequiredAttribute.init),
                newState: SignUpAttributesRequiredState(state, application: application)
            )
        }
    }

    fileprivate func signUpCompleted(
        _ finished: NativeAuth.FinishedFlow,
        to delegate: any MSALNativeAuthSignUpCompletedDelegate
    ) {
        self("onSignUpCompleted", correlationID: finished.correlationID) {
            delegate.onSignUpCompleted(newState: SignInAfterSignUpState(finished, application: application))
        }
    }
}
