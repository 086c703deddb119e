// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

extension MSALConfidentialClientApplication {
    /// Starts the sign-in of a user in a browser (OpenID Connect Core §3.1, RFC 6749 §4.1 with RFC 7636).
    ///
    /// ```swift
    /// let request = try await application.authorizationRequest(MSALWebSignInParameters(scopes: ["User.Read"]))
    /// // Keep `request` for this browser, and redirect it to `request.url`.
    /// ```
    ///
    /// - Returns: The request, with the URL for the browser. Keep it until the browser returns.
    /// - Throws: `.configuration` if the configuration has no usable redirect URI, or if the authority does not exist;
    ///   `.invalidScopes`; `.network` or `.serviceUnavailable` if the authority's metadata cannot be read.
    public func authorizationRequest(
        _ parameters: MSALWebSignInParameters
    ) async throws(MSALTokenError) -> MSALWebSignInRequest {
        let correlationID = parameters.correlationID ?? .random()
        let redirectURI = try WebAddress.checked(configuration.redirectUri, named: "redirect URI")
        let scopes = try UserScopes.checked(parameters.scopes, clientID: configuration.clientId, authority: authority)
        var options = MSALTokenOptions()
        options.claims = parameters.claims
        let claims = try options.claims(with: configuration.capabilities)
        let requested = try authority(ofTenant: parameters.tenant)
        let resolved = try await resolved(requested, correlationID: correlationID)

        let pkce = PKCE(random: environment.random)
        let secrets = MSALWebSignInRequest.Secrets(
            state: Secret(Base64URL.encode(environment.random(32))),
            nonce: Secret(Base64URL.encode(environment.random(32))),
            verifier: pkce.verifier
        )
        var request = AuthorizationRequest(
            clientID: configuration.clientId,
            authority: authority,
            state: secrets.state.exposed,
            nonce: secrets.nonce.exposed,
            pkce: pkce,
            correlationID: correlationID
        )
        request.scopes = scopes
        request.scopesToConsent = ScopeSet(parameters.extraScopesToConsent)
        request.loginHint = parameters.loginHint
        request.domainHint = parameters.domainHint
        request.ownParameters = [parameters.extraQueryParameters]
        request.responseMode =
            switch parameters.responseMode {
            case .formPost: .formPost
            case .query: .query
            }
        request.claims = claims
        request.prompt = parameters.prompt?.rawValue
        let url = request.url(at: resolved.authorizationEndpoint, redirectURI: redirectURI)
        return MSALWebSignInRequest(
            url: try WebAddress.built(url),
            scopes: scopes.values,
            correlationID: correlationID,
            secrets: secrets,
            client: MSALWebSignInRequest.Client(clientID: configuration.clientId, redirectURI: redirectURI),
            requested: MSALWebSignInRequest.RequestedValues(
                authority: requested.url,
                tenant: parameters.tenant,
                claims: parameters.claims,
                responseMode: parameters.responseMode
            ),
            begun: environment.time.wholeSeconds
        )
    }

    /// Completes the sign-in of a user: validates the response, redeems its code, validates the ID token, and caches
    /// the tokens under the user's home account identifier.
    ///
    /// Store the result's `homeAccountIdentifier` in the user's session. Pass each response only once, and delete the
    /// stored request before the call, because a code can be redeemed only once.
    ///
    /// - Parameters:
    ///   - response: The response that the browser sent.
    ///   - request: The request that the application kept for this browser.
    /// - Returns: The access token, with those scopes of the request that were granted, and the user.
    /// - Throws: `.invalidSignInResponse` if the response does not belong to the request, or the request is too old;
    ///   `.userCancelled`, `.consentRequired`, `.interactionRequired` or another error that the service returned;
    ///   `.invalidResponse` if the ID token is invalid. No tokens are cached in these cases.
    public func acquireToken(
        _ response: MSALWebSignInResponse,
        for request: MSALWebSignInRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        try await environment.observed(.authorizationCode) { () throws(MSALTokenError) in
            try await environment.logged(as: request.correlationID) { () throws(MSALTokenError) in
                try await redeemed(response, for: request)
            }
        }
    }

