// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// The service's response to an input of a sign-up. If attributes or a credential are required, the service returns an
/// error (docs/reference/NativeAuthentication.md#sign-up-steps).
enum SignUpReaction {
    case accepted(NativeAuth.SignUpProgress)
    /// The response is included for the steps at which it is a failure.
    case credentialRequired(Secret, WireError)

    /// The progress of a step after which no credential may be missing.
    var progress: NativeAuth.SignUpProgress {
        get throws(WireError) {
            switch self {
            case .accepted(let progress): return progress
            case .credentialRequired(_, let error): throw error
            }
        }
    }
}

extension Conversation {
    /// Requests the challenge for the next credential. If that is a code, the service sends it.
    mutating func signUpChallenge(_ token: Secret) async throws(WireError) -> ChallengeResponse {
        try await send(challengeForm(token), to: .signUpChallenge)
    }

    /// Requests a code. Every other challenge is an error.
    mutating func sendSignUpCode(_ token: Secret) async throws(WireError) -> (Secret, NativeAuth.CodeDelivery) {
        switch try await signUpChallenge(token) {
        case .code(let token, let delivery): return (token, delivery)
        case .password(.some): throw deadEnd(NativeAuthFailure.Text.passwordInsteadOfCode)
        case .password(nil), .unnamed: throw WireError(.unexpectedBody, correlationID: correlationID)
        }
    }

    /// Submits a code, a password, or attributes.
    ///
    /// - Throws: `WireError` for every response that does not advance the flow. Special errors with missing members
    ///   count as unreadable.
    mutating func continueSignUp(
        _ continuation: NativeAuth.Continuation,
        grant: String,
        parameter: Parameter,
        value: String
    ) async throws(WireError) -> SignUpReaction {
        var form = form(continuation.token)
        form.set(.grantType, to: grant)
        form.set(parameter, to: value)
        do throws(WireError) {
            let response: SignUpContinueResponse = try await send(form, to: .signUpContinue)
            let finished = NativeAuth.FinishedFlow(
                username: continuation.username,
                correlationID: correlationID,
                token: response.token
            )
            return .accepted(.completed(finished))
        } catch {
            switch error.refusal?.error {
            case "attributes_required":
                guard let token = error.continuationToken, let attributes = error.requiredAttributes,
                    !attributes.isEmpty
                else { throw error.incomplete }
                return .accepted(.attributesRequired(continuation.next(token, in: self), attributes))
            case "credential_required":
                guard let token = error.continuationToken else { throw error.incomplete }
                return .credentialRequired(token, error)
            default:
                throw error.isAboutAttributes && error.invalidAttributes == nil ? error.incomplete : error
            }
        }
    }
}
