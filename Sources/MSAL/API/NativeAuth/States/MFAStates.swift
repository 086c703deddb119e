// Licensed under the MIT License. See LICENSE.

/// A sign-in that waits for the user to choose a second factor.
public final class AwaitingMFAState: MFABaseState, @unchecked Sendable {
    private let state: NativeAuth.AwaitingMFA
    private let authMethods: [MSALAuthMethod]

    init(
        _ application: MSALNativeAuthPublicClientApplication,
        _ state: NativeAuth.AwaitingMFA,
        _ authMethods: [MSALAuthMethod]
    ) {
        self.state = state
        self.authMethods = authMethods
        super.init(application)
    }

    /// Has the code of a method sent (spec native-auth 4).
    ///
    /// - Parameters:
    ///   - authMethod: One of the methods that came with the state.
    ///   - delegate: Learns how it ended.
    public func requestChallenge(authMethod: MSALAuthMethod, delegate: any MFARequestChallengeDelegate) {
        let (client, state, method) = (client, state, authMethod.core)
        requestChallenge(authMethods, delegate) { () throws(NativeAuth.MFARequestChallengeFailure) in
            try await client.requestChallenge(method, state)
        }
    }

    /// Has the code of the only method sent; if there are several, the delegate is asked to let the user choose.
    @available(*, deprecated, message: "Use requestChallenge(authMethod:delegate:).")
    public func requestChallenge(delegate: any MFARequestChallengeDelegate) {
        if let method = authMethods.first, authMethods.count == 1 {
            return requestChallenge(authMethod: method, delegate: delegate)
        }
        let newState = MFARequiredState(
            application,
            NativeAuth.MFAChallenge(state.continuation),
            authMethods
        )
        newState.tellSelection(to: delegate)
    }
}

/// A sign-in that waits for the code of a second factor.
public final class MFARequiredState: MFABaseState, @unchecked Sendable {
    private let state: NativeAuth.MFAChallenge
    private let authMethods: [MSALAuthMethod]

    init(
        _ application: MSALNativeAuthPublicClientApplication,
        _ state: NativeAuth.MFAChallenge,
        _ authMethods: [MSALAuthMethod]
    ) {
        self.state = state
        self.authMethods = authMethods
        super.init(application)
    }

    /// Has another code sent, or the code of another method.
    ///
    /// - Parameters:
    ///   - authMethod: One of the methods that came with `onSignInAwaitingMFA`.
    ///   - delegate: Learns how it ended.
    public func requestChallenge(authMethod: MSALAuthMethod, delegate: any MFARequestChallengeDelegate) {
        let (client, state, method) = (client, state, authMethod.core)
        requestChallenge(authMethods, delegate) { () throws(NativeAuth.MFARequestChallengeFailure) in
            try await client.requestChallenge(method, state)
        }
    }

    /// Has the code of a method sent; without one that of the only method. If there are several, the delegate is asked
    /// to let the user choose.
    @available(*, deprecated, message: "Name the method: use requestChallenge(authMethod:delegate:).")
    public func requestChallenge(authMethod: MSALAuthMethod? = nil, delegate: any MFARequestChallengeDelegate) {
        if let method = authMethod ?? (authMethods.count == 1 ? authMethods.first : nil) {
            return requestChallenge(authMethod: method, delegate: delegate)
        }
        tellSelection(to: delegate)
    }

    /// Submits the code (spec native-auth 4). An empty one is refused without a request.
    ///
    /// - Parameters:
    ///   - challenge: What the user typed.
    ///   - delegate: Learns how it ended.
    public func submitChallenge(challenge: String, delegate: any MFASubmitChallengeDelegate) {
        let (client, state) = (client, state)
        perform(for: delegate) { () throws(NativeAuth.MFASubmitChallengeFailure) in
            try await client.submitChallenge(Secret(challenge), state)
        } report: { [self, application, authMethods] delegate, outcome in
            let call = DelegateCall<NativeAuth.SubmitChallengeKind, NativeAuth.MFAChallenge> { failure in
                delegate.onMFASubmitChallengeError(
                    error: MFASubmitChallengeError(failure),
                    newState: failure.remaining.object(self) { MFARequiredState(application, $0, authMethods) }
                )
            }
            switch outcome {
            case .success(let result): call.completed(result, application, to: delegate)
            case .failure(let failure): call.fail(failure)
            }
        }
    }

    /// Gives the methods again, without a request.
    @available(*, deprecated, message: "The methods come with onSignInAwaitingMFA(authMethods:newState:).")
    public func getAuthMethods(delegate: any MFAGetAuthMethodsDelegate) {
        perform(for: delegate) { [authMethods] () throws(Never) in
            authMethods
        } report: { [self] delegate, outcome in
            let call = DelegateCall<NativeAuth.GenericKind, NativeAuth.MFAChallenge> { failure in
                delegate.onMFAGetAuthMethodsError(error: MFAGetAuthMethodsError(failure), newState: nil)
            }
            call("onMFAGetAuthMethodsSelectionRequired", state.continuation.correlationID) {
                delegate.onMFAGetAuthMethodsSelectionRequired(authMethods: outcome.get(), newState: self)
            }
        }
    }

    /// Asks the delegate of the former `requestChallenge(delegate:)` to let the user choose.
    fileprivate func tellSelection(to delegate: any MFARequestChallengeDelegate) {
        perform(for: delegate) { [authMethods] () throws(Never) in
            authMethods
        } report: { [self] delegate, outcome in
            let call = DelegateCall<NativeAuth.MFARequestChallengeKind, NativeAuth.MFAChallenge> { failure in
                delegate.onMFARequestChallengeError(error: MFARequestChallengeError(failure), newState: nil)
            }
            call("onMFARequestChallengeSelectionRequired", state.continuation.correlationID) {
                delegate.onMFARequestChallengeSelectionRequired(authMethods: outcome.get(), newState: self)
            }
        }
    }
}

extension MFABaseState {
    /// What both states do when a code is asked for.
    fileprivate func requestChallenge(
        _ authMethods: [MSALAuthMethod],
        _ delegate: any MFARequestChallengeDelegate,
        _ operation:
            @escaping @Sendable () async throws(NativeAuth.MFARequestChallengeFailure) ->
            NativeAuth.CodeSent<NativeAuth.MFAChallenge>
    ) {
        perform(for: delegate, operation) { [application] delegate, outcome in
            let call = DelegateCall<NativeAuth.MFARequestChallengeKind, NativeAuth.MFAChallenge> { failure in
                delegate.onMFARequestChallengeError(
                    error: MFARequestChallengeError(failure),
                    newState: failure.remaining.object(nil) { MFARequiredState(application, $0, authMethods) }
                )
            }
            switch outcome {
            case .success(let sent):
                call("onMFARequestChallengeVerificationRequired", sent.state.continuation.correlationID) {
                    delegate.onMFARequestChallengeVerificationRequired(
                        newState: MFARequiredState(application, sent.state, authMethods),
                        sentTo: sent.delivery.sentTo,
                        channelTargetType: MSALNativeAuthChannelType(value: sent.delivery.channel),
                        codeLength: sent.delivery.codeLength
                    )
                }
            case .failure(let failure): call.fail(failure)
            }
        }
    }
}
