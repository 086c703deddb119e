// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension NativeAuthClient {
    /// Starts a password reset and has a code sent (docs/reference/NativeAuthentication.md#reset-start and
    /// #reset-resend).
    ///
    /// - Throws: `.userNotFound` or `.invalidUsername`: ask again; `.userDoesNotHavePassword`: offer to sign in with a
    ///   code; `.browserRequired`: continue in the browser.
    func resetPassword(
        _ request: NativeAuth.ResetPasswordRequest
    ) async throws(NativeAuthFailure) -> NativeAuth.CodeSent<NativeAuth.ResetPasswordCode> {
        guard !request.username.isEmpty else {
            throw NativeAuthFailure(.invalidUsername, correlationID: request.correlationID)
        }
        var conversation = Conversation(self, correlationID: request.correlationID)
        do throws(WireError) {
            let started: ContinuationResponse = try await conversation.send(
                conversation.startForm(username: request.username),
                to: .resetStart
            )
            let (token, delivery) = try await conversation.resetChallenge(started.token)
            let continuation = NativeAuth.Continuation(
                token: token,
                correlationID: conversation.correlationID,
                username: request.username
            )
            return NativeAuth.CodeSent(
                state: NativeAuth.ResetPasswordCode(continuation: continuation),
                delivery: delivery
            )
        } catch {
            guard error.endpoint == .resetStart else { throw error.failure() }
            if error.isNamed("user_not_found") { throw error.failure(.userNotFound) }
            if error.isNamed("invalid_request"), error.refusal?.codes.first == 500_222 {
                throw error.failure(.userDoesNotHavePassword)
            }
            // docs/reference/NativeAuthentication.md#quirk-listed.
            throw error.isListed ? error.failure() : error.failure().withoutDetails(.codes)
        }
    }

    /// Requests another code; the previous one stops working.
    ///
    /// - Throws: A failure that keeps the state (docs/reference/NativeAuthentication.md#quirk-resend).
    func resendCode(
        in state: NativeAuth.ResetPasswordCode
    ) async throws(NativeAuthFailure) -> NativeAuth.CodeSent<NativeAuth.ResetPasswordCode> {
        var conversation = Conversation(self, correlationID: state.continuation.correlationID)
        do throws(WireError) {
            let (token, delivery) = try await conversation.resetChallenge(state.continuation.token)
            return NativeAuth.CodeSent(state: state.next(token, in: conversation), delivery: delivery)
        } catch {
            throw error.failure(keeping: state.retry(in: conversation)).withoutDetails(.state)
        }
    }

    /// Verifies the address with the code that was sent (docs/reference/NativeAuthentication.md#reset-code).
    ///
    /// - Throws: `.invalidCode`: ask again, with the remaining state.
    func submitCode(
        _ code: Secret,
        in state: NativeAuth.ResetPasswordCode
    ) async throws(NativeAuthFailure) -> NativeAuth.NewPassword {
        var conversation = try conversation(in: state, input: code, refusal: .invalidCode)
        do throws(WireError) {
            var form = conversation.form(state.continuation.token)
            form.set(.grantType, to: "oob")
            form.set(.oneTimeCode, to: code.exposed)
            let response: ContinuationResponse = try await conversation.send(form, to: .resetContinue)
            return state.next(response.token, in: conversation)
        } catch {
            if error.isAboutCode { throw error.failure(.invalidCode, keeping: state.retry(in: conversation)) }
            throw state.end(with: error, in: conversation)
        }
    }

    /// Sets the new password and waits until the service has stored it
    /// (docs/reference/NativeAuthentication.md#reset-submit and #reset-poll).
    ///
    /// - Throws: `.invalidPassword`: ask for a better one, with the remaining state.
    func submitPassword(
        _ password: Secret,
        in state: NativeAuth.NewPassword
    ) async throws(NativeAuthFailure) -> NativeAuth.FinishedFlow {
        let continuation = state.continuation
        var conversation = try conversation(in: state, input: password, refusal: .invalidPassword)
        let submitted: ResetSubmitResponse
        do throws(WireError) {
            var form = conversation.form(continuation.token)
            form.set(.newPassword, to: password.exposed)
            submitted = try await conversation.send(form, to: .resetSubmit)
        } catch {
            guard error.isAboutPassword else { throw state.end(with: error, in: conversation) }
            throw error.failure(.invalidPassword, keeping: state.retry(in: conversation))
        }
        let polled: ResetPollResponse
        do throws(WireError) {
            polled = try await conversation.pollReset(submitted)
        } catch {
            guard error.isAboutPassword else { throw error.failure() }
            // The service accepted the password, which changed the token, and then rejected it.
            let next: NativeAuth.NewPassword = continuation.next(submitted.token, in: conversation)
            throw error.failure(.invalidPassword, keeping: next.retry(in: conversation))
        }
        guard polled.status == .succeeded else {
            // The service accepts another password, which MSAL for iOS does not offer
            // (docs/reference/NativeAuthentication.md#quirk-poll).
            let next: NativeAuth.NewPassword = continuation.next(polled.token ?? submitted.token, in: conversation)
            throw conversation.deadEnd(NativeAuthFailure.Text.passwordNotSet)
                .failure(keeping: next.retry(in: conversation)).withoutDetails(.state)
        }
        return NativeAuth.FinishedFlow(
            username: continuation.username,
            correlationID: conversation.correlationID,
            token: polled.token
        )
    }
}

extension Conversation {
    fileprivate mutating func resetChallenge(
        _ token: Secret
    ) async throws(WireError) -> (Secret, NativeAuth.CodeDelivery) {
        switch try await send(challengeForm(token), to: .resetChallenge, expecting: ChallengeResponse.self) {
        case .code(let token, let delivery): return (token, delivery)
        case .password, .unnamed: throw WireError(.unexpectedChallengeType, correlationID: correlationID)
        }
    }

    /// Polls at once, then up to five more times, until the password is set.
    ///
    /// - Returns: The response that reports success or failure.
    fileprivate mutating func pollReset(_ submitted: ResetSubmitResponse) async throws(WireError) -> ResetPollResponse {
        let pause = Duration.seconds(min(max(submitted.pollInterval, 0), longestPollInterval))
        for repeatsLeft in (0...5).reversed() {
            let response: ResetPollResponse = try await send(form(submitted.token), to: .resetPoll)
            switch response.status {
            case .succeeded, .failed:
                return response
            case .inProgress, .notStarted:
                guard repeatsLeft > 0, pause > .zero else { continue }
                do {
                    try await client.tokens.platform.time.sleep(for: pause)
                } catch {
                    throw WireError(
                        .unexpectedBody,
                        correlationID: correlationID,
                        underlying: AuthError(
                            .canceled,
                            message: "The call was canceled while it waited for the service."
                        )
                    )
                }
            }
        }
        throw deadEnd(NativeAuthFailure.Text.resetUnfinished)
    }

    /// The maximum interval between two polls, in seconds. A longer one is an error of the service and would keep the
    /// user waiting.
    private var longestPollInterval: Int { 60 }
}
