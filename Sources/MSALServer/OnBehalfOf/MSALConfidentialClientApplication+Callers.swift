// Licensed under the MIT License. See LICENSE.

import MSALBase

extension MSALConfidentialClientApplication {
    /// A token of another API, on behalf of the user whose token came in (Microsoft identity platform, "OAuth 2.0 On-Behalf-Of
    /// flow").
    ///
    /// A token from the memory is returned without a suspension, and without leaving the caller's actor. It serves the same
    /// incoming token only, and never beyond the end of that token.
    ///
    /// - Parameters:
    ///   - token: The token that the request carried, which was checked.
    ///   - scopes: The scopes of one API, such as `https://graph.microsoft.com/User.Read`.
    ///   - options: The other wishes of the call.
    /// - Returns: The token and where it came from. Its `idTokenClaims` are `oid` and `tid` of the incoming token.
    /// - Throws: `.userAssertionIsApplication`, `.invalidScopes` or `.tenantRequired` before any request;
    ///   `.invalidAssertion` if the incoming token is not valid, or has expired: refuse the caller's request;
    ///   `.interactionRequired` or `.consentRequired` if the user has to do more: throw ``MSALClaimsChallenge`` with
    ///   the error. Also `.network`, `.serviceUnavailable`, after which the call can be repeated, and the other
    ///   refusals of the service.
    nonisolated(nonsending) public func acquireTokenOnBehalfOf(
        _ token: MSALValidatedToken,
        scopes: [String],
        options: MSALTokenOptions = MSALTokenOptions()
    ) async throws(MSALTokenError) -> MSALTokenResult {
        try await self.token(onBehalfOf: IncomingToken(token), scopes: scopes, options: options)
    }

    /// Begins work that goes on for a user after the incoming token has ended.
    ///
    /// The service is always asked. A session of the same user that has the key already begins anew.
    ///
    /// - Parameters:
    ///   - token: The token that the request carried, which was checked.
    ///   - scopes: The scopes of one API.
    ///   - session: A key of the application's own, which nobody can guess. `nil` makes one.
    /// - Returns: The first token, and the key under which the session goes on.
    /// - Throws: As ``acquireTokenOnBehalfOf(_:scopes:options:)``; `.sessionNotFound` if the key is that of another user's
    ///   session.
    public func startLongRunning(
        _ token: MSALValidatedToken,
        scopes: [String],
        session: MSALSessionKey? = nil
    ) async throws(MSALTokenError) -> MSALLongRunningStart {
        try await longRunningStart(onBehalfOf: IncomingToken(token), scopes: scopes, session: session)
    }

    /// A token in a long-running session: from the memory, or renewed without the user.
    ///
    /// - Parameters:
    ///   - session: The key of the session. Take it from the application's own records.
    ///   - user: Who asks, if a user does. The session must be this user's.
    ///   - scopes: The scopes of one API.
    /// - Returns: The token and where it came from.
    /// - Throws: `.sessionNotFound` if no session of this user and application has the key: begin a new one;
    ///   `.interactionRequired` or `.consentRequired` if the service wants the user; `.cacheUnavailable` if the session may
    ///   be in the store that the instances share, and it was not reached: call again in a moment. Also `.network`,
    ///   `.serviceUnavailable` and the other refusals of the service.
    nonisolated(nonsending) public func acquireToken(
        inLongRunning session: MSALSessionKey,
        of user: MSALPrincipal? = nil,
        scopes: [String]
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let owner = user.map { SessionOwner(tenant: $0.tenant, objectID: $0.kind == .application ? nil : $0.objectId) }
        return try await token(inLongRunning: session, of: owner, scopes: scopes)
    }
}
