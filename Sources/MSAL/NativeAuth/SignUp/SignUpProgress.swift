// Licensed under the MIT License. See LICENSE.

/// How a sign-up goes on. Two of the ways come as errors (spec native-auth 2.5).
enum SignUpProgress {
    case completed(NativeAuth.FinishedFlow)
    case attributesRequired(NativeAuth.SignUpAttributes, [NativeAuth.RequiredAttribute])
    /// With the answer itself, for the steps at which it is a failure.
    case credentialRequired(Secret, Trouble)
}

/// A challenge during sign-up that is complete.
enum SignUpChallenge {
    case code(Secret, NativeAuth.CodeDelivery)
    case password(Secret)
}

extension Conversation {
    /// Asks what the service wants to see next; has a code sent where that is it.
    mutating func signUpChallenge(_ token: Secret) async throws(Trouble) -> SignUpChallenge {
        switch try await ask(.signUpChallenge, challengeForm(token), as: ChallengeAnswer.self) {
        case .code(let token, let delivery): return .code(token, delivery)
        case .password(let token?): return .password(token)
        case .password(nil), .unnamed: throw Trouble(.unexpectedBody, correlationID)
        }
    }

    /// Hands over what the service asked for.
    ///
    /// - Throws: `Trouble` for every answer that is no step forward; special answers that lack something count as
    ///   unreadable.
    mutating func continueSignUp(
        _ continuation: NativeAuth.Continuation,
        grant: String,
        _ parameter: Parameter,
        _ value: String
    ) async throws(Trouble) -> SignUpProgress {
        var form = form(continuation.token)
        form.set(.grantType, grant)
        form.set(parameter, value)
        do throws(Trouble) {
            let answer: SignUpContinueAnswer = try await ask(.signUpContinue, form)
            return .completed(
                NativeAuth.FinishedFlow(
                    origin: .signUp,
                    username: continuation.username,
                    correlationID: correlationID,
                    token: answer.token
                )
            )
        } catch {
            guard let refusal = error.refusal else { throw error }
            switch refusal.serverError.error {
            case "attributes_required":
                guard let token = refusal.continuationToken, let attributes = refusal.requiredAttributes,
                    !attributes.isEmpty
                else { throw error.incomplete }
                return .attributesRequired(continuation.next(token, self), attributes)
            case "credential_required":
                guard let token = refusal.continuationToken else { throw error.incomplete }
                return .credentialRequired(token, error)
            case "verification_required":
                throw error.unexplained
            case "invalid_grant" where refusal.serverError.suberror == "attribute_validation_failed":
                throw refusal.invalidAttributes == nil ? error.incomplete : error
            default:
                throw error
            }
        }
    }
}

extension Trouble {
    /// The same answer, taken for an unreadable one.
    var incomplete: Trouble { with(.unexpectedBody) }

    /// The same answer, about which the reference says nothing.
    var unexplained: Trouble { with(.unexplained) }

    private func with(_ reason: Reason) -> Trouble {
        var copy = Trouble(reason, correlationID, endpoint)
        copy.serverError = refusal?.serverError ?? serverError
        copy.underlying = underlying
        return copy
    }
}
