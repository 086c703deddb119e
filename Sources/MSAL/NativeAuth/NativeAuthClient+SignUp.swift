// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension NativeAuthClient {
    /// Starts a sign-up and requests a code for the address (docs/reference/NativeAuthentication.md#sign-up-start).
    ///
    /// - Throws: `.userAlreadyExists`: offer to sign in; `.invalidPassword` or `.invalidUsername`: ask again;
    ///   `.browserRequired`: continue in the browser.
    func signUp(_ request: NativeAuth.SignUpRequest) async throws(NativeAuthFailure) -> NativeAuth.SignUpStep {
        guard !request.username.isEmpty else {
            throw NativeAuthFailure(.invalidUsername, correlationID: request.correlationID)
        }
        guard request.password?.exposed.isEmpty != true else {
            throw NativeAuthFailure(.invalidPassword, correlationID: request.correlationID)
        }
        var conversation = Conversation(self, correlationID: request.correlationID)
        do throws(WireError) {
            var form = conversation.startForm(username: request.username)
            form.set(.password, to: request.password?.exposed)
            form.set(.attributes, to: request.attributes.map { JSONValue.object($0).text })
            let started: ContinuationResponse = try await conversation.send(form, to: .signUpStart)
            let (token, delivery) = try await conversation.sendSignUpCode(started.token)
            let continuation = NativeAuth.Continuation(
                token: token,
                correlationID: conversation.correlationID,
                username: request.username
            )
            return .codeRequired(NativeAuth.SignUpCode(continuation: continuation), delivery)
        } catch {
            guard error.endpoint == .signUpStart else { throw error.failure() }
            if let names = error.invalidAttributes { return .attributesInvalid(names) }
            throw error.failure(error.signUpStartKind)
        }
    }

    /// Requests another code; the previous one stops working (docs/reference/NativeAuthentication.md#sign-up-resend).
    ///
    /// - Throws: A failure that keeps the state in nearly every case
    ///   (docs/reference/NativeAuthentication.md#quirk-resend).
    func resendCode(
        in state: NativeAuth.SignUpCode
    ) async throws(NativeAuthFailure) -> NativeAuth.CodeSent<NativeAuth.SignUpCode> {
        var conversation = Conversation(self, correlationID: state.continuation.correlationID)
        do throws(WireError) {
            let (token, delivery) = try await conversation.sendSignUpCode(state.continuation.token)
            return NativeAuth.CodeSent(state: state.next(token, in: conversation), delivery: delivery)
        } catch {
            if error.isUnexplained { throw error.failure() }
            let failure = error.failure(keeping: state.retry(in: conversation))
            throw error.isListed ? failure : failure.withoutDetails(.state)
        }
    }

    /// Verifies the address with the code that was sent (docs/reference/NativeAuthentication.md#sign-up-code and
    /// #sign-up-password-challenge).
    ///
    /// - Throws: `.invalidCode`: ask again, with the remaining state.
    func submitCode(
        _ code: Secret,
        in state: NativeAuth.SignUpCode
    ) async throws(NativeAuthFailure) -> NativeAuth.SignUpCodeStep {
        let continuation = state.continuation
        var conversation = try conversation(in: state, input: code, refusal: .invalidCode)
        let reaction: SignUpReaction
        do throws(WireError) {
            reaction = try await conversation.continueSignUp(
                continuation,
                grant: "oob",
                parameter: .oneTimeCode,
                value: code.exposed
            )
        } catch {
            guard error.isAboutCode || error.isAboutPassword else { throw state.end(with: error, in: conversation) }
            throw error.failure(.invalidCode, keeping: state.retry(in: conversation))
        }
        switch reaction {
        case .accepted(let progress):
            return .accepted(progress)
        case .credentialRequired(let token, _):
            do throws(WireError) {
                switch try await conversation.signUpChallenge(token) {
                case .password(let token?):
                    return .passwordRequired(continuation.next(token, in: conversation))
                case .code:
                    throw conversation.deadEnd(NativeAuthFailure.Text.codeInsteadOfPassword)
                case .password(nil), .unnamed:
                    throw WireError(.unexpectedBody, correlationID: conversation.correlationID)
                }
            } catch {
                // docs/reference/NativeAuthentication.md#quirk-listed.
                throw error.isListed ? error.failure().withoutDetails(.words()) : error.failure()
            }
        }
    }

    /// Sets the new user's password (docs/reference/NativeAuthentication.md#sign-up-password).
    ///
    /// - Throws: `.invalidPassword`: ask for a better one, with the remaining state.
    func submitPassword(
        _ password: Secret,
        in state: NativeAuth.SignUpPassword
    ) async throws(NativeAuthFailure) -> NativeAuth.SignUpProgress {
        var conversation = try conversation(in: state, input: password, refusal: .invalidPassword)
        do throws(WireError) {
            let reaction = try await conversation.continueSignUp(
                state.continuation,
                grant: "password",
                parameter: .password,
                value: password.exposed
            )
            return try reaction.progress
        } catch {
            let remaining = state.retry(in: conversation)
            if error.isAboutPassword { throw error.failure(.invalidPassword, keeping: remaining) }
            throw error.isAboutCode ? error.failure(keeping: remaining) : state.end(with: error, in: conversation)
        }
    }

    /// Submits the attributes that the service requires (docs/reference/NativeAuthentication.md#sign-up-attributes).
    ///
    /// - Throws: A failure that ends the flow.
    func submitAttributes(
        _ attributes: [String: JSONValue],
        in state: NativeAuth.SignUpAttributes
    ) async throws(NativeAuthFailure) -> NativeAuth.SignUpAttributesStep {
        let continuation = state.continuation
        var conversation = Conversation(self, correlationID: continuation.correlationID)
        do throws(WireError) {
            let reaction = try await conversation.continueSignUp(
                continuation,
                grant: "attributes",
                parameter: .attributes,
                value: JSONValue.object(attributes).text
            )
            return .accepted(try reaction.progress)
        } catch {
            guard let names = error.invalidAttributes else { throw state.end(with: error, in: conversation) }
            return .attributesInvalid(continuation.next(continuation.token, in: conversation), names)
        }
    }
}

extension WireError {
    /// The kind of a rejected start, if it has one (docs/reference/NativeAuthentication.md#sign-up-start).
    fileprivate var signUpStartKind: NativeAuthFailure.Kind? {
        if isNamed("user_already_exists") { return .userAlreadyExists }
        if isAboutPassword { return .invalidPassword }
        // The service has no specific code for this; MSAL for iOS also checks the text.
        let isAboutUsername =
            refusal?.description?.contains("username parameter is empty or not valid") == true
            && refusal?.codes.first == 90100
        return isNamed("invalid_request") && isAboutUsername ? .invalidUsername : nil
    }
}
