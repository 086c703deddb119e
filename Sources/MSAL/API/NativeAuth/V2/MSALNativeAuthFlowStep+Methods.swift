// Licensed under the MIT License. See LICENSE.

extension MSALNativeAuthFlowStep {
    /// A flow that waits for the choice of a method for the first or second factor.
    public struct AuthMethodSelectionRequired: Sendable, RedactedReflection {
        private let choice: MethodChoice
        private let point: FlowPoint<NativeAuth.FlowMethods>

        init(_ state: NativeAuth.FlowMethods, application: MSALNativeAuthPublicClientApplication) {
            choice = MethodChoice(state)
            point = FlowPoint(state: state, application: application)
        }

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// The methods to choose from, in the service's order.
        public var authMethods: [MSALAuthMethod] { choice.methods }

        /// Whether this is a second factor, which is offered even if there is only one.
        public var isSecondFactor: Bool { point.state.isSecondFactor }

        /// Chooses a method.
        ///
        /// - Parameter authMethod: One of ``authMethods``.
        /// - Returns: The next step.
        /// - Throws: ``MSALNativeAuthStepError``, for `authMethodBlocked`: let the user choose another; for
        ///   `invalidInput`: the method is not in this list.
        public func select(
            _ authMethod: MSALAuthMethod
        ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, _ throws(NativeAuthFailure) in
                try await choice.select(authMethod, client: client)
            }
        }
    }

    /// A flow that waits for the user to register a strong authentication method.
    public struct RegistrationRequired: Sendable, RedactedReflection {
        private let choice: MethodChoice
        private let point: FlowPoint<NativeAuth.FlowMethods>

        init(_ state: NativeAuth.FlowMethods, application: MSALNativeAuthPublicClientApplication) {
            choice = MethodChoice(state)
            point = FlowPoint(state: state, application: application)
        }

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// The methods to choose from, in the service's order.
        public var authMethods: [MSALAuthMethod] { choice.methods }

        /// Registers a method.
        ///
        /// - Parameters:
        ///   - authMethod: One of ``authMethods``.
        ///   - verificationContact: The address or number; a blank one is rejected without a request. `nil` uses the
        ///     one that the service already knows.
        /// - Returns: Usually `registrationCodeRequired`.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidInput` and `verificationContactBlocked`: ask for another
        ///   address.
        public func select(
            _ authMethod: MSALAuthMethod,
            verificationContact: String? = nil
        ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, _ throws(NativeAuthFailure) in
                try await choice.select(authMethod, contact: verificationContact, client: client)
            }
        }
    }
}
