// Licensed under the MIT License. See LICENSE.

import MSALBase

extension MSALNativeAuthFlowStep {
    /// A flow that waits for the one-time code of a first factor.
    public struct CodeRequired: Sendable, RedactedReflection {
        /// The destination of the code.
        public let delivery: MSALNativeAuthCodeDelivery

        private let point: FlowPoint<NativeAuth.FlowCode>

        init(_ state: NativeAuth.FlowCode, application: MSALNativeAuthPublicClientApplication) {
            delivery = MSALNativeAuthCodeDelivery(state.delivery)
            point = FlowPoint(state: state, application: application)
        }

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// Submits the code.
        ///
        /// - Parameter code: The user's input; a blank one is rejected without a request.
        /// - Returns: The next step.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidCode`: ask again, or request another code.
        public func submit(code: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in
                try await client.submitCode(Secret(code), in: state)
            }
        }

        /// Requests another code. The previous one becomes invalid.
        ///
        /// - Returns: Usually `codeRequired`, with the new delivery.
        /// - Throws: ``MSALNativeAuthStepError``, also if the service offers no other code.
        public func resendCode() async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in try await client.resendCode(in: state) }
        }
    }

    /// A flow that waits for the code of a second factor.
    public struct MFACodeRequired: Sendable, RedactedReflection {
        /// The destination of the code.
        public let delivery: MSALNativeAuthCodeDelivery

        private let point: FlowPoint<NativeAuth.FlowCode>

        init(_ state: NativeAuth.FlowCode, application: MSALNativeAuthPublicClientApplication) {
            delivery = MSALNativeAuthCodeDelivery(state.delivery)
            point = FlowPoint(state: state, application: application)
        }

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// Submits the code.
        ///
        /// - Parameter challenge: The user's input; a blank one is rejected without a request.
        /// - Returns: The next step.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidCode`: ask again, or request another code.
        public func submit(challenge: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in
                try await client.submitCode(Secret(challenge), in: state)
            }
        }

        /// Requests another code. The previous one becomes invalid.
        ///
        /// - Returns: Usually `mfaCodeRequired`, with the new delivery.
        /// - Throws: ``MSALNativeAuthStepError``, for `authMethodBlocked`: let the user choose another method.
        public func resendChallenge() async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in try await client.resendCode(in: state) }
        }
    }

    /// A registration that waits for the code that was sent to the address.
    public struct RegistrationCodeRequired: Sendable, RedactedReflection {
        /// The destination of the code.
        public let delivery: MSALNativeAuthCodeDelivery

        private let point: FlowPoint<NativeAuth.FlowCode>

        init(_ state: NativeAuth.FlowCode, application: MSALNativeAuthPublicClientApplication) {
            delivery = MSALNativeAuthCodeDelivery(state.delivery)
            point = FlowPoint(state: state, application: application)
        }

        /// The flow that this belongs to.
        public var scenario: MSALNativeAuthFlowScenario { point.scenario }

        /// Submits the code.
        ///
        /// - Parameter challenge: The user's input; a blank one is rejected without a request.
        /// - Returns: The next step.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidCode`: ask again, or request another code.
        public func submit(challenge: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in
                try await client.submitCode(Secret(challenge), in: state)
            }
        }

        /// Requests another code. The previous one becomes invalid.
        ///
        /// - Returns: Usually `registrationCodeRequired`, with the new delivery.
        /// - Throws: ``MSALNativeAuthStepError``, for `verificationContactBlocked`: register another address.
        public func resendChallenge() async throws(MSALNativeAuthStepError) -> MSALNativeAuthFlowStep {
            try await point.next { client, state throws(NativeAuthFailure) in try await client.resendCode(in: state) }
        }
    }
}
