// Licensed under the MIT License. See LICENSE.

/// Runs an operation of a flow in a task of its own and reports its end on the main actor.
///
/// The delegate is held until then, and so is whatever `operation` holds; nothing cancels it.
///
/// - Parameters:
///   - delegate: The app's object; it is touched on the main actor only.
///   - operation: The flow's call.
///   - report: Calls exactly one member of the delegate.
func perform<Delegate, Step: Sendable, Failure: Error>(
    for delegate: Delegate,
    _ operation: @escaping @Sendable () async throws(Failure) -> Step,
    report: @escaping @Sendable @MainActor (Delegate, Result<Step, Failure>) -> Void
) {
    let carried = Carried(delegate)
    // Nobody awaits this task: the delegate is how the app learns of its end.
    Task {
        let outcome: Result<Step, Failure>
        do throws(Failure) {
            outcome = .success(try await operation())
        } catch {
            outcome = .failure(error)
        }
        await MainActor.run { report(carried.value, outcome) }
    }
}

/// One call of a delegate: an optional member, or the error member in its place.
@MainActor
struct DelegateCall<Kind: NativeAuthFailureKind, State: Sendable> {
    /// Calls the error member.
    let fail: (NativeAuthFailure<Kind, State>) -> Void

    /// Calls an optional member; if the delegate lacks it, the error member, with the missing one's name.
    ///
    /// What was done stays done: after a completed sign-in the account is in the store (spec native-auth 11.5).
    func callAsFunction(_ name: String, _ correlationID: UUID, _ member: () -> Void) {
        guard !OptionalMember.isPresent(member) else { return }
        let message = NativeAuth.Text.notImplemented(name)
        fail(NativeAuthFailure(.general, .nothing, NativeAuth.Facts(message: message, correlationID: correlationID)))
    }
}

extension NativeAuth.Remaining {
    /// The state object that the error member gets.
    ///
    /// - Parameters:
    ///   - same: The object that was used, for a failure that sent nothing.
    ///   - make: Wraps a state that the flow gave back.
    /// - Returns: `nil` if nothing is left of the flow.
    func object<Object>(_ same: Object?, _ make: (State) -> Object) -> Object? {
        switch self {
        case .nothing: nil
        case .same: same
        case .state(let state): make(state)
        }
    }
}
