// Licensed under the MIT License. See LICENSE.

extension NativeAuthClient {
    /// Signs in the user that was just signed up, or has a new password (spec native-auth 8).
    ///
    /// - Throws: `.general` without a request where the flow left no token: use the usual sign-in. `.browserRequired`:
    ///   go on in the browser.
    package func signIn(
        _ request: NativeAuth.SignInAfterFlowRequest,
        after flow: NativeAuth.FinishedFlow
    ) async throws(NativeAuth.FinishedFlowFailure) -> NativeAuth.FinishedFlowStep {
        guard let token = flow.token else {
            let facts = NativeAuth.Facts(
                message: NativeAuth.Text.signInNotAvailable,
                correlationID: flow.correlationID
            )
            throw NativeAuthFailure(.general, .nothing, facts)
        }
        let continuation = NativeAuth.Continuation(
            token: token,
            correlationID: flow.correlationID,
            username: flow.username,
            scopes: request.scopes,
            claims: request.claims
        )
        var talk = Conversation(self, flow.correlationID)
        let step = try await talk.prove(
            .finishedFlow(username: flow.username),
            continuation,
            refused: { $0.finishedFlow },
            troubled: { (trouble) -> NativeAuth.FinishedFlowFailure in trouble.failure() }
        )
        switch step {
        case .completed(let result):
            return .completed(result)
        case .registrationRequired(let state, let methods):
            return .registrationRequired(state, methods)
        case .awaitingMFA:
            // The reference asks for the methods and then gives up (spec native-auth 16.1, Q8).
            throw talk.deadEnd().failure()
        }
    }
}
