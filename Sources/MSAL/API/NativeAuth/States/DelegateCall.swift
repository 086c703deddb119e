// Licensed under the MIT License. See LICENSE.

import MSALBase

extension MSALNativeAuthPublicClientApplication {
    /// Runs an operation of a flow in its own task and reports the outcome on the main actor.
    ///
    /// The task retains the delegate and everything that `operation` captures until then. It is never canceled.
    ///
    /// - Parameters:
    ///   - delegate: The app's object; only accessed on the main actor.
    ///   - operation: The flow's call.
    ///   - report: Calls exactly one member of the delegate.
    func perform<Delegate, Step: Sendable>(
        for delegate: Delegate,
        operation: @escaping @Sendable (NativeAuthClient) async throws(NativeAuthFailure) -> Step,
        report: @escaping @Sendable @MainActor (Delegate, Result<Step, NativeAuthFailure>) -> Void
    ) {
        let carried = UncheckedSendable(delegate)
        // This task is not awaited: the delegate informs the app when it ends.
        Task { [native] in
            let outcome = await Result { () async throws(NativeAuthFailure) in try await operation(native) }
            await MainActor.run { report(carried.value, outcome) }
        }
    }

    /// Runs an operation whose delegate has an error member and optional members for the possible steps.
    ///
    /// - Parameters:
    ///   - delegate: The app's object.
    ///   - operation: The flow's call.
    ///   - failed: Calls the error member.
    ///   - succeeded: Calls the member for the step, through `DelegateCall`.
    func perform<Delegate, Step: Sendable>(
        for delegate: Delegate,
        operation: @escaping @Sendable (NativeAuthClient) async throws(NativeAuthFailure) -> Step,
        failed: @escaping @Sendable @MainActor (Delegate, NativeAuthFailure) -> Void,
        succeeded: @escaping @Sendable @MainActor (DelegateCall, Delegate, Step) -> Void
    ) {
        perform(for: delegate, operation: operation) { [self] delegate, outcome in
            let call = DelegateCall(application: self, report: { failed(delegate, $0) })
            switch outcome {
            case .success(let step): succeeded(call, delegate, step)
            case .failure(let failure): call.fail(failure)
            }
        }
    }
}

/// A public state object that wraps a state of the core. A new object is created when the app may try the step again.
protocol DelegateState: MSALNativeAuthBaseState {
    associatedtype State: NativeAuth.State

    init(_ continuation: NativeAuth.Continuation, application: MSALNativeAuthPublicClientApplication)
}

extension DelegateState {
    var state: State { State(continuation: continuation) }

    /// Runs the call for one step; see `perform(for:operation:failed:succeeded:)` of the application.
    ///
    /// `failed`: The error member. It receives the error and the state for another attempt, or `nil` if the flow cannot
    /// continue.
    func perform<Delegate, Failure: MSALNativeAuthError, Step: Sendable>(
        for delegate: Delegate,
        operation: @escaping @Sendable (NativeAuthClient, State) async throws(NativeAuthFailure) -> Step,
        failed: @escaping @Sendable @MainActor (Delegate) -> (Failure, Self?) -> Void,
        succeeded: @escaping @Sendable @MainActor (DelegateCall, Delegate, Step) -> Void
    ) {
        application.perform(for: delegate) { [state] client throws(NativeAuthFailure) in
            try await operation(client, state)
        } failed: { [self] delegate, failure in
            let remaining = failure.remaining.object(same: self) { Self($0, application: application) }
            failed(delegate)(Failure(failure), remaining)
        } succeeded: { call, delegate, step in
            succeeded(call, delegate, step)
        }
    }
}

/// A call of a delegate's member. If the member is optional and the delegate does not implement it, calls the error
/// member.
@MainActor
struct DelegateCall {
    /// The application that new states and results belong to.
    let application: MSALNativeAuthPublicClientApplication
    /// Calls the error member with the failure.
    let report: (NativeAuthFailure) -> Void

