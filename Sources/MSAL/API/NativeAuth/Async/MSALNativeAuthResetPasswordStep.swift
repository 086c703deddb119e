// Licensed under the MIT License. See LICENSE.

import MSALBase
private import Synchronization

/// The next step of the reset of a password. Each case carries a state, whose calls lead on from there. Linux only.
///
/// A state whose call failed with `canRetry` is used again as it is.
public enum MSALNativeAuthResetPasswordStep: Sendable {
    /// A one-time code was sent, to verify the user.
    case codeRequired(CodeRequired)
    /// The code was right: ask for the new password.
    case passwordRequired(PasswordRequired)
    /// The user must go on in the browser.
    case browserRequired(MSALNativeAuthBrowserHandover)
    /// The new password holds; the user can be signed in without being asked again.
    case completed(MSALNativeAuthFollowingSignIn)
}

extension MSALNativeAuthPublicClientApplication {
    /// Starts the reset of a password.
    ///
    /// - Returns: Mostly `codeRequired`.
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

    /// The reset of a password that waits for the one-time code that was sent.
    public struct CodeRequired: Sendable, ClosedMirror {
        /// The destination of the code.
        public let delivery: MSALNativeAuthCodeDelivery

        let state: NativeAuth.ResetPasswordCode
        let application: MSALNativeAuthPublicClientApplication

        /// Submits the code.
        ///
        /// - Parameter code: The user's input; an empty one is refused without a request.
        /// - Returns: Mostly `passwordRequired`.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidCode`: ask again, or have another code sent.
        public func submit(code: String) async throws(MSALNativeAuthStepError) -> MSALNativeAuthResetPasswordStep {
            try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                let state = try await client.submitCode(Secret(code), in: state)
                return .passwordRequired(PasswordRequired(state, application: application))
            }
        }

        /// Has another code sent. The earlier one is void then.
        ///
        /// - Returns: Mostly `codeRequired`, with the new delivery.
        /// - Throws: ``MSALNativeAuthStepError``; with `canRetry` the earlier code can still be submitted.
        public func resendCode() async throws(MSALNativeAuthStepError) -> MSALNativeAuthResetPasswordStep {
            try await application.nextStep(of: state.continuation) { client throws(NativeAuthFailure) in
                let sent = try await client.resendCode(in: state)
                return .codeRequired(.init(delivery: .init(sent.delivery), state: sent.state, application: application))
            }
        }
    }

    /// The reset of a password that waits for the new password.
    public struct PasswordRequired: Sendable, ClosedMirror {
        private let current: CurrentState
        private let application: MSALNativeAuthPublicClientApplication

        /// The flow's state now. The service may take a password and refuse it while it is being polled: the flow has
        /// gone on by then, and a retry must start from there.
        private final class CurrentState: Sendable {
            let state: Mutex<NativeAuth.NewPassword>
            init(_ state: NativeAuth.NewPassword) { self.state = Mutex(state) }
        }

        init(_ state: NativeAuth.NewPassword, application: MSALNativeAuthPublicClientApplication) {
            current = CurrentState(state)
            self.application = application
        }

        /// Submits the new password and waits until the service has it.
        ///
        /// The service is asked up to six times, at the interval that it names. Cancel the task to stop waiting.
        ///
        /// - Parameter password: The user's choice, sent as it is; an empty one is refused without a request.
        /// - Returns: Mostly `completed`.
        /// - Throws: ``MSALNativeAuthStepError``, for `invalidPassword`: ask for another; `serverError` tells which
        ///   rule it breaks. For `general` with `canRetry` the service did not set it: ask for the same or another.
        public func submit(
            password: String
        ) async throws(MSALNativeAuthStepError) -> MSALNativeAuthResetPasswordStep {
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
