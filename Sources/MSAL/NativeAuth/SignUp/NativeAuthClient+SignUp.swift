// Licensed under the MIT License. See LICENSE.

extension NativeAuthClient {
    /// Starts a sign-up and has a code sent to the address (spec native-auth 6.3 and 6.4).
    ///
    /// - Throws: `.userAlreadyExists`: offer to sign in; `.invalidPassword`, `.invalidUsername`: ask again;
    ///   `.browserRequired`: go on in the browser.
    package func signUp(
        _ request: NativeAuth.SignUpRequest
    ) async throws(NativeAuth.SignUpStartFailure) -> NativeAuth.SignUpStep {
        guard !request.username.isEmpty else { throw .refused(.invalidUsername, request.correlationID) }
        guard request.password?.exposed.isEmpty != true else { throw .refused(.invalidPassword, request.correlationID) }
        var talk = Conversation(self, request.correlationID)
        do throws(Trouble) {
            var form = talk.startForm(username: request.username)
            form.set(.password, request.password?.exposed)
            form.set(.attributes, request.attributes.map { JSONValue.object($0).text })
            let started: ContinuationAnswer = try await talk.ask(.signUpStart, form)
            switch try await talk.signUpChallenge(started.token) {
            case .code(let token, let delivery):
                let continuation = NativeAuth.Continuation(
                    token: token,
                    correlationID: talk.correlationID,
                    username: request.username
                )
                return .codeRequired(NativeAuth.SignUpCode(continuation), delivery)
            case .password:
                throw talk.deadEnd()
            }
        } catch {
            if error.endpoint == .signUpStart, let refusal = error.refusal {
                if let names = refusal.invalidAttributes { return .attributesInvalid(names) }
                if let kind = refusal.signUpStartKind { throw error.failure(kind) }
            }
            throw error.failure()
        }
    }

    /// Has another code sent; the earlier one stops working (spec native-auth 6.5).
    ///
    /// - Throws: A failure that keeps the state for the service's listed errors only (Q3).
    package func resendCode(
        _ state: NativeAuth.SignUpCode
    ) async throws(NativeAuth.SignUpResendFailure) -> NativeAuth.CodeSent<NativeAuth.SignUpCode> {
        var talk = Conversation(self, state.continuation.correlationID)
        do throws(Trouble) {
            switch try await talk.signUpChallenge(state.continuation.token) {
            case .code(let token, let delivery):
                return NativeAuth.CodeSent(state: state.next(token, talk), delivery: delivery)
            case .password:
                throw talk.deadEnd()
            }
        } catch {
            throw error.failure(error.isListed ? .state(state.corrected(talk)) : .nothing)
        }
    }

    /// Proves the address with the code that was sent (spec native-auth 6.6 and 6.7).
    ///
    /// - Throws: `.invalidCode`: ask again, in the remaining state.
    package func submitCode(
        _ code: Secret,
        _ state: NativeAuth.SignUpCode
    ) async throws(NativeAuth.SignUpCodeFailure) -> NativeAuth.SignUpCodeStep {
        let continuation = state.continuation
        guard !code.exposed.isEmpty else { throw .refused(.invalidCode, continuation.correlationID, .same) }
        var talk = Conversation(self, continuation.correlationID)
        let progress: SignUpProgress
        do throws(Trouble) {
            progress = try await talk.continueSignUp(continuation, grant: "oob", .oneTimeCode, code.exposed)
        } catch {
            let isWrong = error.refusal.map { $0.isAboutCode || $0.isAboutPassword } == true
            throw isWrong ? error.failure(.invalidCode, .state(state.corrected(talk))) : error.failure()
        }
        switch progress {
        case .completed(let flow):
            return .completed(flow)
        case .attributesRequired(let next, let attributes):
            return .attributesRequired(next, attributes)
        case .credentialRequired(let token, _):
            do throws(Trouble) {
                switch try await talk.signUpChallenge(token) {
                case .password(let token):
                    return .passwordRequired(continuation.next(token, talk))
                case .code:
                    throw talk.deadEnd()
                }
            } catch {
                var failure: NativeAuth.SignUpCodeFailure = error.failure()
                // The reference drops the text of the errors it lists, and no other (Q4).
                if error.isListed { failure.facts.message = nil }
                throw failure
            }
        }
    }

    /// Sets the new user's password (spec native-auth 6.8).
    ///
    /// - Throws: `.invalidPassword`: ask for a better one, in the remaining state.
    package func submitPassword(
        _ password: Secret,
        _ state: NativeAuth.SignUpPassword
    ) async throws(NativeAuth.SignUpPasswordFailure) -> NativeAuth.SignUpPasswordStep {
        let continuation = state.continuation
        guard !password.exposed.isEmpty else { throw .refused(.invalidPassword, continuation.correlationID, .same) }
        var talk = Conversation(self, continuation.correlationID)
        do throws(Trouble) {
            let progress = try await talk.continueSignUp(continuation, grant: "password", .password, password.exposed)
            switch progress {
            case .completed(let flow): return .completed(flow)
            case .attributesRequired(let next, let attributes): return .attributesRequired(next, attributes)
            case .credentialRequired(_, let trouble): throw trouble
            }
        } catch {
            let kept = NativeAuth.Remaining.state(state.corrected(talk) as NativeAuth.SignUpPassword)
            if error.refusal?.isAboutPassword == true { throw error.failure(.invalidPassword, kept) }
            throw error.failure(error.refusal?.isAboutCode == true ? kept : .nothing)
        }
    }

    /// Sends what the service wants to know of the new user (spec native-auth 6.9).
    ///
    /// - Throws: A failure that ends the flow.
    package func submitAttributes(
        _ attributes: [String: JSONValue],
        _ state: NativeAuth.SignUpAttributes
    ) async throws(NativeAuth.SignUpAttributesFailure) -> NativeAuth.SignUpAttributesStep {
        let continuation = state.continuation
        var talk = Conversation(self, continuation.correlationID)
        do throws(Trouble) {
            let text = JSONValue.object(attributes).text
            switch try await talk.continueSignUp(continuation, grant: "attributes", .attributes, text) {
            case .completed(let flow): return .completed(flow)
            case .attributesRequired(let next, let attributes): return .attributesRequired(next, attributes)
            case .credentialRequired(_, let trouble): throw trouble
            }
        } catch {
            if let names = error.refusal?.invalidAttributes {
                return .attributesInvalid(state.corrected(talk), names)
            }
            throw error.failure()
        }
    }
}

extension Refusal {
    /// The name of a refused start, where it has one (spec native-auth 6.3).
    fileprivate var signUpStartKind: NativeAuth.SignUpStartKind? {
        if isNamed("user_already_exists") { return .userAlreadyExists }
        if isAboutPassword { return .invalidPassword }
        // The service has no code of its own for this; the reference looks at the text as well.
        let isAboutUsername =
            serverError.description?.contains("username parameter is empty or not valid") == true
            && serverError.codes.first == 90100
        return isNamed("invalid_request") && isAboutUsername ? .invalidUsername : nil
    }
}
