// Licensed under the MIT License. See LICENSE.

import MSALBase
private import Synchronization

/// The next step of a password reset. Each case has a state with the calls that continue from there. Linux only.
///
/// A state whose call failed with `canRetry` can be used again.
public enum MSALNativeAuthResetPasswordStep: Sendable {
    /// A one-time code was sent, to verify the user.
    case codeRequired(CodeRequired)
    /// The code was correct: ask for the new password.
    case passwordRequired(PasswordRequired)
    /// The user must continue in the browser.
    case browserRequired(MSALNativeAuthBrowserHandover)
    /// The new password is in effect; the user can be signed in without further input.
    case completed(MSALNativeAuthFollowingSignIn)
}

extension MSALNativeAuthPublicClientApplication {
    /// Starts a password reset.
    ///
    /// - Returns: Usually `codeRequired`.
    /// - Throws: ``MSALNativeAuthStepError``, for `userNotFound`: offer a sign-up; for `userDoesNotHavePassword`: let
    ///   the user sign in with a code; for `invalidUsername`: ask again and start again.
    public func resetPassword(
        parameters: MSALNativeAuthResetPasswordParameters
    ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthResetPasswordStep {
        let request = NativeAuth.ResetPasswordRequest(parameters)
        return try await nextStep(of: MSALNativeAuthBrowserHandover.Flow(username: request.username)) {
            client throws(NativeAuthFailure) in
            let sent = try await client.resetPassword(request)
            return .codeRequired(.init(delivery: .init(sent.delivery), state: sent.state, application: self))
        }
    }
}

extension MSALNativeAuthResetPasswordStep: FlowStep {
    static var isSignUp: Bool { false }

    /// A password reset that waits for the one-time code that was sent.
    public struct CodeRequired: Sendable, RedactedReflection {
        /// The destination of the code.
        public let delivery: MSALNativeAuthCodeDelivery

        let state: NativeAuth.ResetPasswordCode
        let application: MSALNativeAuthPublicClientApplication

        /// Submits the code.
        ///
        /// - Parameter code: The user's input; an empty one is rejected without a request.
        /// - Returns: Usually `passwordRequired`.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidCode`: ask again, or request another code.
        public func submit(code: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthResetPasswordStep {
            try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                let state = try await client.submitCode(Secret(code), in: state)
                return .passwordRequired(PasswordRequired(state, application: application))
            }
        }

        /// Requests another code. The previous one becomes invalid.
        ///
        /// - Returns: Usually `codeRequired`, with the new delivery.
        /// - Throws: ``MSALNativeAuthStepError``; with `canRetry` the previous code can still be submitted.
        public func resendCode() async throws(MSALNativeAuthStepError) -> MSALNativeAuthResetPasswordStep {
            try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                let sent = try await client.resendCode(in: state)
                return .codeRequired(.init(delivery: .init(sent.delivery), state: sent.state, application: application))
            }
        }
    }

    /// A password reset that waits for the new password.
    public struct PasswordRequired: Sendable, RedactedReflection {
        private let current: CurrentState
        private let application: MSALNativeAuthPublicClientApplication

        /// The current state of the flow. The service may accept a password and reject it while it is being polled: the
        /// flow has advanced by then, and a retry must start from there.
        private final class CurrentState: Sendable {
            let state: Mutex<NativeAuth.NewPassword>
            init(_ state: NativeAuth.NewPassword) { self.state = Mutex(state) }
        }

        init(_ state: NativeAuth.NewPassword, application: MSALNativeAuthPublicClientApplication) {
            current = CurrentState(state)
            self.application = application
        }

        /// Submits the new password and waits until the service has stored it.
        ///
        /// The service is polled up to six times, at the interval that it specifies. Cancel the task to stop waiting.
        ///
        /// - Parameter password: The user's choice, sent unchanged; an empty one is rejected without a request.
        /// - Returns: Usually `completed`.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidPassword`: ask for another; `serverError` shows which
        ///   rule it violates. For `general` with `canRetry`, the service did not set it: ask for the same or another.
        public func submit(password: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthResetPasswordStep {
            let state = current.state.withLock { $0 }
            return try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                do throws(NativeAuthFailure) {
                    let finished = try await client.submitPassword(Secret(password), in: state)
                    return .completed(MSALNativeAuthFollowingSignIn(finished, application: application))
                } catch {
                    if case .continuation(let continuation) = error.remaining {
                        current.state.withLock { $0 = NativeAuth.NewPassword(continuation: continuation) }
                    }
                    throw error
                }
            }
        }
    }
}
