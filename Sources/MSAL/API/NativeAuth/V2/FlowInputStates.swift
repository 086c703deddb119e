// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A flow that waits for the password: the user's own, or the one for a new account. V2 is a preview at Microsoft.
public final class MSALNativeAuthPasswordRequiredState: MSALNativeAuthState, @unchecked Sendable {
    private let state: NativeAuth.FlowPassword

    init(_ state: NativeAuth.FlowPassword, application: MSALNativeAuthPublicClientApplication) {
        self.state = state
        super.init(state.flow, application: application)
    }

    public override var description: String { "passwordRequired" }

    /// Submits the password unchanged. A blank one is rejected without a request.
    public func submitPassword(_ password: String, delegate: any MSALNativeAuthFlowDelegate) {
        go(delegate) { [state] client throws(NativeAuthFailure) in
            try await client.submitPassword(Secret(password), in: state)
        }
    }
}

/// A password reset that waits for the new password. V2 is a preview at Microsoft.
public final class MSALNativeAuthNewPasswordRequiredState: MSALNativeAuthState, @unchecked Sendable {
    private let state: NativeAuth.FlowNewPassword

    init(_ state: NativeAuth.FlowNewPassword, application: MSALNativeAuthPublicClientApplication) {
        self.state = state
        super.init(state.flow, application: application)
    }

    public override var description: String { "newPasswordRequired" }

    /// Submits the new password unchanged, and waits until the service has stored it: polls it up to five times. A
    /// blank one is rejected without a request.
    public func submitNewPassword(_ newPassword: String, delegate: any MSALNativeAuthFlowDelegate) {
        go(delegate) { [state] client throws(NativeAuthFailure) in
            try await client.submitNewPassword(Secret(newPassword), in: state)
        }
    }
}

/// A sign-up that waits for attributes. V2 is a preview at Microsoft.
public final class MSALNativeAuthAttributesRequiredState: MSALNativeAuthState, @unchecked Sendable {
    /// The attributes that the service requires and does not have yet.
    public let attributes: [MSALNativeAuthRequiredAttribute]

    private let state: NativeAuth.FlowAttributes

    init(_ state: NativeAuth.FlowAttributes, application: MSALNativeAuthPublicClientApplication) {
        self.state = state
        attributes = state.attributes.map(MSALNativeAuthRequiredAttribute.init)
        super.init(state.flow, application: application)
    }

    public override var description: String { "attributesRequired" }

    /// Submits attributes by name, with values that JSON can represent. They may include more than ``attributes``.
    public func submitAttributes(_ attributes: [String: Any], delegate: any MSALNativeAuthFlowDelegate) {
        let values = NativeAuth.attributes(attributes)
        go(delegate) { [state, flow] client throws(NativeAuthFailure) in
            guard let values else {
                throw NativeAuthFailure.unusableAttributes(correlationID: flow.continuation.correlationID)
            }
            return try await client.submitAttributes(values, in: state)
        }
    }
}

/// The end of a sign-up: the account has been created, and its user can be signed in. V2 is a preview at Microsoft.
public final class MSALNativeAuthSignInAfterSignUpState: MSALNativeAuthState, @unchecked Sendable {
    private let state: NativeAuth.FlowEnd

    init(_ state: NativeAuth.FlowEnd, application: MSALNativeAuthPublicClientApplication) {
        self.state = state
        super.init(state.flow, application: application)
    }

    public override var description: String { "signInAfterSignUp" }

    /// Signs the user in. Scopes and claims replace those from the start of the flow.
    public func signIn(
        parameters: MSALNativeAuthSignInAfterSignUpParameters,
        delegate: any MSALNativeAuthFlowDelegate
    ) {
        let request = NativeAuth.SignInAfterFlowRequest(scopes: parameters.scopes, claims: parameters.claimsRequest)
        go(delegate) { [state] client throws(NativeAuthFailure) in try await client.signIn(request, after: state) }
    }
}

/// The end of a reset: the new password is in effect, and its user can be signed in. V2 is a preview at Microsoft.
public final class MSALNativeAuthSignInAfterResetPasswordState: MSALNativeAuthState, @unchecked Sendable {
    private let state: NativeAuth.FlowEnd

    init(_ state: NativeAuth.FlowEnd, application: MSALNativeAuthPublicClientApplication) {
        self.state = state
        super.init(state.flow, application: application)
    }

    public override var description: String { "signInAfterResetPassword" }

    /// Signs the user in. Scopes and claims replace those from the start of the flow.
    public func signIn(
        parameters: MSALNativeAuthSignInAfterResetPasswordParameters,
        delegate: any MSALNativeAuthFlowDelegate
    ) {
        let request = NativeAuth.SignInAfterFlowRequest(scopes: parameters.scopes, claims: parameters.claimsRequest)
        go(delegate) { [state] client throws(NativeAuthFailure) in try await client.signIn(request, after: state) }
    }
}
