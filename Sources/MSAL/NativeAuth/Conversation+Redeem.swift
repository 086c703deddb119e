// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

extension Conversation {
    /// Requests tokens and stores them, or requests the methods of the factor that is still missing.
    ///
    /// - Throws: `WireError` for every response that does not advance the flow.
    mutating func redeem(
        _ grant: NativeAuthGrant,
        for continuation: NativeAuth.Continuation
    ) async throws(WireError) -> NativeAuth.CredentialStep {
        let scopes = ScopeSet(continuation.scopes)
        var form = grant.sendsChallengeType ? challengeForm(continuation.token) : form(continuation.token)
        grant.fill(&form)
        form.set(.scope, to: scopes.union(.openID).text)
        form.set(.claims, to: continuation.claims)
        form.set(.clientInfo, to: "true")

        let members: [String: JSONValue]
        do throws(WireError) {
            members = try await post(form, to: .token)
        } catch {
            return try await furtherFactor(after: error, of: continuation)
        }
        if members["challenge_type"]?.string == "redirect" {
            let reason = WireError.Reason.redirect(members["redirect_reason"]?.string)
            throw WireError(reason, correlationID: correlationID, endpoint: .token)
        }
        do throws(AuthError) {
            let result = try await Log.lines(of: correlationID) { () async throws(AuthError) in
                try await client.store(
                    members,
                    scopes: scopes,
                    username: continuation.username,
                    correlationID: correlationID
                )
            }
            return .completed(result)
        } catch {
            var refused = WireError(
                .unexplained(nil),
                correlationID: correlationID,
                endpoint: .token,
                underlying: error
            )
            refused.serverError = NativeAuth.ServerError(members, status: 200)
            throw refused
        }
    }

    /// Handles errors that advance the flow: a factor is missing, and the service offers methods for it.
    private mutating func furtherFactor(
        after error: WireError,
        of continuation: NativeAuth.Continuation
    ) async throws(WireError) -> NativeAuth.CredentialStep {
        let needsFactor = error.isNamed("invalid_grant", suberror: "mfa_required")
        let needsMethod = error.isNamed("invalid_grant", suberror: "registration_required")
        guard needsFactor || needsMethod else { throw error }
        guard let token = error.continuationToken else { throw error.incomplete }
        let response: MethodsResponse = try await send(
            form(token),
            to: needsFactor ? .signInIntrospect : .registerIntrospect
        )
        return needsFactor
            ? .awaitingMFA(continuation.next(response.token, in: self), response.methods)
            : .registrationRequired(continuation.next(response.token, in: self), response.methods)
    }
}

extension NativeAuthClient {
    /// Validates and stores the tokens, which replace those of the previously signed-in account
    /// (docs/reference/NativeAuthentication.md#one-account).
    func store(
        _ members: [String: JSONValue],
        scopes: ScopeSet,
        username: String,
        correlationID: UUID
    ) async throws(AuthError) -> TokenResult {
        let response: TokenResponse
        do throws(TokenEndpoint.Failure) {
            response = try TokenEndpoint.tokens(of: members, receivedAt: tokens.platform.time.now)
        } catch {
            throw AuthError(error)
        }
        let authority = tokens.configuration.authorityRules.configured
        var request = TokenRequest(scopes: scopes.isEmpty ? .openID : scopes, correlationID: correlationID)
        request.keepsOneAccount = true
        return try await tokens.redeemer.accept(
            response,
            for: RedemptionContext(
                request: request,
                requestAuthority: authority,
                authority: authority,
                // A native sign-in makes no further request. If the metadata is in memory, the checks are stricter.
                resolved: tokens.authorities.heldResolution(of: authority),
                idTokenCheck: .refresh,
                account: AccountReference(homeAccountID: nil, username: username),
                source: .native
            )
        )
    }
}