    /// Calls the error member with the same kind of failure as in MSAL for iOS.
    func fail(_ failure: NativeAuthFailure) { report(failure.forDelegates) }

    /// Calls an optional member. If the delegate does not implement it, calls the error member with the name of the
    /// missing one.
    ///
    /// The step itself is not undone: after a completed sign-in the account is in the store.
    func callAsFunction(_ name: String, correlationID: UUID, member: () -> Void) {
        guard !OptionalMember.isPresent(member) else { return }
        let message = NativeAuthFailure.Text.notImplemented(name)
        fail(NativeAuthFailure(.general, message: message, correlationID: correlationID))
    }

    /// Reports the next state.
    func next<Object: DelegateState>(_ state: Object.State, named name: String, member: (Object) -> Void) {
        let continuation = state.continuation
        self(name, correlationID: continuation.correlationID) { member(Object(continuation, application: application)) }
    }

    /// Reports the next state, for which a code was sent.
    func codeSent<Object: DelegateState>(
        _ state: Object.State,
        delivery: NativeAuth.CodeDelivery,
        named name: String,
        member: (Object, String, MSALNativeAuthChannelType, Int) -> Void
    ) {
        next(state, named: name) { (object: Object) in
            let channel = MSALNativeAuthChannelType(value: delivery.channel)
            member(object, delivery.sentTo, channel, delivery.codeLength)
        }
    }

    /// Reports that the user is signed in.
    func completed(_ result: TokenResult, to delegate: any MSALNativeAuthSignInCompletedDelegate) {
        self("onSignInCompleted", correlationID: result.correlationID) {
            delegate.onSignInCompleted(result: MSALNativeAuthUserAccountResult(result, application: application))
        }
    }

    /// Reports the next step of a sign-in after the service accepted a factor.
    func report(
        _ step: NativeAuth.CredentialStep,
        to delegate: any MSALNativeAuthAwaitingMFADelegate & MSALNativeAuthStrongAuthRegistrationDelegate
            & MSALNativeAuthSignInCompletedDelegate
    ) {
        switch step {
        case .awaitingMFA(let state, let methods): awaitingMFA(state, methods: methods, to: delegate)
        case .registrationRequired(let state, let methods): registrationRequired(state, methods: methods, to: delegate)
        case .completed(let result): completed(result, to: delegate)
        }
    }

    /// Reports the end of a sign-in to a delegate without members for another factor. If the service requires another
    /// factor, the sign-in fails. `text` describes the failure if the service requires a registration.
    func reportEnd(
        _ step: NativeAuth.CredentialStep,
        to delegate: any MSALNativeAuthSignInCompletedDelegate,
        repeatedRegistration text: String? = nil
    ) {
        switch step {
        case .completed(let result): completed(result, to: delegate)
        case .awaitingMFA(let state, _): fail(.furtherFactor(of: state))
        case .registrationRequired(let state, _): fail(.furtherFactor(of: state, text: text))
        }
    }
}

extension NativeAuthFailure {
    /// The failure of a sign-in for which the service requires another factor.
    fileprivate static func furtherFactor(of state: some NativeAuth.State, text: String? = nil) -> NativeAuthFailure {
        NativeAuthFailure(
            .general,
            message: text,
            correlationID: state.continuation.correlationID,
            underlying: AuthError(
                .unexpected,
                message: "The service wants a further factor, for which this delegate has no member. The asynchronous "
                    + "calls go on with it."
            )
        )
    }
}

extension NativeAuthFailure.Remaining {
    /// Chooses the state object for the error member.
    ///
    /// - Parameters:
    ///   - same: The object whose call failed before it sent a request.
    ///   - make: Creates the object for another attempt.
    /// - Returns: `nil` if the flow cannot continue.
    func object<Object>(same: Object?, make: (NativeAuth.Continuation) -> Object) -> Object? {
        switch self {
        case .nothing: nil
        case .same: same
        case .continuation(let continuation): make(continuation)
        }
    }
}
