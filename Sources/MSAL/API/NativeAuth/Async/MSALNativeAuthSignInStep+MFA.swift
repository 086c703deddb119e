// Licensed under the MIT License. See LICENSE.

import MSALBase

extension MSALNativeAuthSignInStep {
    /// A sign-in that waits for the user to choose a second factor.
    public struct MFARequired: Sendable, RedactedReflection {
        /// The methods to choose from, in the service's order.
        public let authMethods: [MSALAuthMethod]

        let state: NativeAuth.AwaitingMFA
        let application: MSALNativeAuthPublicClientApplication

        /// Requests the code of a method.
        ///
        /// - Returns: Usually `mfaCodeRequired`.
        /// - Throws: ``MSALNativeAuthStepError``, for `authMethodBlocked`: let the user choose another.
        public func requestChallenge(
            authMethod: MSALAuthMethod
        ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
            try await application.requestChallenge(authMethod, of: authMethods, in: state)
        }
    }

    /// A sign-in that waits for the code of a second factor.
    public struct MFACodeRequired: Sendable, RedactedReflection {
        /// The destination of the code.
        public let delivery: MSALNativeAuthCodeDelivery

        /// The methods to choose from, if the code does not arrive.
        public let authMethods: [MSALAuthMethod]

        let state: NativeAuth.MFAChallenge
        let application: MSALNativeAuthPublicClientApplication

        /// Submits the code.
        ///
        /// - Parameter challenge: The user's input; an empty one is rejected without a request.
        /// - Returns: Usually `completed`.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidCode`: ask again, or request another code.
        public func submit(challenge: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
            try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                MSALNativeAuthSignInStep(
                    try await client.submitChallenge(Secret(challenge), in: state),
                    application: application
                )
            }
        }

        /// Requests another code, or the code of another method.
        ///
        /// - Returns: Usually `mfaCodeRequired`.
        /// - Throws: The same errors as ``MFARequired/requestChallenge(authMethod:)``.
        public func requestChallenge(
            authMethod: MSALAuthMethod
        ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
            try await application.requestChallenge(authMethod, of: authMethods, in: state)
        }
    }
}

extension MSALNativeAuthPublicClientApplication {
    /// Requests the code of one of the methods. Shared by both steps.
    fileprivate func requestChallenge(
        _ authMethod: MSALAuthMethod,
        of authMethods: [MSALAuthMethod],
        in state: some NativeAuth.MFAState
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
        try await nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
            let sent = try await client.requestChallenge(authMethod.core, in: state)
            let delivery = MSALNativeAuthCodeDelivery(sent.delivery)
            return .mfaCodeRequired(
                .init(delivery: delivery, authMethods: authMethods, state: sent.state, application: self)
            )
        }
    }
}
