// Licensed under the MIT License. See LICENSE.

extension NativeAuthClient {
    /// Signs in the user who has just signed up or reset the password
    /// (docs/reference/NativeAuthentication.md#after-flow).
    ///
    /// - Throws: `.general` without a request if the flow left no token: use the regular sign-in. `.browserRequired`:
    ///   continue in the browser.
    func signIn(
        _ request: NativeAuth.SignInAfterFlowRequest,
        after flow: NativeAuth.FinishedFlow
    ) async throws(NativeAuthFailure) -> NativeAuth.CredentialStep {
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
            return try await conversation.redeem(.finishedFlow(username: flow.username), for: continuation)
        } catch {
            throw error.signInStartFailure
        }
    }
}
