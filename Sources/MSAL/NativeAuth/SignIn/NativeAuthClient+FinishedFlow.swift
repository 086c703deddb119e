// Licensed under the MIT License. See LICENSE.

extension NativeAuthClient {
    /// Signs in the user that was just signed up, or has a new password
    /// (docs/reference/NativeAuthentication.md#after-flow).
    ///
    /// - Throws: `.general` without a request where the flow left no token: use the usual sign-in. `.browserRequired`:
    ///   go on in the browser.
    package func signIn(
        _ request: NativeAuth.SignInAfterFlowRequest,
        after flow: NativeAuth.FinishedFlow
    ) async throws(NativeAuthFailure) -> NativeAuth.FinishedFlowStep {
        guard let token = flow.token else {
            throw NativeAuthFailure(
                .general,
                message: NativeAuthFailure.Text.signInNotAvailable,
                correlationID: flow.correlationID
            )
        }
        let continuation = NativeAuth.Continuation(
            token: token,
            correlationID: flow.correlationID,
            username: flow.username,
            scopes: request.scopes,
            claims: request.claims
        )
        var conversation = Conversation(self, correlationID: flow.correlationID)
        do throws(WireError) {
            switch try await conversation.redeem(.finishedFlow(username: flow.username), for: continuation) {
            case .completed(let result):
                return .completed(result)
            case .registrationRequired(let state, let methods):
                return .registrationRequired(state, methods)
            case .awaitingMFA:
                // MSAL for iOS asks for the methods and then gives up (docs/reference/NativeAuthentication.md#quirks
                // and #quirk-factor-after-flow).
                throw conversation.deadEnd()
            }
        } catch {
            throw error.finishedFlowFailure
        }
    }
}
