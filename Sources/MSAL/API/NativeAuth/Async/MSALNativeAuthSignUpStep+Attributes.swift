// Licensed under the MIT License. See LICENSE.

extension MSALNativeAuthSignUpStep {
    /// A sign-up that waits for attributes of the user.
    public struct AttributesRequired: Sendable, RedactedReflection {
        /// The attributes that the service requires.
        public let attributes: [MSALNativeAuthRequiredAttribute]

        let state: NativeAuth.SignUpAttributes
        let application: MSALNativeAuthPublicClientApplication

        /// Submits attributes.
        ///
        /// - Parameter attributes: Values by attribute name, of types that JSON can represent; others are rejected
        ///   without a request.
        /// - Returns: The next step, or the end of the flow.
        /// - Throws: ``MSALNativeAuthStepError``; start the sign-up again.
        public func submit(
            attributes: [String: Any]
        ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignUpStep {
            let values = NativeAuth.attributes(attributes)
            return try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                guard let values else { throw .unusableAttributes(correlationID: state.continuation.correlationID) }
                switch try await client.submitAttributes(values, in: state) {
                case .attributesInvalid(let state, let names):
                    let retry = AttributesRequired(attributes: self.attributes, state: state, application: application)
                    return .attributesInvalid(AttributesInvalid(names: names, retry: retry))
                case .accepted(let progress):
                    return MSALNativeAuthSignUpStep(progress, application: application)
                }
            }
        }
    }

    /// Attributes whose values the service rejected.
    public struct AttributesInvalid: Sendable {
        /// The names of the attributes that need other values.
        public let names: [String]

        /// The state for submitting other values; `nil` if the attributes were passed to `signUp`: call that again.
        public let retry: AttributesRequired?
    }
}
