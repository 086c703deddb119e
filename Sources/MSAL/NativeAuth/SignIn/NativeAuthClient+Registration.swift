// Licensed under the MIT License. See LICENSE.

extension NativeAuthClient {
    /// Registers a contact as strong method: has a code sent, or finishes at once (spec native-auth 5).
    ///
    /// - Throws: `.invalidInput` and `.verificationContactBlocked`: ask for another contact, in the remaining state.
    package func challengeAuthMethod(
        _ method: NativeAuth.AuthMethod,
        contact: String,
        _ state: NativeAuth.StrongAuthRegistration
    ) async throws(NativeAuth.RegistrationChallengeFailure) -> NativeAuth.RegistrationStep {
        guard !contact.isEmpty else { throw .refused(.invalidInput, state.continuation.correlationID, .same) }
        var talk = Conversation(self, state.continuation.correlationID)
        let answer: RegisterChallengeAnswer
        do throws(Trouble) {
            var form = talk.form(state.continuation.token)
            form.set(.challengeType, method.challengeType)
            form.set(.challengeTarget, contact)
            form.set(.challengeChannel, method.channel)
            answer = try await talk.ask(.registerChallenge, form)
            if case .other = answer { throw Trouble(.unexpectedChallengeType, talk.correlationID) }
        } catch {
            throw error.registrationFailure(state.corrected(talk))
        }
        switch answer {
        case .code(let token, let delivery):
            return .verificationRequired(state.next(token, talk), delivery)
        case .preverified(let token):
            return .completed(try await finishPreverified(state, token, &talk))
        case .other:
            throw Trouble(.unexpectedChallengeType, talk.correlationID).failure()
        }
    }

    /// Sends the code again, or to another contact.
    ///
    /// - Throws: As for the first contact; an empty one leaves no state (spec native-auth 16.1, Q11).
    package func challengeAuthMethod(
        _ method: NativeAuth.AuthMethod,
        contact: String,
        _ state: NativeAuth.StrongAuthVerification
    ) async throws(NativeAuth.RegistrationChallengeFailure) -> NativeAuth.RegistrationStep {
        guard !contact.isEmpty else { throw .refused(.invalidInput, state.continuation.correlationID) }
        return try await challengeAuthMethod(
            method,
            contact: contact,
            NativeAuth.StrongAuthRegistration(state.continuation)
        )
    }

    /// Finishes registration and sign-in with the code sent to the contact.
    ///
    /// - Throws: `.invalidChallenge`: ask again, in the remaining state.
    package func submitChallenge(
        _ code: Secret,
        _ state: NativeAuth.StrongAuthVerification
    ) async throws(NativeAuth.RegistrationSubmitFailure) -> TokenResult {
        let continuation = state.continuation
        guard !code.exposed.isEmpty else { throw .refused(.invalidChallenge, continuation.correlationID, .same) }
        var talk = Conversation(self, continuation.correlationID)
        let answer: ContinuationAnswer
        do throws(Trouble) {
            var form = talk.form(continuation.token)
            form.set(.grantType, "oob")
            form.set(.oneTimeCode, code.exposed)
            answer = try await talk.ask(.registerContinue, form)
        } catch {
            let kept = NativeAuth.Remaining.state(state.corrected(talk) as NativeAuth.StrongAuthVerification)
            if error.refusal?.isAboutCode == true { throw error.failure(.invalidChallenge, kept) }
            throw error.failure(error.isRedirect ? .nothing : kept)
        }
        do throws(RegistrationEnd) {
            return try await talk.tokensAfterRegistration(state, answer.token)
        } catch {
            throw error.failure()
        }
    }

    private func finishPreverified(
        _ state: NativeAuth.StrongAuthRegistration,
        _ token: Secret,
        _ talk: inout Conversation
    ) async throws(NativeAuth.RegistrationChallengeFailure) -> TokenResult {
        let answer: ContinuationAnswer
        do throws(Trouble) {
            var form = talk.form(token)
            form.set(.grantType, "continuation_token")
            answer = try await talk.ask(.registerContinue, form)
        } catch {
            // The code's own failure would have a name; here it is general, with that name's text.
            let inner: NativeAuthFailure<NativeAuth.SubmitChallengeKind, Never> =
                error.refusal?.isAboutCode == true ? error.failure(.invalidChallenge) : error.failure()
            throw inner.generalized()
        }
        do throws(RegistrationEnd) {
            return try await talk.tokensAfterRegistration(state, answer.token)
        } catch {
            throw error.failure()
        }
    }
}

/// Why the tokens did not come after a method was registered: always a general failure (spec native-auth 5.3).
private struct RegistrationEnd: Error {
    let facts: NativeAuth.Facts

    func failure<Kind, State>() -> NativeAuthFailure<Kind, State> {
        NativeAuthFailure(.general, .nothing, facts)
    }
}

extension Conversation {
    /// The tokens of a sign-in that was interrupted by a registration. Its scopes and claims are lost (Q7).
    fileprivate mutating func tokensAfterRegistration(
        _ state: some NativeAuth.State,
        _ token: Secret
    ) async throws(RegistrationEnd) -> TokenResult {
        var continuation = state.continuation
        continuation.token = token
        continuation.scopes = []
        continuation.claims = nil
        let verdict: TokenVerdict
        do throws(TokenTrouble) {
            verdict = try await redeem(.registration, continuation)
        } catch {
            let failure = error.finishedFlow
            var facts = failure.facts
            if case .redirect = error.kind { facts.message = failure.errorDescription }
            throw RegistrationEnd(facts: facts)
        }
        var facts = deadEnd().facts
        do throws(Trouble) {
            switch verdict {
            case .completed(let result):
                return result
            case .mfaRequired(let token):
                _ = try await methods(.signInIntrospect, token)
            case .registrationRequired(let token):
                _ = try await methods(.registerIntrospect, token)
                facts.message = NativeAuth.Text.registrationRepeated
            }
        } catch {
            let inner: NativeAuthFailure<NativeAuth.GenericKind, Never> = error.failure()
            facts = inner.facts
            facts.message = inner.errorDescription
        }
        facts.correlationID = correlationID
        throw RegistrationEnd(facts: facts)
    }
}

extension Trouble {
    fileprivate func registrationFailure(
        _ state: NativeAuth.StrongAuthRegistration
    ) -> NativeAuth.RegistrationChallengeFailure {
        if isRedirect { return failure() }
        if refusal?.isBlocked == true {
            let facts = facts(prefix: NativeAuth.Text.verificationContactBlocked)
            return NativeAuthFailure(.verificationContactBlocked, .state(state), facts)
        }
        guard let refusal, refusal.isNamed("invalid_request"), refusal.serverError.codes.contains(901_001) else {
            return failure(.state(state))
        }
        var facts = facts
        // The reference shows an empty text where the service gave none.
        facts.message = facts.message ?? ""
        return NativeAuthFailure(.invalidInput, .state(state), facts)
    }
}

extension NativeAuthFailure {
    /// The same text and codes without the name.
    fileprivate func generalized<OtherKind, OtherState>() -> NativeAuthFailure<OtherKind, OtherState> {
        var facts = facts
        facts.message = errorDescription
        return NativeAuthFailure<OtherKind, OtherState>(.general, .nothing, facts)
    }
}
