// Licensed under the MIT License. See LICENSE.

extension MSALConfidentialClientApplication {
    /// Acquires a token for another API on behalf of the user of the incoming token (Microsoft identity platform,
    /// "OAuth 2.0 On-Behalf-Of flow").
    ///
    /// A cached token is returned without suspension, and without leaving the caller's actor. It is used only for the
    /// same incoming token, and never after that token has expired.
    ///
    /// - Parameters:
    ///   - token: The validated token of the request.
    ///   - scopes: The scopes of one API, such as `https://graph.microsoft.com/User.Read`.
    ///   - options: Other options of the call.
    /// - Returns: The token and its source. Its `idTokenClaims` are `oid` and `tid` of the incoming token.
    /// - Throws: `.userAssertionIsApplication`, `.invalidScopes` or `.tenantRequired` before any request is sent;
    ///   `.invalidAssertion` if the incoming token is invalid or has expired: reject the caller's request;
    ///   `.interactionRequired` or `.consentRequired` if the user has to act: throw ``MSALClaimsChallenge`` with the
    ///   error; `.network` or `.serviceUnavailable`, after which the call can be retried; or another error that the
    ///   service returned.
    nonisolated(nonsending) public func acquireTokenOnBehalfOf(
        _ token: MSALValidatedToken,
        scopes: [String],
        options: MSALTokenOptions = MSALTokenOptions()
    ) async throws(MSALTokenError) -> MSALTokenResult {
        try await self.token(onBehalfOf: IncomingToken(token), scopes: scopes, options: options)
    }

    /// Starts a session for work that continues for a user after the incoming token has expired.
    ///
    /// It always sends a request to the service. An existing session of the same user with this key is restarted.
    ///
    /// - Parameters:
    ///   - token: The validated token of the request.
    ///   - scopes: The scopes of one API.
    ///   - session: An unguessable key that the application chose. `nil` generates one.
    /// - Returns: The first token, and the key of the session.
    /// - Throws: The errors of ``acquireTokenOnBehalfOf(_:scopes:options:)``; `.sessionNotFound` if the key belongs to
    ///   another user's session.
    public func startLongRunning(
        _ token: MSALValidatedToken,
        scopes: [String],
        session: MSALSessionKey? = nil
    ) async throws(MSALTokenError) -> MSALLongRunningStart {
        try await longRunningStart(onBehalfOf: IncomingToken(token), scopes: scopes, session: session)
    }

    /// Acquires a token in a long-running session: from the cache, or refreshed without the user.
    ///
    /// - Parameters:
    ///   - session: The key of the session, from the application's own records.
    ///   - user: The user who made the request, if any. The session must belong to this user.
    ///   - scopes: The scopes of one API.
    /// - Returns: The token and its source.
    /// - Throws: `.sessionNotFound` if no session of this user and application has the key: start a new one;
    ///   `.interactionRequired` or `.consentRequired` if the service requires the user; `.cacheUnavailable` if the
    ///   session may be in the shared store, which could not be reached: retry in a moment; `.network` or
    ///   `.serviceUnavailable`, after which the call can be retried; or another error that the service returned.
    nonisolated(nonsending) public func acquireToken(
        inLongRunning session: MSALSessionKey,
        of user: MSALPrincipal? = nil,
        scopes: [String]
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let owner = user.map { SessionOwner(tenant: $0.tenant, objectID: $0.kind == .application ? nil : $0.objectId) }
        return try await token(inLongRunning: session, of: owner, scopes: scopes)
    }
}
