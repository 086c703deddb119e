// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension Conversation {
    /// Asks for the first or second factor that the user has to give. If that is a code, the service sends it.
    mutating func signInChallenge(
        _ token: Secret,
        method id: String? = nil
    ) async throws(WireError) -> ChallengeResponse {
        var form = challengeForm(token)
        form.set(.methodID, to: id)
        return try await send(form, to: .signInChallenge)
    }

    /// Has a code sent. Every other challenge is an error.
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
