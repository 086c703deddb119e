// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A sign-in that waits for the user to choose a second factor.
public final class AwaitingMFAState: MFABaseState, @unchecked Sendable {
    /// Requests the code of a method.
    ///
    /// - Parameters:
    ///   - authMethod: One of the methods that came with the state.
    ///   - delegate: Receives the outcome.
    public func requestChallenge(authMethod: MSALAuthMethod, delegate: any MFARequestChallengeDelegate) {
        requestChallenge(authMethod, in: NativeAuth.AwaitingMFA(continuation: continuation), delegate: delegate)
    }

    /// Requests the code of the only method. If there are several methods, the delegate lets the user choose.
    @available(*, deprecated, message: "Use requestChallenge(authMethod:delegate:).")
    public func requestChallenge(delegate: any MFARequestChallengeDelegate) {
        if let method = authMethods.first, authMethods.count == 1 {
            return requestChallenge(authMethod: method, delegate: delegate)
        }
        let newState = MFARequiredState(continuation, authMethods: authMethods, application: application)
        newState.requestSelection(of: delegate)
    }
}

/// A sign-in that waits for the code of a second factor.
public final class MFARequiredState: MFABaseState, @unchecked Sendable {
    private var state: NativeAuth.MFAChallenge { NativeAuth.MFAChallenge(continuation: continuation) }

    /// Requests another code, or the code of another method.
    ///
    /// - Parameters:
    ///   - authMethod: One of the methods that came with `onSignInAwaitingMFA`.
    ///   - delegate: Receives the outcome.
    public func requestChallenge(authMethod: MSALAuthMethod, delegate: any MFARequestChallengeDelegate) {
        requestChallenge(authMethod, in: state, delegate: delegate)
    }

    /// Requests the code of a method. If `authMethod` is `nil` and there is only one method, that method is used. If
    /// there are several, the delegate lets the user choose.
    @available(*, deprecated, message: "Name the method: use requestChallenge(authMethod:delegate:).")
    public func requestChallenge(authMethod: MSALAuthMethod? = nil, delegate: any MFARequestChallengeDelegate) {
        if let method = authMethod ?? (authMethods.count == 1 ? authMethods.first : nil) {
            return requestChallenge(authMethod: method, delegate: delegate)
        }
        requestSelection(of: delegate)
    }

    /// Submits the code. An empty one is rejected without a request.
    ///
    /// - Parameters:
    ///   - challenge: The user's input.
    ///   - delegate: Receives the outcome.
    public func submitChallenge(challenge: String, delegate: any MFASubmitChallengeDelegate) {
        application.perform(for: delegate) { [state] client throws(NativeAuthFailure) in
            try await client.submitChallenge(Secret(challenge), in: state)
        } failed: { [self, application, authMethods] delegate, failure in
            delegate.onMFASubmitChallengeError(
                error: MFASubmitChallengeError(failure),
                newState: failure.remaining.object(same: self) {
                    MFARequiredState($0, authMethods: authMethods, application: application)
                }
            )
        } succeeded: { call, delegate, step in
            call.reportEnd(step, to: delegate)
        }
    }

    /// Passes the methods to the delegate again, without a request.
    @available(*, deprecated, message: "The methods come with onSignInAwaitingMFA(authMethods:newState:).")
    public func getAuthMethods(delegate: any MFAGetAuthMethodsDelegate) {
        application.perform(for: delegate) { [authMethods] _ in
            authMethods
        } failed: { delegate, failure in
            delegate.onMFAGetAuthMethodsError(error: MFAGetAuthMethodsError(failure), newState: nil)
        } succeeded: { [self] call, delegate, methods in
            call("onMFAGetAuthMethodsSelectionRequired", correlationID: continuation.correlationID) {
                delegate.onMFAGetAuthMethodsSelectionRequired(authMethods: methods, newState: self)
            }
        }
    }

    /// Asks the delegate of the deprecated `requestChallenge(delegate:)` to let the user choose.
    fileprivate func requestSelection(of delegate: any MFARequestChallengeDelegate) {
        application.perform(for: delegate) { [authMethods] _ in
            authMethods
        } failed: { delegate, failure in
            delegate.onMFARequestChallengeError(error: MFARequestChallengeError(failure), newState: nil)
        } succeeded: { [self] call, delegate, methods in
            call("onMFARequestChallengeSelectionRequired", correlationID: continuation.correlationID) {
                delegate.onMFARequestChallengeSelectionRequired(authMethods: methods, newState: self)
            }
        }
    }
}

extension MFABaseState {
    /// Requests the code of a method. Shared by both states.
    fileprivate func requestChallenge(
        _ authMethod: MSALAuthMethod,
        in state: some NativeAuth.MFAState,
        delegate: any MFARequestChallengeDelegate
    ) {
        application.perform(for: delegate) { client throws(NativeAuthFailure) in
            try await client.requestChallenge(authMethod.core, in: state)
        } failed: { [application, authMethods] delegate, failure in
            delegate.onMFARequestChallengeError(
                error: MFARequestChallengeError(failure),
                newState: failure.remaining.object(same: nil) {
                    MFARequiredState($0, authMethods: authMethods, application: application)
                }
            )
        } succeeded: { [authMethods] call, delegate, sent in
            let continuation = sent.state.continuation
            call("onMFARequestChallengeVerificationRequired", correlationID: continuation.correlationID) {
                delegate.onMFARequestChallengeVerificationRequired(
                    newState: MFARequiredState(continuation, authMethods: authMethods, application: call.application),
                    sentTo: sent.delivery.sentTo,
                    channelTargetType: MSALNativeAuthChannelType(value: sent.delivery.channel),
                    codeLength: sent.delivery.codeLength
                )
            }
        }
    }
}

extension DelegateCall {
    /// Reports that the service requires a second factor.
    func awaitingMFA(
        _ state: NativeAuth.AwaitingMFA,
        methods: [NativeAuth.AuthMethod],
        to delegate: any MSALNativeAuthAwaitingMFADelegate
    ) {
        let methods = methods.map(MSALAuthMethod.init)
        let newState = AwaitingMFAState(state.continuation, authMethods: methods, application: application)
        let hasMember = OptionalMember.isPresent {
            delegate.onSignInAwaitingMFA(authMethods: methods, newState: newState)
        }
        guard !hasMember else { return }
        // An app for MSAL 1.6 to 2.4 implements the variant without the methods.
        self("onSignInAwaitingMFA", correlationID: state.continuation.correlationID) {
            delegate.onSignInAwaitingMFA(newState: newState)
        }
    }
}
