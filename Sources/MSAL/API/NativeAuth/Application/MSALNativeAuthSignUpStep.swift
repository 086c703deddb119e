// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The next step of a sign-up. Each case has a state with the calls that continue from there. Linux only.
///
/// States are values: one whose call failed with `canRetry` can be used again.
public enum MSALNativeAuthSignUpStep: Sendable {
    /// A one-time code was sent, to verify the address.
    case codeRequired(CodeRequired)
    /// The service requires a password: ask for a new one.
    case passwordRequired(PasswordRequired)
    /// The service requires attributes of the user.
    case attributesRequired(AttributesRequired)
    /// The service rejected attribute values.
    case attributesInvalid(AttributesInvalid)
    /// The user must continue in the browser.
    case browserRequired(MSALNativeAuthBrowserHandover)
    /// The account has been created; the user can be signed in without further input.
    case completed(MSALNativeAuthFollowingSignIn)

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

extension MSALNativeAuthPublicClientApplication {
    /// Starts a sign-up.
    ///
    /// - Returns: The next step.
    /// - Throws: ``MSALNativeAuthStepError``, for `userAlreadyExists`: offer a sign-in; for `invalidPassword` and
    ///   `invalidUsername`: ask again and start again; also `general` for attributes that JSON cannot represent.
    public func signUp(
        parameters: MSALNativeAuthSignUpParameters
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignUpStep {
        let request = NativeAuth.SignUpRequest.make(parameters, correlationID: parameters.correlationId ?? .random())
        let flow = MSALNativeAuthBrowserHandover.Flow(username: parameters.username)
        return try await nextStep(of: flow) { client throws(NativeAuthFailure) in
            switch try await client.signUp(try request.get()) {
            case .codeRequired(let state, let delivery):
                .codeRequired(.init(delivery: .init(delivery), state: state, application: self))
            case .attributesInvalid(let names):
                .attributesInvalid(MSALNativeAuthSignUpStep.AttributesInvalid(names: names, retry: nil))
            }
        }
    }
}

extension MSALNativeAuthSignUpStep: FlowStep {
    static var isSignUp: Bool { true }

    /// An input was accepted.
    init(_ progress: NativeAuth.SignUpProgress, application: MSALNativeAuthPublicClientApplication) {
        switch progress {
        case .attributesRequired(let state, let attributes):
            let attributes = attributes.map(MSALNativeAuthRequiredAttribute.init)
            self = .attributesRequired(.init(attributes: attributes, state: state, application: application))
        case .completed(let finished):
            self = .completed(MSALNativeAuthFollowingSignIn(finished, application: application))
        }
    }

    /// A sign-up that waits for the one-time code that was sent.
    public struct CodeRequired: Sendable, RedactedReflection {
        /// The destination of the code.
        public let delivery: MSALNativeAuthCodeDelivery

        let state: NativeAuth.SignUpCode
        let application: MSALNativeAuthPublicClientApplication

        /// Submits the code.
        ///
        /// - Parameter code: The user's input; an empty one is rejected without a request.
        /// - Returns: The next step, or the end of the flow.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidCode`: ask again, or request another code.
        public func submit(code: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignUpStep {
            try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                switch try await client.submitCode(Secret(code), in: state) {
                case .passwordRequired(let state):
                    .passwordRequired(PasswordRequired(state: state, application: application))
                case .accepted(let progress):
                    MSALNativeAuthSignUpStep(progress, application: application)
                }
            }
        }

        /// Requests another code. The previous one becomes invalid.
        ///
        /// - Returns: Usually `codeRequired`, with the new delivery.
        /// - Throws: ``MSALNativeAuthStepError``; with `canRetry` the previous code can still be submitted.
        public func resendCode() async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignUpStep {
            try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                let sent = try await client.resendCode(in: state)
                return .codeRequired(
                    CodeRequired(delivery: .init(sent.delivery), state: sent.state, application: application)
                )
            }
        }
    }

    /// A sign-up that waits for a password.
    public struct PasswordRequired: Sendable, RedactedReflection {
        let state: NativeAuth.SignUpPassword
        let application: MSALNativeAuthPublicClientApplication

        /// Submits the password.
        ///
        /// - Parameter password: The user's choice, sent unchanged; an empty one is rejected without a request.
        /// - Returns: The next step, or the end of the flow.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidPassword`: ask for another; `serverError` shows which
        ///   rule it violates.
        public func submit(password: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignUpStep {
            try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                MSALNativeAuthSignUpStep(
                    try await client.submitPassword(Secret(password), in: state),
                    application: application
                )
            }
        }
    }
}
