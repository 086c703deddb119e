// Licensed under the MIT License. See LICENSE.

/// The common part of the enums of next steps.
protocol FlowStep: Sendable {
    /// Whether the flow is to end with a new account.
    static var isSignUp: Bool { get }

    /// The step of a user who must go on in the browser.
    static func browserRequired(_ handover: MSALNativeAuthBrowserHandover) -> Self
}

extension MSALNativeAuthPublicClientApplication {
    /// Runs one step of the asynchronous face.
    ///
    /// - Parameters:
    ///   - flow: The user name, scopes and claims with which the browser continues the flow, if the service demands a
    ///     browser.
    ///   - operation: The core's call.
    /// - Returns: The next step.
    /// - Throws: The failure as the `NSError` of that face.
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

    /// The way on in the browser, for a failure that demands it.
    ///
    /// - Throws: Every other failure, as the `NSError` of that face.
    func handover(
        after failure: NativeAuthFailure,
        flow: MSALNativeAuthBrowserHandover.Flow,
        isSignUp: Bool
    ) throws(MSALNativeAuthStepError) -> MSALNativeAuthBrowserHandover {
        guard failure.kind == .browserRequired else { throw MSALNativeAuthStepError(failure) }
        return MSALNativeAuthBrowserHandover(failure, flow: flow, isSignUp: isSignUp, application: self)
    }

    /// Waits for the next step of a flow that is under way.
    nonisolated(nonsending) func nextStep<Step: FlowStep>(
        of continuation: NativeAuth.Continuation,
        operation: nonisolated(nonsending) (NativeAuthClient) async throws(NativeAuthFailure) -> Step
    ) async throws(MSALNativeAuthStepError) -> Step {
        try await nextStep(of: MSALNativeAuthBrowserHandover.Flow(continuation), operation: operation)
    }
}
