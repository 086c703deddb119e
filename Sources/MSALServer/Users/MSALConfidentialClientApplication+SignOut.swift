// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase
import MSALCore

extension MSALConfidentialClientApplication {
    /// Deletes a user's tokens, in this process and in the shared store. For an unknown user, nothing happens.
    ///
    /// Another instance may return a token from its memory until ``MSALSharedCacheConfiguration/memoryAge`` has passed.
    /// Issued tokens stay valid until they expire. See ``signOutURL(homeAccountIdentifier:state:)``.
    ///
    /// - Throws: `.cacheUnavailable` if the shared store could not be reached. The tokens are nevertheless removed from
    ///   the memory of this process. End the browser's session, and retry in a moment.
    public func signOut(homeAccountIdentifier: String) async throws(MSALTokenError) {
        try await environment.logged { () async throws(MSALTokenError) in
            try await users.remove(userKey(homeAccountIdentifier))
        }
    }

    /// Does the same as ``signOut(homeAccountIdentifier:)``, but if the store cannot be reached, it logs a warning and
    /// does not throw.
    nonisolated(nonsending) public func removeTokens(homeAccountIdentifier: String) async {
        do throws(MSALTokenError) {
            try await signOut(homeAccountIdentifier: homeAccountIdentifier)
        } catch {
            await environment.logged(as: nil) {
                Log.warning("A user's tokens could not be removed everywhere: \(error.message)")
            }
        }
    }

    /// Drops this process's copies of a user's tokens if instances share them, so that the next call reads those that
    /// another instance has stored since.
    package func forgetSharedCopies(homeAccountIdentifier: String) {
        if shared(.users) != nil { userTokens.remove(userKey(homeAccountIdentifier)) }
    }

    /// Returns the URL of the service's page that ends a user's session in the browser (OpenID Connect RP-Initiated
    /// Logout).
    ///
    /// Get the URL first, then remove the user's tokens and the session, then redirect the browser. The service
    /// redirects the browser to the configuration's `postLogoutRedirectUri`, if set.
    ///
    /// - Parameters:
    ///   - homeAccountIdentifier: The user, so that the service does not have to ask which account to sign out.
    ///   - state: Text that the service returns with the browser.
    /// - Returns: The URL to redirect the browser to.
    /// - Throws: `.configuration` if the authority has no such page or the URL to return to is malformed; `.network` or
    ///   `.serviceUnavailable` if the authority's metadata cannot be read.
    public func signOutURL(
        homeAccountIdentifier: String? = nil,
        state: String? = nil
    ) async throws(MSALTokenError) -> URL {
        let correlationID = UUID.random()
        var returnAddress: String?
        if configuration.postLogoutRedirectUri != nil {
            returnAddress = try WebAddress.checked(
                configuration.postLogoutRedirectUri,
                named: "address after a sign-out"
            )
        }
        guard let endpoint = try await resolved(authority, correlationID: correlationID).endSessionEndpoint else {
            throw MSALTokenError(
                .configuration,
                message:
                    "The authority has no page that signs users out. Remove the tokens and the session; that signs "
                    + "the user out of this application.",
                correlationID: correlationID
            )
        }
        var query = FormBody()
        query.set(.postLogoutRedirectURI, to: returnAddress)
        query.set(.state, to: state)
        if let homeAccountIdentifier {
            let now = environment.time.wholeSeconds
            let user = userTokens.renewable(userKey(homeAccountIdentifier), at: now)?.user
            // `login_hint` is an optional claim that a registration can ask for. It exists for this purpose.
            query.set("logout_hint", to: user?.text("login_hint"))
        }
        // An issuer accepts the address to return to only with the client, or with an ID token (§2).
        if authority.kind == .oidc { query.set(.clientID, to: configuration.clientId) }
        query.merge(AuthorizationRequest.page(of: authority, correlationID: correlationID))
        return try WebAddress.built(query.appended(to: endpoint))
    }
}
