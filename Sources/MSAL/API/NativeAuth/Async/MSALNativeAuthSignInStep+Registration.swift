// Licensed under the MIT License. See LICENSE.

import MSALBase

extension MSALNativeAuthSignInStep {
    /// A sign-in that waits for the user to register a strong authentication method.
    public struct RegistrationRequired: Sendable, RedactedReflection {
        /// The methods to choose from, in the service's order.
        public let authMethods: [MSALAuthMethod]

        let state: NativeAuth.StrongAuthRegistration
        let application: MSALNativeAuthPublicClientApplication

        /// Requests a code for the address to verify.
        ///
        /// - Parameters:
        ///   - authMethod: One of the methods.
        ///   - verificationContact: The address or number; an empty one is rejected without a request.
        /// - Returns: Usually `registrationCodeRequired`; `completed` if the service knows that the address is the
        ///   user's.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidInput` and `verificationContactBlocked`: ask for another
        ///   address.
        public func challengeAuthMethod(
            _ authMethod: MSALAuthMethod,
            verificationContact: String
        ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
            try await application.challengeAuthMethod(
                authMethod,
                of: authMethods,
                contact: verificationContact,
                in: state
            )
        }
    }

    /// A registration that waits for the code that was sent to the address.
    public struct RegistrationCodeRequired: Sendable, RedactedReflection {
        /// The destination of the code.
        public let delivery: MSALNativeAuthCodeDelivery

        /// The methods to choose from, if the code does not arrive.
        public let authMethods: [MSALAuthMethod]

        let state: NativeAuth.StrongAuthVerification
        let application: MSALNativeAuthPublicClientApplication

        /// Submits the code and signs the user in.
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

        /// Requests another code, also for another address or with another method.
        ///
        /// - Parameters:
        ///   - authMethod: One of the methods.
        ///   - verificationContact: The address or number; an empty one is rejected without a request.
        /// - Returns: Usually `registrationCodeRequired`.
        /// - Throws: The same errors as ``RegistrationRequired/challengeAuthMethod(_:verificationContact:)``.
        public func challengeAuthMethod(
            _ authMethod: MSALAuthMethod,
            verificationContact: String
        ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
            try await application.challengeAuthMethod(
                authMethod,
                of: authMethods,
                contact: verificationContact,
                in: state
            )
        }
    }
}

extension MSALNativeAuthPublicClientApplication {
    /// Registers a contact with one of the methods. Shared by both steps.
    fileprivate func challengeAuthMethod(
        _ authMethod: MSALAuthMethod,
        of authMethods: [MSALAuthMethod],
        contact: String,
        in state: some NativeAuth.RegistrationState
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
        try await nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
            switch try await client.challengeAuthMethod(authMethod.core, contact: contact, in: state) {
            case .verificationRequired(let state, let delivery):
                .registrationCodeRequired(
                    .init(delivery: .init(delivery), authMethods: authMethods, state: state, application: self)
                )
            case .registered(let step):
                MSALNativeAuthSignInStep(step, application: self)
            }
        }
    }
}
