// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

extension NativeAuthClient {
    /// Returns a token for the signed-in user, from the store or by redeeming the refresh token
    /// (docs/reference/NativeAuthentication.md#access-token).
    ///
    /// - Throws: Always `.general`, with the text and codes of the innermost error.
    func accessToken(
        _ request: NativeAuth.AccessTokenRequest
    ) async throws(NativeAuthFailure) -> NativeAuth.AccessToken {
        var token = TokenRequest(scopes: ScopeSet(request.scopes), correlationID: request.correlationID)
        token.claims = request.claims
        token.keepsOneAccount = true
        let silent = SilentRequest(token: token, account: request.account, forceRefresh: request.forceRefresh)
        do throws(AuthError) {
            let result = try await tokens.silent.acquire(silent)
            let refreshToken = request.wantsRefreshToken ? refreshToken(of: request.account) : nil
            return NativeAuth.AccessToken(result: result, refreshToken: refreshToken)
        } catch {
            throw failure(error, correlationID: request.correlationID)
        }
    }

    /// The stored refresh token; also `nil` if the store cannot be read, which must not cost the access token.
    private func refreshToken(of account: AccountReference) -> Secret? {
        guard let homeAccountID = account.homeAccountID else { return nil }
        let environments = tokens.authorities.environments(for: tokens.configuration.authorityRules.configured).lookup
        do {
            return try tokens.cache.refreshTokens(homeAccountID: homeAccountID, environments: environments).app?.secret
        } catch {
            Log.warning("The refresh token could not be read and is missing from the result: \(error.message)")
            return nil
        }
    }

    /// The failure, with the text and the codes of the innermost error.
    private func failure(_ error: AuthError, correlationID: UUID) -> NativeAuthFailure {
        var innermost = error
        while let underlying = innermost.underlying { innermost = underlying }
        let failure = NativeAuthFailure(
            .general,
            message: innermost.message,
            correlationID: correlationID,
            underlying: error
        )
        guard let oauth = innermost.oauth else { return failure }
        var refused = failure
        refused.codes = oauth.codes
        refused.serverError = oauth.status.map { NativeAuth.ServerError(oauth, status: $0) }
        if oauth.codes.contains(50076) { return refused.prefixed(NativeAuthFailure.Text.mfaRequired) }
        if oauth.codes.contains(50142) { return refused.prefixed(NativeAuthFailure.Text.passwordChangeRequired) }
        return refused
    }
}

extension NativeAuth.ServerError {
    /// The token endpoint's error for a refresh token.
    fileprivate init(_ error: OAuthError, status: Int) {
        self.status = status
        self.error = error.error
        suberror = error.suberror
        description = error.description
        codes = error.codes
        traceID = error.traceID
        timestamp = error.timestamp
        correlationID = error.correlationID?.uuidString
    }
}
