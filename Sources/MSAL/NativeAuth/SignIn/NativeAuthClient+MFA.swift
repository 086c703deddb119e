// Licensed under the MIT License. See LICENSE.

extension NativeAuthClient {
    /// Has a code sent by the chosen method (spec native-auth 4).
    ///
    /// - Throws: `.authMethodBlocked`: offer another method, in the remaining state.
    package func requestChallenge(
        _ method: NativeAuth.AuthMethod,
        _ state: NativeAuth.AwaitingMFA
    ) async throws(NativeAuth.MFARequestChallengeFailure) -> NativeAuth.CodeSent<NativeAuth.MFAChallenge> {
        try await requestChallenge(method, NativeAuth.MFAChallenge(state.continuation))
    }

    /// Has another code sent, by the same method or another.
    ///
    /// - Throws: `.authMethodBlocked`: offer another method, in the remaining state.
    package func requestChallenge(
        _ method: NativeAuth.AuthMethod,
        _ state: NativeAuth.MFAChallenge
    ) async throws(NativeAuth.MFARequestChallengeFailure) -> NativeAuth.CodeSent<NativeAuth.MFAChallenge> {
        var talk = Conversation(self, state.continuation.correlationID)
        do throws(Trouble) {
            let (token, delivery) = try await talk.sendSignInCode(state.continuation.token, method: method.id)
            return NativeAuth.CodeSent(state: state.next(token, talk), delivery: delivery)
        } catch {
            if error.isUnexplained { throw error.failure() }
            let remaining = NativeAuth.Remaining.state(state.corrected(talk) as NativeAuth.MFAChallenge)
            guard error.refusal?.isBlocked == true else { throw error.failure(remaining) }
            throw NativeAuthFailure(
                .authMethodBlocked,
                remaining,
                error.facts(prefix: NativeAuth.Text.authMethodBlocked)
            )
        }
    }

    /// Finishes a sign-in with the second factor's code.
    ///
    /// - Throws: `.invalidChallenge`: ask again, in the remaining state.
    package func submitChallenge(
        _ code: Secret,
        _ state: NativeAuth.MFAChallenge
    ) async throws(NativeAuth.MFASubmitChallengeFailure) -> TokenResult {
        let continuation = state.continuation
        guard !code.exposed.isEmpty else { throw .refused(.invalidChallenge, continuation.correlationID, .same) }
        var talk = Conversation(self, continuation.correlationID)
        let step: NativeAuth.CredentialStep
        do throws(NativeAuth.CodeFailureOfMFA) {
            step = try await talk.prove(
                .secondFactorCode(code),
                continuation,
                refused: { $0.code(state) },
                troubled: { $0.failure() }
            )
        } catch {
            throw error.ofSecondFactor
        }
        switch step {
        case .completed(let result):
            return result
        case .awaitingMFA, .registrationRequired:
            // A further factor after the second one: the reference asks for its methods and then gives up.
            throw talk.deadEnd().failure()
        }
    }
}

extension NativeAuth {
    /// The second factor's code, as the reference classifies it first.
    fileprivate typealias CodeFailureOfMFA = NativeAuthFailure<VerifyCodeKind, MFAChallenge>
}

extension NativeAuthFailure<NativeAuth.VerifyCodeKind, NativeAuth.MFAChallenge> {
    fileprivate var ofSecondFactor: NativeAuth.MFASubmitChallengeFailure {
        switch kind {
        case .general:
            return NativeAuthFailure<_, _>(.general, remaining, facts)
        case .browserRequired:
            return NativeAuthFailure<_, _>(.browserRequired, remaining, facts)
        case .invalidCode:
            var facts = facts
            facts.message = errorDescription
            return NativeAuthFailure<_, _>(.invalidChallenge, remaining, facts)
        }
    }
}
