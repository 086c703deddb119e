// Licensed under the MIT License. See LICENSE.

package import MSALBase
import MSALCore

extension MSALConfidentialClientApplication {
    /// Acquires a token with a user's name and password (RFC 6749 §4.3).
    ///
    /// This flow exists for programs that migrate from other libraries. It fails for users with a second factor, users
    /// of a federated domain, and personal accounts. Neither the password nor the token is cached: each call sends a
    /// request to the service.
    ///
    /// - Parameters:
    ///   - scopes: The scopes of one resource.
    ///   - username: The sign-in name.
    ///   - password: The password.
    ///   - options: Other options of the call.
    /// - Returns: The access token.
    /// - Throws: `.interactionRequired` if the user has to do more, which this flow cannot offer: sign the user in with
    ///   the browser; or another error that the service returned.
    @available(*, deprecated, message: "Sign users in with the browser: authorizationRequest(_:)")
    public func acquireTokenByUsernamePassword(
        scopes: [String],
        username: String,
        password: String,
        options: MSALTokenOptions = MSALTokenOptions()
    ) async throws(MSALTokenError) -> MSALTokenResult {
        try await token(scopes: scopes, username: username, password: Secret(password), options: options)
    }

    /// The work of the method that is deprecated.
    @concurrent package func token(
        scopes: [String],
        username: String,
        password: Secret,
        options: MSALTokenOptions = MSALTokenOptions()
    ) async throws(MSALTokenError) -> MSALTokenResult {
        try await environment.observed(.password) { [self] () throws(MSALTokenError) in
            let token = try await environment.limited(to: options.timeout) { [self] () throws(MSALTokenError) in
                try await environment.logged(as: options.correlationID) { () throws(MSALTokenError) in
                    try await redeem(scopes: scopes, username: username, password: password, options: options)
                }
            }
            return MSALTokenResult(token, source: .service, reason: .noCachedToken)
        }
    }

    private func redeem(
        scopes: [String],
        username: String,
        password: Secret,
        options: MSALTokenOptions
    ) async throws(MSALTokenError) -> CachedAccessToken {
        let correlationID = options.correlationID ?? .random()
        let asked = ScopeSet(scopes)
        var form = try userForm("password", scopes: asked, options: options)
        form.set("username", to: username)
        form.set("password", to: password.exposed)
        let response = try await redeem(form, tenant: options.tenant, options: options, correlationID: correlationID)
        return try CachedAccessToken(
            response,
            scopes: asked.values,
            tenant: options.tenant ?? authority.tenant,
            correlationID: correlationID,
            environment: environment
        )
    }
}
