// Licensed under the MIT License. See LICENSE.

import MSALBase

extension MSALNativeAuthFlowStep {
    /// A flow that waits for the password: the user's own, or the one for a new account.
    public struct PasswordRequired: Sendable, RedactedReflection {
        let point: FlowPoint<NativeAuth.FlowPassword>

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// Submits the password.
        ///
        /// - Parameter password: The user's input, sent unchanged; a blank one is rejected without a request.
        /// - Returns: The next step.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidPassword`: ask again.
        public func submit(password: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in
                try await client.submitPassword(Secret(password), in: state)
            }
        }
    }

    /// A password reset that waits for the new password.
    public struct NewPasswordRequired: Sendable, RedactedReflection {
        let point: FlowPoint<NativeAuth.FlowNewPassword>

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// Submits the new password and waits until the service has stored it.
        ///
        /// The service is polled up to five times, at the interval that it specifies. Cancel the task to stop waiting.
        ///
        /// - Parameter newPassword: The user's choice, sent unchanged; a blank one is rejected without a request.
        /// - Returns: Usually `signInAfterResetPassword`.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidPassword`: ask for another; `serverError` shows which
        ///   rule it violates.
        public func submit(newPassword: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in
                try await client.submitNewPassword(Secret(newPassword), in: state)
            }
        }
    }

    /// A sign-up that waits for attributes.
    public struct AttributesRequired: Sendable, RedactedReflection {
        /// The attributes that the service requires and does not have yet.
        public let attributes: [MSALNativeAuthRequiredAttribute]

        private let point: FlowPoint<NativeAuth.FlowAttributes>

        init(_ state: NativeAuth.FlowAttributes, application: MSALNativeAuthPublicClientApplication) {
            attributes = state.attributes.map(MSALNativeAuthRequiredAttribute.init)
            point = FlowPoint(state: state, application: application)
        }

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// Submits attributes.
        ///
        /// - Parameter attributes: Values that JSON can represent, by name. They may include more than the required
        ///   ones.
        /// - Returns: The next step.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidAttributes`: ask again for those in `attributeNames`.
        public func submit(
            attributes: [String: Any]
        ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            let values = NativeAuth.attributes(attributes)
            return try await point.next { client, state throws(NativeAuthFailure) in
                guard let values else {
                    throw NativeAuthFailure.unusableAttributes(correlationID: state.flow.continuation.correlationID)
                }
                return try await client.submitAttributes(values, in: state)
            }
        }
    }

    /// A finished sign-up or reset, whose user can be signed in without further input.
    public struct FollowingSignIn: Sendable, RedactedReflection {
        let point: FlowPoint<NativeAuth.FlowEnd>

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// Signs the user in.
        ///
        /// - Parameters:
        ///   - scopes: The scopes of the first access token; if empty, those from the start of the flow.
        ///   - claimsRequest: Claims that the tokens must contain; if `nil`, those from the start of the flow.
        /// - Returns: Usually `completed`.
        /// - Throws: ``MSALNativeAuthStepError``: try again, or let the user sign in as usual.
        public func signIn(
            scopes: [String] = [],
            claimsRequest: MSALClaimsRequest? = nil
        ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            let request = NativeAuth.SignInAfterFlowRequest(scopes: scopes, claims: claimsRequest)
            return try await point.next { client, state throws(NativeAuthFailure) in
                try await client.signIn(request, after: state)
            }
        }
    }
}
