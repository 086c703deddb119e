// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension NativeAuthClient {
    /// Registers a contact as a strong method: requests a code, again or for the first time, or finishes at once
    /// (docs/reference/NativeAuthentication.md#registration).
    ///
    /// - Throws: `.invalidInput` or `.verificationContactBlocked`: ask for another contact, with the remaining state.
    func challengeAuthMethod(
        _ method: NativeAuth.AuthMethod,
        contact: String,
        in state: some NativeAuth.RegistrationState
    ) async throws(NativeAuthFailure) -> NativeAuth.RegistrationStep {
        var conversation = try conversation(in: state, input: Secret(contact), refusal: .invalidInput)
        let response: RegistrationChallengeResponse
        do throws(WireError) {
            var form = conversation.form(state.continuation.token)
            form.set(.challengeType, to: method.challengeType)
            form.set(.challengeTarget, to: contact)
            form.set(.challengeChannel, to: method.channel)
            response = try await conversation.send(form, to: .registerChallenge)
        } catch {
            throw error.contactFailure(keeping: state.retry(in: conversation))
        }
        switch response {
        case .code(let token, let delivery):
            return .verificationRequired(state.next(token, in: conversation), delivery)
        case .preverified(let token):
            let finished: ContinuationResponse
            do throws(WireError) {
                finished = try await conversation.continueRegistration(token)
            } catch {
                throw error.preverifiedFailure
            }
            return .registered(try await conversation.tokens(after: state, token: finished.token))
        case .other:
            throw WireError(.unexpectedChallengeType, correlationID: conversation.correlationID)
                .failure(keeping: state.retry(in: conversation))
        }
    }

    /// Finishes the registration with the code sent to the contact, which usually completes the sign-in.
    ///
    /// - Throws: `.invalidChallenge`: ask again, with the remaining state.
    func submitChallenge(
        _ code: Secret,
        in state: NativeAuth.StrongAuthVerification
    ) async throws(NativeAuthFailure) -> NativeAuth.CredentialStep {
        var conversation = try conversation(in: state, input: code, refusal: .invalidChallenge)
        let response: ContinuationResponse
        do throws(WireError) {
            response = try await conversation.continueRegistration(state.continuation.token, code: code)
        } catch {
            if error.isRedirect { throw error.failure() }
            throw error.failure(error.isAboutCode ? .invalidChallenge : nil, keeping: state.retry(in: conversation))
        }
        return try await conversation.tokens(after: state, token: response.token)
    }
}

extension Conversation {
    /// Finishes the registration of a contact, which the code confirms. A contact that the service already knows needs
    /// no code.
    fileprivate mutating func continueRegistration(
        _ token: Secret,
        code: Secret? = nil
    ) async throws(WireError) -> ContinuationResponse {
        var form = form(token)
        form.set(.grantType, to: code == nil ? "continuation_token" : "oob")
        form.set(.oneTimeCode, to: code?.exposed)
        return try await send(form, to: .registerContinue)
    }

    /// The tokens of a sign-in that was interrupted by a registration.
    fileprivate mutating func tokens(
        after state: some NativeAuth.State,
        token: Secret
    ) async throws(NativeAuthFailure) -> NativeAuth.CredentialStep {
        var continuation = state.continuation
        continuation.token = token
        do throws(WireError) {
            return try await redeem(.registration, for: continuation)
        } catch {
            throw error.signInStartFailure.withoutDetails(.kind)
        }
    }
}

extension WireError {
    /// The failure of a challenge for a contact.
    fileprivate func contactFailure(keeping remaining: NativeAuthFailure.Remaining) -> NativeAuthFailure {
        if isRedirect { return failure() }
        if isBlocked {
            return failure(.verificationContactBlocked, keeping: remaining)
                .prefixed(NativeAuthFailure.Text.verificationContactBlocked)
        }
        guard isNamed("invalid_request"), refusal?.codes.contains(901_001) == true else {
            return failure(keeping: remaining)
        }
        let failure = failure(.invalidInput, keeping: remaining)
        // MSAL for iOS shows an empty text if the service returned none.
        return failure.message == nil ? failure.withoutDetails(.words(insteadOf: "")) : failure
    }

    /// The failure of a contact that needed no code.
    fileprivate var preverifiedFailure: NativeAuthFailure {
        failure(isAboutCode ? .invalidChallenge : nil).withoutDetails(.kind)
    }
}
