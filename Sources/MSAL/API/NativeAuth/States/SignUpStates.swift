// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A sign-up that waits for the one-time code that was sent.
public final class SignUpCodeRequiredState: SignUpBaseState, DelegateState, @unchecked Sendable {
    typealias State = NativeAuth.SignUpCode

    /// Submits the code. An empty one is rejected without a request.
    ///
    /// - Parameters:
    ///   - code: The user's input.
    ///   - delegate: Receives the outcome.
    public func submitCode(code: String, delegate: any SignUpVerifyCodeDelegate) {
        perform(for: delegate) { client, state throws(NativeAuthFailure) in
            try await client.submitCode(Secret(code), in: state)
        } failed: {
            $0.onSignUpVerifyCodeError
        } succeeded: { call, delegate, step in
            switch step {
            case .passwordRequired(let state):
                call.next(state, named: "onSignUpPasswordRequired", member: delegate.onSignUpPasswordRequired)
            case .accepted(let progress):
                call.report(progress, to: delegate)
            }
        }
    }

    /// Requests another code. The previous one becomes invalid.
    public func resendCode(delegate: any SignUpResendCodeDelegate) {
        perform(for: delegate) { client, state throws(NativeAuthFailure) in
            try await client.resendCode(in: state)
        } failed: {
            $0.onSignUpResendCodeError
        } succeeded: { call, delegate, sent in
            call.codeSent(
                sent.state,
                delivery: sent.delivery,
                named: "onSignUpResendCodeCodeRequired",
                member: delegate.onSignUpResendCodeCodeRequired
            )
        }
    }
}

/// A sign-up that waits for a password.
public final class SignUpPasswordRequiredState: SignUpBaseState, DelegateState, @unchecked Sendable {
    typealias State = NativeAuth.SignUpPassword

    /// Submits the password. It is sent unchanged; an empty one is rejected without a request.
    ///
    /// - Parameters:
    ///   - password: The user's choice.
    ///   - delegate: Receives the outcome.
    public func submitPassword(password: String, delegate: any SignUpPasswordRequiredDelegate) {
        perform(for: delegate) { client, state throws(NativeAuthFailure) in
            try await client.submitPassword(Secret(password), in: state)
        } failed: {
            $0.onSignUpPasswordRequiredError
        } succeeded: { call, delegate, progress in
            call.report(progress, to: delegate)
        }
    }
}

/// A sign-up that waits for attributes of the user.
public final class SignUpAttributesRequiredState: SignUpBaseState, DelegateState, @unchecked Sendable {
    typealias State = NativeAuth.SignUpAttributes

    /// Submits attributes.
    ///
    /// - Parameters:
    ///   - attributes: Values by attribute name, of types that JSON can represent; others are rejected without a
    ///     request.
    ///   - delegate: Receives the outcome.
    public func submitAttributes(attributes: [String: Any], delegate: any SignUpAttributesRequiredDelegate) {
        let values = NativeAuth.attributes(attributes)
        application.perform(for: delegate) { [state] client throws(NativeAuthFailure) in
            guard let values else { throw .unusableAttributes(correlationID: state.continuation.correlationID) }
            return try await client.submitAttributes(values, in: state)
        } failed: { delegate, failure in
            delegate.onSignUpAttributesRequiredError(error: AttributesRequiredError(failure))
        } succeeded: { call, delegate, step in
            switch step {
            case .attributesInvalid(let state, let names):
                call.next(state, named: "onSignUpAttributesInvalid") { newState in
                    delegate.onSignUpAttributesInvalid(attributeNames: names, newState: newState)
                }
            case .accepted(let progress):
                call.report(progress, to: delegate)
            }
        }
    }
}

/// The state after a sign-up. It can sign the new user in without further input.
public final class SignInAfterSignUpState: SignInAfterPreviousFlowBaseState, @unchecked Sendable {
    /// Signs the new user in.
    ///
    /// This needs a token of the flow. If the service sent none, the call ends with a general error without a request:
    /// use the application's `signIn` then.
    public func signIn(parameters: MSALNativeAuthSignInAfterSignUpParameters, delegate: any SignInAfterSignUpDelegate) {
        let request = NativeAuth.SignInAfterFlowRequest(scopes: parameters.scopes, claims: parameters.claimsRequest)
        application.perform(for: delegate) { [finished] client throws(NativeAuthFailure) in
            try await client.signIn(request, after: finished)
        } failed: { delegate, failure in
            delegate.onSignInAfterSignUpError(error: SignInAfterSignUpError(failure))
        } succeeded: { call, delegate, step in
            call.report(step, to: delegate)
        }
    }

    /// Signs the new user in, with the signature of MSAL 1.
    @available(*, deprecated, message: "Use signIn(parameters:delegate:).")
    public func signIn(scopes: [String]? = nil, delegate: any SignInAfterSignUpDelegate) {
        let parameters = MSALNativeAuthSignInAfterSignUpParameters()
        parameters.scopes = scopes
        signIn(parameters: parameters, delegate: delegate)
    }
}

extension DelegateCall {
    /// Reports the next step of a sign-up after the service accepted an input.
    fileprivate func report(
        _ progress: NativeAuth.SignUpProgress,
        to delegate: any MSALNativeAuthSignUpAttributesDelegate & MSALNativeAuthSignUpCompletedDelegate
    ) {
        switch progress {
        case .attributesRequired(let state, let attributes):
            next(state, named: "onSignUpAttributesRequired") { newState in
                let attributes = attributes.map(MSALNativeAuthRequiredAttribute.init)
                delegate.onSignUpAttributesRequired(attributes: attributes, newState: newState)
            }
        case .completed(let finished):
            self("onSignUpCompleted", correlationID: finished.correlationID) {
                delegate.onSignUpCompleted(newState: SignInAfterSignUpState(finished, application: application))
            }
        }
    }
}

/// An attribute of the user that the service requires before it creates the account.
public final class MSALNativeAuthRequiredAttribute: NSObject, Sendable {
    /// The attribute's name, which is its key in `attributes`.
    public let name: String

    /// The name of its type, such as `string` or `boolean`.
    public let type: String

    /// Whether the service requires this attribute to create an account.
    public let required: Bool

    /// A regular expression that values must match; `nil` if any value is allowed. The service checks it.
    public let regex: String?

    package init(name: String, type: String, required: Bool, regex: String?) {
        self.name = name
        self.type = type
        self.required = required
        self.regex = regex
    }

    /// An attribute as the service wants it.
    convenience init(_ attribute: NativeAuth.RequiredAttribute) {
        self.init(name: attribute.name, type: attribute.type, required: attribute.isRequired, regex: attribute.regex)
    }

    public override var description: String {
        "MSALNativeAuthRequiredAttribute(\(name): \(type)\(required ? ", required" : ""))"
    }
}
