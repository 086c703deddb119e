// Licensed under the MIT License. See LICENSE.

extension NativeAuthClient {
    /// A token for the signed-in user: from the store, or by spending the refresh token (spec native-auth 9.4).
    ///
    /// - Throws: `.general`, whatever happened, with the text and codes of the innermost error.
    package func accessToken(
        _ request: NativeAuth.AccessTokenRequest
    ) async throws(NativeAuth.AccessTokenFailure) -> NativeAuth.AccessToken {
        var token = TokenRequest(scopes: ScopeSet(request.scopes), correlationID: request.correlationID)
        token.claims = request.claims
        token.keepsOneAccount = true
        var silent = SilentRequest(token: token, account: request.account)
        silent.forceRefresh = request.forceRefresh
        do throws(AuthError) {
            let result = try await tokens.acquireSilently(silent)
            let refreshToken = request.wantsRefreshToken ? refreshToken(of: request.account) : nil
            return NativeAuth.AccessToken(result: result, refreshToken: refreshToken)
        } catch {
            throw NativeAuthFailure(.general, .nothing, facts(error, request.correlationID))
        }
    }

    /// The refresh token in the store; `nil` also if the store cannot be read, which must not cost the access token.
    private func refreshToken(of account: AccountReference) -> Secret? {
        guard let homeAccountID = account.homeAccountID else { return nil }
        let environments = tokens.authorities.environments(for: tokens.configuration.authority).lookup
        do {
            return try tokens.cache.refreshTokens(homeAccountID: homeAccountID, environments: environments).app?.secret
        } catch {
            Log.warning("The refresh token could not be read; the result goes without: \(error.message)")
            return nil
        }
    }

    private func facts(_ error: AuthError, _ correlationID: UUID) -> NativeAuth.Facts {
        var innermost = error
        while let underlying = innermost.underlying { innermost = underlying }
        var facts = NativeAuth.Facts(correlationID: correlationID)
        facts.underlying = error
        facts.message = innermost.message
        guard let oauth = innermost.oauth else { return facts }
        facts.codes = oauth.codes
        facts.serverError = oauth.status.map { NativeAuth.ServerError(oauth, status: $0) }
        if oauth.codes.contains(50076) {
            facts.message = NativeAuth.Text.mfaRequired + innermost.message
        } else if oauth.codes.contains(50142) {
            facts.message = NativeAuth.Text.passwordChangeRequired + innermost.message
        }
        return facts
    }
}

extension NativeAuth.ServerError {
    /// What the token endpoint said to a refresh token.
    fileprivate init(_ error: OAuthError, status: Int) {
        self.init(
            status: status,
            error: error.error,
            suberror: error.suberror,
            description: error.description,
            codes: error.codes,
            traceID: error.traceID,
            timestamp: error.timestamp,
            correlationID: error.correlationID?.uuidString
        )
    }
}
