// Licensed under the MIT License. See LICENSE.

extension NativeAuthClient {
    /// Starts a password reset and has a code sent (spec native-auth 7.2 and 7.3).
    ///
    /// - Throws: `.userNotFound`, `.invalidUsername`: ask again; `.userDoesNotHavePassword`: offer to sign in with a
    ///   code; `.browserRequired`: go on in the browser.
    package func resetPassword(
        _ request: NativeAuth.ResetPasswordRequest
    ) async throws(NativeAuth.ResetPasswordStartFailure) -> NativeAuth.CodeSent<NativeAuth.ResetPasswordCode> {
        guard !request.username.isEmpty else { throw .refused(.invalidUsername, request.correlationID) }
        var talk = Conversation(self, request.correlationID)
        do throws(Trouble) {
            let started: ContinuationAnswer = try await talk.ask(
                .resetStart,
                talk.startForm(username: request.username)
            )
            let (token, delivery) = try await talk.resetChallenge(started.token)
            let continuation = NativeAuth.Continuation(
                token: token,
                correlationID: talk.correlationID,
                username: request.username
            )
            return NativeAuth.CodeSent(state: NativeAuth.ResetPasswordCode(continuation), delivery: delivery)
        } catch {
            guard error.endpoint == .resetStart, let refusal = error.refusal else { throw error.failure() }
            if refusal.isNamed("user_not_found") { throw error.failure(.userNotFound) }
            if refusal.isNamed("invalid_request"), refusal.serverError.codes.first == 500_222 {
                throw error.failure(.userDoesNotHavePassword)
            }
            var failure: NativeAuth.ResetPasswordStartFailure = error.failure()
            // The reference drops the codes of errors it does not list (Q4).
            if !error.isListed { failure.facts.codes = [] }
            throw failure
        }
    }

    /// Has another code sent; the earlier one stops working.
    ///
    /// - Throws: A failure that ends the flow (Q3).
    package func resendCode(
        _ state: NativeAuth.ResetPasswordCode
    ) async throws(NativeAuth.ResetPasswordResendFailure) -> NativeAuth.CodeSent<NativeAuth.ResetPasswordCode> {
        var talk = Conversation(self, state.continuation.correlationID)
        do throws(Trouble) {
            let (token, delivery) = try await talk.resetChallenge(state.continuation.token)
            return NativeAuth.CodeSent(state: state.next(token, talk), delivery: delivery)
        } catch {
            throw error.failure()
        }
    }

    /// Proves the address with the code that was sent (spec native-auth 7.4).
    ///
    /// - Throws: `.invalidCode`: ask again, in the remaining state.
    package func submitCode(
        _ code: Secret,
        _ state: NativeAuth.ResetPasswordCode
    ) async throws(NativeAuth.ResetPasswordCodeFailure) -> NativeAuth.NewPassword {
        let continuation = state.continuation
        guard !code.exposed.isEmpty else { throw .refused(.invalidCode, continuation.correlationID, .same) }
        var talk = Conversation(self, continuation.correlationID)
        do throws(Trouble) {
            var form = talk.form(continuation.token)
            form.set(.grantType, "oob")
            form.set(.oneTimeCode, code.exposed)
            let answer: ContinuationAnswer = try await talk.ask(.resetContinue, form)
            return state.next(answer.token, talk)
        } catch {
            guard let refusal = error.refusal else { throw error.failure() }
            if refusal.isAboutCode { throw error.failure(.invalidCode, .state(state.corrected(talk))) }
            throw refusal.isNamed("verification_required") ? error.unexplained.failure() : error.failure()
        }
    }

    /// Sets the new password and waits until the service has it (spec native-auth 7.5 and 7.6).
    ///
    /// - Throws: `.invalidPassword`: ask for a better one, in the remaining state.
    package func submitPassword(
        _ password: Secret,
        _ state: NativeAuth.NewPassword
    ) async throws(NativeAuth.NewPasswordFailure) -> NativeAuth.FinishedFlow {
        let continuation = state.continuation
        guard !password.exposed.isEmpty else { throw .refused(.invalidPassword, continuation.correlationID, .same) }
        var talk = Conversation(self, continuation.correlationID)
        var token = continuation.token
        do throws(Trouble) {
            var form = talk.form(token)
            form.set(.newPassword, password.exposed)
            let submitted: ResetSubmitAnswer = try await talk.ask(.resetSubmit, form)
            token = submitted.token
            let last = try await talk.pollReset(submitted)
            return NativeAuth.FinishedFlow(
                origin: .resetPassword,
                username: continuation.username,
                correlationID: talk.correlationID,
                token: last
            )
        } catch {
            guard error.refusal?.isAboutPassword == true else { throw error.failure() }
            // While polling, the token that the service gave for the password it then refused.
            throw error.failure(.invalidPassword, .state(continuation.next(token, talk)))
        }
    }
}

extension Conversation {
    fileprivate mutating func resetChallenge(
        _ token: Secret
    ) async throws(Trouble) -> (Secret, NativeAuth.CodeDelivery) {
        switch try await ask(.resetChallenge, challengeForm(token), as: ChallengeAnswer.self) {
        case .code(let token, let delivery): return (token, delivery)
        case .password, .unnamed: throw Trouble(.unexpectedChallengeType, correlationID)
        }
    }

    /// Asks at once, then up to five times more, whether the password is set.
    ///
    /// - Returns: The token with which the user can be signed in, where the service gives one.
    fileprivate mutating func pollReset(_ submitted: ResetSubmitAnswer) async throws(Trouble) -> Secret? {
        let pause = Duration.seconds(min(max(submitted.pollInterval, 0), longestPollInterval))
        for repeatsLeft in (0...5).reversed() {
            let answer: ResetPollAnswer = try await ask(.resetPoll, form(submitted.token))
            switch answer.status {
            case .succeeded:
                return answer.token
            case .failed:
                // The service would take another password; the reference does not offer it (Q6).
                throw deadEnd()
            case .inProgress, .notStarted:
                guard repeatsLeft > 0, pause > .zero else { continue }
                do {
                    try await client.tokens.platform.time.sleep(for: pause)
                } catch {
                    var trouble = Trouble(.unexpectedBody, correlationID)
                    trouble.underlying = AuthError(.canceled, "The call was cancelled while it waited for the service.")
                    throw trouble
                }
            }
        }
        throw deadEnd()
    }

    /// In seconds: a longer pause is a mistake of the service, and would leave the user without an answer.
    private var longestPollInterval: Int { 60 }
}
