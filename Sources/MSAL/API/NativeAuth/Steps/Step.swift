// Licensed under the MIT License. See LICENSE.

/// Runs one step of the asynchronous face.
///
/// - Parameters:
///   - operation: The flow's call.
///   - handover: What the step returns where the browser is needed.
/// - Returns: What comes next.
/// - Throws: The failure as the `NSError` of that face.
nonisolated(nonsending) func step<Step, Kind: NativeAuthFailureReason, State>(
    _ operation: nonisolated(nonsending) () async throws(NativeAuthFailure<Kind, State>) -> Step,
    handover: (NativeAuthFailure<Kind, State>) -> Step
) async throws(MSALNativeAuthFlowError) -> Step {
    do {
        return try await operation()
    } catch {
        guard error.kind == .browserRequired else { throw MSALNativeAuthFlowError(error) }
        return handover(error)
    }
}
