// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension Conversation {
    /// Requests the challenge for the first or second factor. If that is a code, the service sends it.
    mutating func signInChallenge(
        _ token: Secret,
        method id: String? = nil
    ) async throws(WireError) -> ChallengeResponse {
        var form = challengeForm(token)
        form.set(.methodID, to: id)
        return try await send(form, to: .signInChallenge)
    }

    /// Requests a code. Every other challenge is an error.
    mutating func sendSignInCode(
        _ token: Secret,
        method id: String? = nil
    ) async throws(WireError) -> (Secret, NativeAuth.CodeDelivery) {
        switch try await signInChallenge(token, method: id) {
        case .code(let token, let delivery): return (token, delivery)
        case .password(.some): throw deadEnd(NativeAuthFailure.Text.passwordInsteadOfCode)
        case .password(nil): throw WireError(.unexpectedBody, correlationID: correlationID)
        case .unnamed: throw WireError(.unexpectedChallengeType, correlationID: correlationID)
        }
    }
}
