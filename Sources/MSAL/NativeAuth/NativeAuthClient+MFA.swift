// Licensed under the MIT License. See LICENSE.

import MSALBase

extension NativeAuthClient {
    /// Requests a code through the chosen method, for the first time or again
    /// (docs/reference/NativeAuthentication.md#second-factor).
    ///
    /// - Throws: `.authMethodBlocked`: offer another method, with the remaining state.
    func requestChallenge(
        _ method: NativeAuth.AuthMethod,
        in state: some NativeAuth.MFAState
    ) async throws(NativeAuthFailure) -> NativeAuth.CodeSent<NativeAuth.MFAChallenge> {
        var conversation = Conversation(self, correlationID: state.continuation.correlationID)
        do throws(WireError) {
            let (token, delivery) = try await conversation.sendSignInCode(
                state.continuation.token,
                method: method.id
            )
            return NativeAuth.CodeSent(state: state.next(token, in: conversation), delivery: delivery)
        } catch {
            if error.isUnexplained { throw error.failure() }
            let remaining = state.retry(in: conversation)
            guard error.isBlocked else { throw error.failure(keeping: remaining) }
            throw error.failure(.authMethodBlocked, keeping: remaining)
                .prefixed(NativeAuthFailure.Text.authMethodBlocked)
        }
    }

    /// Continues a sign-in with the second factor's code, usually to its end.
    ///
    /// - Throws: `.invalidChallenge`: ask again, with the remaining state.
    func submitChallenge(
        _ code: Secret,
        in state: NativeAuth.MFAChallenge
    ) async throws(NativeAuthFailure) -> NativeAuth.CredentialStep {
        var conversation = try conversation(in: state, input: code, refusal: .invalidChallenge)
        do throws(WireError) {
            return try await conversation.redeem(.secondFactorCode(code), for: state.continuation)
        } catch {
            throw error.codeFailure(state)
        }
    }
}
