// Licensed under the MIT License. See LICENSE.

/// The common requirements of the enums of next steps.
protocol FlowStep: Sendable {
    /// Whether the flow is a sign-up.
    static var isSignUp: Bool { get }

    /// The step for a user who must continue in the browser.
    static func browserRequired(_ handover: MSALNativeAuthBrowserHandover) -> Self
}

extension MSALNativeAuthPublicClientApplication {
    /// Runs one step of the asynchronous API.
    ///
    /// - Parameters:
    ///   - flow: The user name, scopes, and claims with which to continue in the browser, if the service requires it.
    ///   - operation: The core's call.
    /// - Returns: The next step.
    /// - Throws: The failure as an `NSError` of that API.
    nonisolated(nonsending) func nextStep<Step: FlowStep>(
        of flow: MSALNativeAuthBrowserHandover.Flow,
        operation: nonisolated(nonsending) (NativeAuthClient) async throws(NativeAuthFailure) -> Step
    ) async throws(MSALNativeAuthStepError) -> Step {
        do throws(NativeAuthFailure) {
            return try await operation(native)
        } catch {
            return .browserRequired(try handover(after: error, flow: flow, isSignUp: Step.isSignUp))
        }
    }

    /// The continuation in the browser, for a failure that requires it.
    ///
    /// - Throws: Every other failure, as an `NSError` of that API.
    func handover(
        after failure: NativeAuthFailure,
        flow: MSALNativeAuthBrowserHandover.Flow,
        isSignUp: Bool
    ) throws(MSALNativeAuthStepError) -> MSALNativeAuthBrowserHandover {
        guard failure.kind == .browserRequired else { throw MSALNativeAuthStepError(failure) }
        return MSALNativeAuthBrowserHandover(failure, flow: flow, isSignUp: isSignUp, application: self)
    }

    /// Waits for the next step of a flow in progress.
    nonisolated(nonsending) func nextStep<Step: FlowStep>(
        of continuation: NativeAuth.Continuation,
        operation: nonisolated(nonsending) (NativeAuthClient) async throws(NativeAuthFailure) -> Step
    ) async throws(MSALNativeAuthStepError) -> Step {
        try await nextStep(of: MSALNativeAuthBrowserHandover.Flow(continuation), operation: operation)
    }
}