    @concurrent private func redeemed(
        _ response: MSALWebSignInResponse,
        for request: MSALWebSignInRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        // The state is checked first: an unsolicited response is not read, and no request is sent because of it.
        try reading(for: request) { () throws(RedirectResponse.Failure) in
            try RedirectResponse.check(state: response.state, expecting: request.secrets.state.exposed)
        }
        let requested = try check(request, of: response)
        let resolved = try await resolved(requested, correlationID: request.correlationID)
        let code = try reading(for: request) { () throws(RedirectResponse.Failure) in
            try RedirectResponse(afterStateOf: { response[$0] }) { iss in
                resolved.configuration.acceptsResponseIssuer(iss, authority: resolved.authority)
            }.code
        }
        let scopes = ScopeSet(request.scopes)
        var options = MSALTokenOptions()
        options.claims = request.requested.claims
        var form = try userForm("authorization_code", scopes: scopes, options: options)
        form.set(.code, to: code.exposed)
        form.set(.redirectURI, to: request.client.redirectURI)
        form.set(.codeVerifier, to: request.secrets.verifier.exposed)
        let tokens = try await redeem(
            form,
            tenant: requested.tenant,
            options: options,
            correlationID: request.correlationID,
            repetition: .unlessSent
        )
        let (token, user) = try await accept(
            tokens,
            checking: .full(nonce: request.secrets.nonce.exposed),
            scopes: scopes,
            authority: requested,
            resolved: resolved,
            correlationID: request.correlationID
        )
        guard !Task.isCancelled else { throw .cancellation }
        await users.signIn(
            user,
            as: userKey(user.homeAccountID),
            token: token,
            for: UserTokenCache.Query(realm: realm(of: requested, for: user.homeAccountID), scopes: scopes),
            refreshToken: tokens.refreshToken
        )
        return MSALTokenResult(token, source: .service, reason: .noCachedToken)
    }

    /// Compares the kept request with the configuration. A request from a cookie may be old or altered.
    private func check(
        _ request: MSALWebSignInRequest,
        of response: MSALWebSignInResponse
    ) throws(MSALTokenError) -> Authority {
        func fault(_ text: String) -> MSALTokenError {
            MSALTokenError(
                .invalidSignInResponse,
                message: "\(text) Start the sign-in again.",
                correlationID: request.correlationID
            )
        }
        let mode = request.requested.responseMode
        guard response.mode == mode else {
            throw fault("The response did not arrive in the requested response mode (\(mode.rawValue)).")
        }
        let now = environment.time.wholeSeconds
        guard (now - Self.maximumAge...now + Self.clockDifference).contains(request.begun) else {
            throw fault("The sign-in took longer than \(Self.maximumAge / 60) minutes.")
        }
        let requested = try authority(ofTenant: request.requested.tenant)
        guard request.client.clientID == configuration.clientId,
            request.client.redirectURI == configuration.redirectUri, request.requested.authority == requested.url
        else { throw fault("The sign-in was started with a different configuration.") }
        return requested
    }

    /// Runs a part of the core's reading of the response. Its failure becomes an error of this sign-in.
    private func reading<Value>(
        for request: MSALWebSignInRequest,
        _ body: () throws(RedirectResponse.Failure) -> Value
    ) throws(MSALTokenError) -> Value {
        do throws(RedirectResponse.Failure) {
            return try body()
        } catch {
            throw MSALTokenError(error, correlationID: request.correlationID)
        }
    }

    /// The seconds that a user may take to sign in.
    private static let maximumAge: Int64 = 3600
    /// The seconds by which the clocks of two servers may differ.
    package static let clockDifference: Int64 = 300
}

extension MSALConfidentialClientApplication {
    /// The configured authority, for another tenant if one is named.
    ///
    /// - Throws: `.configuration` if the authority has no tenant to replace, or if the name cannot be one.
    func authority(ofTenant tenant: String?) throws(MSALTokenError) -> Authority {
        guard let tenant else { return authority }
        let other = authority.replacingTenant(tenant)
        guard other.tenant?.caseInsensitiveCompare(tenant) == .orderedSame else {
            throw MSALTokenError(
                .configuration,
                message: "The authority \(authority) does not support the tenant \"\(tenant)\"."
            )
        }
        return other
    }
}
