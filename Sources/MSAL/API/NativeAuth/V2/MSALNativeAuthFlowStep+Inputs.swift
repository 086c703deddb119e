// Licensed under the MIT License. See LICENSE.

import MSALBase

extension MSALNativeAuthFlowStep {
    /// A flow that waits for the password: the user's own, or the one for a new account.
    public struct PasswordRequired: Sendable, ClosedMirror {
        let point: FlowPoint<NativeAuth.FlowPassword>

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// Submits the password.
        ///
        /// - Parameter password: The user's input, sent as it is; a blank one is refused without a request.
        /// - Returns: The next step.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidPassword`: ask again.
        public func submit(password: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in
                try await client.submitPassword(Secret(password), in: state)
            }
        }
    }

    /// The reset of a password that waits for the new one.
    public struct NewPasswordRequired: Sendable, ClosedMirror {
        let point: FlowPoint<NativeAuth.FlowNewPassword>

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// Submits the new password and waits until the service has it.
        ///
        /// The service is asked up to five times, at the interval that it names. Cancel the task to stop waiting.
        ///
        /// - Parameter newPassword: The user's choice, sent as it is; a blank one is refused without a request.
        /// - Returns: Mostly `signInAfterResetPassword`.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidPassword`: ask for another; `serverError` tells which rule it
        ///   breaks.
        public func submit(newPassword: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in
                try await client.submitNewPassword(Secret(newPassword), in: state)
            }
        }
    }

    /// A sign-up that waits for attributes.
    public struct AttributesRequired: Sendable, ClosedMirror {
        /// The attributes that the service needs and does not have yet.
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
        /// - Parameter attributes: Values that JSON can express, by name. They may be more than were asked for.
        /// - Returns: The next step.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidAttributes`: ask again for those that `attributeNames` has.
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

    /// A finished sign-up or reset, whose user can be signed in without being asked again.
    public struct FollowingSignIn: Sendable, ClosedMirror {
        let point: FlowPoint<NativeAuth.FlowEnd>

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// Signs the user in.
        ///
        /// - Parameters:
        ///   - scopes: The scopes of the first access token; those of the start if empty.
        ///   - claimsRequest: Claims that the tokens must carry; those of the start if `nil`.
        /// - Returns: Mostly `completed`.
        /// - Throws: ``MSALNativeAuthStepError``: try again, or let the user sign in as any user does.
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
