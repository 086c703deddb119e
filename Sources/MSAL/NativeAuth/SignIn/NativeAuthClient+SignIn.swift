// Licensed under the MIT License. See LICENSE.

extension NativeAuthClient {
    /// Starts a sign-in; with a password, and where the service takes one, goes to the end (spec native-auth 3).
    ///
    /// - Throws: `.userNotFound` and `.invalidCredentials`: ask again; `.browserRequired`: go on in the browser.
    package func signIn(
        _ request: NativeAuth.SignInRequest
    ) async throws(NativeAuth.SignInStartFailure) -> NativeAuth.SignInStep {
        guard !request.username.isEmpty else { throw .refused(.invalidUsername, request.correlationID) }
        guard request.password?.exposed.isEmpty != true else {
            throw .refused(.invalidCredentials, request.correlationID)
        }
        var talk = Conversation(self, request.correlationID)
        let started: ContinuationAnswer
        do throws(Trouble) {
            started = try await talk.ask(.signInInitiate, talk.startForm(username: request.username))
        } catch {
            throw error.refusal?.isNamed("user_not_found") == true ? error.failure(.userNotFound) : error.failure()
        }

        let challenge: ChallengeAnswer
        do throws(Trouble) {
            challenge = try await talk.signInChallenge(started.token)
        } catch {
            throw error.signInChallengeFailure(.nothing)
        }
        func continuation(_ token: Secret) -> NativeAuth.Continuation {
            NativeAuth.Continuation(
                token: token,
                correlationID: talk.correlationID,
                username: request.username,
                scopes: request.scopes,
                claims: request.claims
            )
        }
        switch challenge {
        case .code(let token, let delivery):
            if request.password != nil {
                Log.lines(of: talk.correlationID) {
                    Log.warning("The service sent a code; the password that was given is not used.")
                }
            }
            return .codeRequired(NativeAuth.SignInCode(continuation(token)), delivery)
        case .password(let token?):
            guard let password = request.password else {
                return .passwordRequired(NativeAuth.SignInPassword(continuation(token)))
            }
            let step = try await talk.prove(
                .password(password, username: request.username),
                continuation(token),
                refused: { $0.signInStart },
                troubled: { $0.failure() }
            )
            switch step {
            case .awaitingMFA(let state, let methods): return .awaitingMFA(state, methods)
            case .registrationRequired(let state, let methods): return .registrationRequired(state, methods)
            case .completed(let result): return .completed(result)
            }
        case .password(nil):
            throw Trouble(.unexpectedBody, talk.correlationID).failure()
        case .unnamed:
            throw Trouble(.unexpectedChallengeType, talk.correlationID).failure()
        }
    }

    /// Continues a sign-in with the password that was asked for.
    ///
    /// - Throws: `.invalidPassword`: ask again, in the remaining state.
    package func submitPassword(
        _ password: Secret,
        _ state: NativeAuth.SignInPassword
    ) async throws(NativeAuth.SignInPasswordFailure) -> NativeAuth.CredentialStep {
        let continuation = state.continuation
        guard !password.exposed.isEmpty else { throw .refused(.invalidPassword, continuation.correlationID, .same) }
        var talk = Conversation(self, continuation.correlationID)
        return try await talk.prove(
            .password(password, username: continuation.username),
            continuation,
            refused: { $0.password(state) },
            troubled: { $0.failure() }
        )
    }

    /// Continues a sign-in with the code that was sent.
    ///
    /// - Throws: `.invalidCode`: ask again, in the remaining state.
    package func submitCode(
        _ code: Secret,
        _ state: NativeAuth.SignInCode
    ) async throws(NativeAuth.SignInCodeFailure) -> NativeAuth.CredentialStep {
        let continuation = state.continuation
        guard !code.exposed.isEmpty else { throw .refused(.invalidCode, continuation.correlationID, .same) }
        var talk = Conversation(self, continuation.correlationID)
        return try await talk.prove(
            .code(code),
            continuation,
            refused: { $0.code(state) },
            troubled: { $0.failure() }
        )
    }

    /// Has another code sent; the earlier one stops working.
    ///
    /// - Throws: A failure that keeps the state in nearly every case (spec native-auth 3.8).
    package func resendCode(
        _ state: NativeAuth.SignInCode
    ) async throws(NativeAuth.SignInResendFailure) -> NativeAuth.CodeSent<NativeAuth.SignInCode> {
        var talk = Conversation(self, state.continuation.correlationID)
        do throws(Trouble) {
            let (token, delivery) = try await talk.sendSignInCode(state.continuation.token)
            return NativeAuth.CodeSent(state: state.next(token, talk), delivery: delivery)
        } catch {
            if error.isUnexplained { throw error.failure() }
            throw error.signInChallengeFailure(.state(state.corrected(talk)))
        }
    }
}

extension Trouble {
    /// The failure of a first factor's challenge: a blocked one is explained.
    fileprivate func signInChallengeFailure<Kind, State>(
        _ remaining: NativeAuth.Remaining<State>
    ) -> NativeAuthFailure<Kind, State> {
        guard refusal?.isBlocked == true else { return failure(remaining) }
        return NativeAuthFailure(.general, remaining, facts(prefix: NativeAuth.Text.authMethodBlocked))
    }
}
