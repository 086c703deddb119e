// Licensed under the MIT License. See LICENSE.

extension Conversation {
    /// Asks how the user is to prove who they are; has a code sent where that is the way.
    mutating func signInChallenge(_ token: Secret, method id: String? = nil) async throws(Trouble) -> ChallengeAnswer {
        var form = challengeForm(token)
        form.set(.methodID, id)
        return try await ask(.signInChallenge, form)
    }

    /// Has a code sent, where a code is all that helps; any other way is trouble.
    mutating func sendSignInCode(
        _ token: Secret,
        method id: String? = nil
    ) async throws(Trouble) -> (Secret, NativeAuth.CodeDelivery) {
        switch try await signInChallenge(token, method: id) {
        case .code(let token, let delivery): return (token, delivery)
        case .password(.some): throw deadEnd()
        case .password(nil): throw Trouble(.unexpectedBody, correlationID)
        case .unnamed: throw Trouble(.unexpectedChallengeType, correlationID)
        }
    }

    /// Redeems a first factor, and asks for the methods where that is not enough (spec native-auth 3.7).
    ///
    /// `refused`: The failure of a token answer.
    /// `troubled`: The failure of the question for methods.
    mutating func prove<Kind, State>(
        _ proof: TokenProof,
        _ continuation: NativeAuth.Continuation,
        refused: (TokenTrouble) -> NativeAuthFailure<Kind, State>,
        troubled: (Trouble) -> NativeAuthFailure<Kind, State>
    ) async throws(NativeAuthFailure<Kind, State>) -> NativeAuth.CredentialStep {
        let verdict: TokenVerdict
        do throws(TokenTrouble) {
            verdict = try await redeem(proof, continuation)
        } catch {
            throw refused(error)
        }
        do throws(Trouble) {
            switch verdict {
            case .completed(let result):
                return .completed(result)
            case .mfaRequired(let token):
                let answer = try await methods(.signInIntrospect, token)
                return .awaitingMFA(continuation.next(answer.token, self), answer.methods)
            case .registrationRequired(let token):
                let answer = try await methods(.registerIntrospect, token)
                return .registrationRequired(continuation.next(answer.token, self), answer.methods)
            }
        } catch {
            throw troubled(error)
        }
    }

    /// Asks among which methods the user may choose.
    mutating func methods(_ endpoint: NativeAuthEndpoint, _ token: Secret) async throws(Trouble) -> MethodsAnswer {
        try await ask(endpoint, form(token))
    }
}
