// Licensed under the MIT License. See LICENSE.

import MSALBase

extension NativeAuthClient {
    /// Starts a sign-in. If there is a password and the service accepts it, completes the sign-in
    /// (docs/reference/NativeAuthentication.md#sign-in).
    ///
    /// - Throws: `.userNotFound` or `.invalidCredentials`: ask again; `.browserRequired`: continue in the browser.
    func signIn(_ request: NativeAuth.SignInRequest) async throws(NativeAuthFailure) -> NativeAuth.SignInStep {
        guard !request.username.isEmpty else {
            throw NativeAuthFailure(.invalidUsername, correlationID: request.correlationID)
        }
        guard request.password?.exposed.isEmpty != true else {
            throw NativeAuthFailure(.invalidCredentials, correlationID: request.correlationID)
        }
        var conversation = Conversation(self, correlationID: request.correlationID)
        let started: ContinuationResponse
        do throws(WireError) {
            started = try await conversation.send(
                conversation.startForm(username: request.username),
                to: .signInInitiate
            )
        } catch {
            throw error.failure(error.isNamed("user_not_found") ? .userNotFound : nil)
        }

        let challenge: ChallengeResponse
        do throws(WireError) {
            challenge = try await conversation.signInChallenge(started.token)
        } catch {
            throw error.challengeFailure()
        }
        func continuation(_ token: Secret) -> NativeAuth.Continuation {
            NativeAuth.Continuation(
                token: token,
                correlationID: conversation.correlationID,
                username: request.username,
                scopes: request.scopes,
                claims: request.claims
            )
        }
        switch challenge {
        case .code(let token, let delivery):
            if request.password != nil {
                Log.lines(of: conversation.correlationID) {
                    Log.warning("The service sent a code, so the password is not used.")
                }
            }
            return .codeRequired(NativeAuth.SignInCode(continuation: continuation(token)), delivery)
        case .password(let token?):
            guard let password = request.password else {
                return .passwordRequired(NativeAuth.SignInPassword(continuation: continuation(token)))
            }
            do throws(WireError) {
                let grant = NativeAuthGrant.password(password, username: request.username)
                return .accepted(try await conversation.redeem(grant, for: continuation(token)))
            } catch {
                throw error.signInStartFailure
            }
        case .password(nil):
            throw WireError(.unexpectedBody, correlationID: conversation.correlationID).failure()
        case .unnamed:
            throw WireError(.unexpectedChallengeType, correlationID: conversation.correlationID).failure()
        }
    }

    /// Continues a sign-in with the requested password.
    ///
    /// - Throws: `.invalidPassword`: ask again, with the remaining state.
    func submitPassword(
        _ password: Secret,
        in state: NativeAuth.SignInPassword
    ) async throws(NativeAuthFailure) -> NativeAuth.CredentialStep {
        let continuation = state.continuation
        var conversation = try conversation(in: state, input: password, refusal: .invalidPassword)
        do throws(WireError) {
            let grant = NativeAuthGrant.password(password, username: continuation.username)
            return try await conversation.redeem(grant, for: continuation)
        } catch {
            throw error.passwordFailure(state)
        }
    }

    /// Continues a sign-in with the code that was sent.
    ///
    /// - Throws: `.invalidCode`: ask again, with the remaining state.
    func submitCode(
        _ code: Secret,
        in state: NativeAuth.SignInCode
    ) async throws(NativeAuthFailure) -> NativeAuth.CredentialStep {
        var conversation = try conversation(in: state, input: code, refusal: .invalidCode)
        do throws(WireError) {
            return try await conversation.redeem(.code(code), for: state.continuation)
        } catch {
            throw error.codeFailure(state)
        }
    }

    /// Requests another code; the previous one stops working.
    ///
    /// - Throws: A failure that keeps the state in nearly every case (docs/reference/NativeAuthentication.md#resend).
    func resendCode(
        in state: NativeAuth.SignInCode
    ) async throws(NativeAuthFailure) -> NativeAuth.CodeSent<NativeAuth.SignInCode> {
        var conversation = Conversation(self, correlationID: state.continuation.correlationID)
        do throws(WireError) {
            let (token, delivery) = try await conversation.sendSignInCode(state.continuation.token)
            return NativeAuth.CodeSent(state: state.next(token, in: conversation), delivery: delivery)
        } catch {
            if error.isUnexplained { throw error.failure() }
            throw error.challengeFailure(keeping: state.retry(in: conversation))
        }
    }
}

extension WireError {
    /// The failure of a first factor's challenge, with an explanation for a blocked factor.
    fileprivate func challengeFailure(keeping remaining: NativeAuthFailure.Remaining = .nothing) -> NativeAuthFailure {
        let failure = failure(keeping: remaining)
        return isBlocked ? failure.prefixed(NativeAuthFailure.Text.authMethodBlocked) : failure
    }
}
