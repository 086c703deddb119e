// Licensed under the MIT License. See LICENSE.

import MSALBase

extension MSALNativeAuthSignInStep {
    /// A sign-in that waits for the one-time code that was sent.
    public struct CodeRequired: Sendable, RedactedReflection {
        /// The destination of the code.
        public let delivery: MSALNativeAuthCodeDelivery

        let state: NativeAuth.SignInCode
        let application: MSALNativeAuthPublicClientApplication

        /// Submits the code.
        ///
        /// - Parameter code: The user's input; an empty one is rejected without a request.
        /// - Returns: The next step, or the user.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidCode`: ask again, or request another code.
        public func submit(code: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
            try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                MSALNativeAuthSignInStep(try await client.submitCode(Secret(code), in: state), application: application)
            }
        }

        /// Requests another code. The previous one becomes invalid.
        ///
        /// - Returns: Usually `codeRequired`, with the new delivery.
        /// - Throws: ``MSALNativeAuthStepError``; with `canRetry` the previous code can still be submitted.
        public func resendCode() async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
            try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                let sent = try await client.resendCode(in: state)
                return .codeRequired(
                    CodeRequired(delivery: .init(sent.delivery), state: sent.state, application: application)
                )
            }
        }
    }

    /// A sign-in that waits for the password.
    public struct PasswordRequired: Sendable, RedactedReflection {
        let state: NativeAuth.SignInPassword
        let application: MSALNativeAuthPublicClientApplication

        /// Submits the password.
        ///
        /// - Parameter password: The user's input, sent unchanged; an empty one is rejected without a request.
        /// - Returns: The next step, or the user.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidPassword`: ask again.
        public func submit(password: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthSignInStep {
            try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                MSALNativeAuthSignInStep(
                    try await client.submitPassword(Secret(password), in: state),
                    application: application
                )
            }
        }
    }
}
