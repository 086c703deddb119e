// Licensed under the MIT License. See LICENSE.

/// What the token endpoint says to a password, a code or a finished flow (spec native-auth 3.5).
enum TokenVerdict: Sendable {
    case completed(TokenResult)
    case mfaRequired(Secret)
    case registrationRequired(Secret)
}

/// Why there are no tokens, in the classes that the operations tell apart.
struct TokenTrouble: Error {
    enum Kind: Sendable {
        case redirect
        /// The tokens came and cannot be accepted.
        case notFiled
        case invalidCode
        /// `invalid_grant` that only its numbers explain, and none that has a meaning here.
        case unexplainedGrant
        case userNotFound
        case invalidPassword
        case other
    }

    let kind: Kind
    /// The facts where no table takes some away.
    let facts: NativeAuth.Facts
}

extension TokenTrouble {
    /// Without text and codes.
    var bareFacts: NativeAuth.Facts {
        var facts = facts
        facts.message = nil
        facts.codes = []
        facts.errorURI = nil
        return facts
    }
}

/// How a user proves who they are (spec native-auth 2.4).
enum TokenProof: Sendable {
    case password(Secret, username: String)
    case code(Secret)
    case secondFactorCode(Secret)
    /// A flow that proved it already.
    case finishedFlow(username: String)
    case registration

    fileprivate func fill(_ form: inout FormBody) {
        switch self {
        case .password(let password, let username):
            form.set(.grantType, "password")
            form.set(.username, username)
            form.set(.password, password.exposed)
        case .code(let code):
            form.set(.grantType, "oob")
            form.set(.oneTimeCode, code.exposed)
        case .secondFactorCode(let code):
            form.set(.grantType, "mfa_oob")
            form.set(.oneTimeCode, code.exposed)
        case .finishedFlow(let username):
            form.set(.grantType, "continuation_token")
            form.set(.username, username)
        case .registration:
            form.set(.grantType, "continuation_token")
        }
    }

    /// Codes are redeemed without naming the ways to prove who one is.
    fileprivate var sendsChallengeType: Bool {
        switch self {
        case .password, .finishedFlow, .registration: true
        case .code, .secondFactorCode: false
        }
    }
}

extension Conversation {
    /// Asks for tokens and files those that come.
    ///
    /// - Throws: `TokenTrouble` for every answer that is no step forward.
    mutating func redeem(
        _ proof: TokenProof,
        _ continuation: NativeAuth.Continuation
    ) async throws(TokenTrouble) -> TokenVerdict {
        let wanted = ScopeSet(continuation.scopes)
        var form = proof.sendsChallengeType ? challengeForm(continuation.token) : form(continuation.token)
        proof.fill(&form)
        form.set(.scope, wanted.union(.openID).text)
        form.set(.claims, continuation.claims)
        form.set(.clientInfo, "true")

        let members: [String: JSONValue]
        do throws(Trouble) {
            members = try await send(form, to: .token)
        } catch {
            return try classify(error)
        }
        if members["challenge_type"]?.string == "redirect" {
            let redirect = Trouble(.redirect(members["redirect_reason"]?.string), correlationID)
            throw TokenTrouble(kind: .redirect, facts: redirect.facts)
        }
        do throws(AuthError) {
            let result = try await Log.lines(of: correlationID) { () async throws(AuthError) in
                try await file(members, wanted, username: continuation.username)
            }
            return .completed(result)
        } catch {
            var facts = NativeAuth.Facts(correlationID: correlationID)
            facts.underlying = error
            facts.serverError = NativeAuth.ServerError(members, status: 200)
            throw TokenTrouble(kind: .notFiled, facts: facts)
        }
    }

    /// Checks and stores the tokens in place of the account that was signed in before (spec native-auth 9.1).
    private func file(
        _ members: [String: JSONValue],
        _ scopes: ScopeSet,
        username: String
    ) async throws(AuthError) -> TokenResult {
        let client = client.tokens
        if let error = OAuthError(members: members) {
            throw AuthError(.tokenRefused(error), error.description ?? "The service refused: \(error.error).")
        }
        let authority = client.configuration.authority
        var request = TokenRequest(scopes: scopes.isEmpty ? .openID : scopes, correlationID: correlationID)
        request.keepsOneAccount = true
        return try await client.file(
            TokenAnswer(members: members, receivedAt: client.platform.time.now, serverDate: nil),
            Redemption(
                request: request,
                requestAuthority: authority,
                authority: authority,
                // Nothing is asked for a native sign-in; what is known already makes its checks stricter (decision P2).
                resolved: client.authorities.heldResolution(of: authority),
                idTokenCheck: .refresh,
                account: AccountReference(homeAccountID: nil, username: username),
                source: .native
            )
        )
    }

    /// The steps forward that come as errors, and the classes of the others.
    private func classify(_ trouble: Trouble) throws(TokenTrouble) -> TokenVerdict {
        guard let refusal = trouble.refusal else { throw TokenTrouble(kind: .other, facts: trouble.facts) }
        var facts = trouble.facts
        switch refusal.serverError.error {
        case "invalid_grant":
            return try classifyGrant(refusal, facts)
        case "invalid_request":
            if refusal.serverError.codes.contains(50142) {
                facts = trouble.facts(prefix: NativeAuth.Text.passwordChangeRequired)
            }
            throw TokenTrouble(kind: .other, facts: facts)
        case "user_not_found":
            throw TokenTrouble(kind: .userNotFound, facts: facts)
        default:
            throw TokenTrouble(kind: .other, facts: facts)
        }
    }

    private func classifyGrant(_ refusal: Refusal, _ facts: NativeAuth.Facts) throws(TokenTrouble) -> TokenVerdict {
        switch refusal.serverError.suberror {
        case "invalid_oob_value":
            throw TokenTrouble(kind: .invalidCode, facts: facts)
        case "mfa_required":
            if let token = refusal.continuationToken { return .mfaRequired(token) }
        case "registration_required":
            if let token = refusal.continuationToken { return .registrationRequired(token) }
        default:
            switch refusal.serverError.codes.first {
            case 50034: throw TokenTrouble(kind: .userNotFound, facts: facts)
            case 50126: throw TokenTrouble(kind: .invalidPassword, facts: facts)
            default: throw TokenTrouble(kind: .unexplainedGrant, facts: facts)
            }
        }
        // A further step without the token that leads to it counts as unreadable.
        var facts = facts
        facts.message = NativeAuth.Text.unexpectedBody
        facts.codes = []
        facts.errorURI = nil
        throw TokenTrouble(kind: .unexplainedGrant, facts: facts)
    }
}
