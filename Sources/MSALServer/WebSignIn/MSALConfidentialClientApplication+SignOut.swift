// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase
import MSALCore

extension MSALConfidentialClientApplication {
    /// Forgets the tokens of a user, here and for all instances that share them. For a user who is not known, nothing
    /// happens.
    ///
    /// Another instance may give out a token from its memory until ``MSALSharedCacheConfiguration/memoryAge`` has passed.
    /// Tokens that the service has given stay valid until their end. See ``signOutURL(homeAccountIdentifier:state:)``.
    ///
    /// - Throws: `.cacheUnavailable` if the store that the instances share was not reached. The tokens are removed here all
    ///   the same. End the session of the browser, and call again in a moment.
    public func signOut(homeAccountIdentifier: String) async throws(MSALTokenError) {
        try await environment.logged { () async throws(MSALTokenError) in
            try await users.remove(userKey(homeAccountIdentifier))
        }
    }

    /// Does the same as ``signOut(homeAccountIdentifier:)``. If the store is not reached, it writes a line to the log
    /// and does not throw.
    nonisolated(nonsending) public func removeTokens(homeAccountIdentifier: String) async {
        do throws(MSALTokenError) {
            try await signOut(homeAccountIdentifier: homeAccountIdentifier)
        } catch {
            await environment.logged(as: nil) {
                Log.warning("A user's tokens could not be removed everywhere: \(error.message)")
            }
        }
    }

    /// The page of the service that ends a user's session in the browser (OpenID Connect RP-Initiated Logout).
    ///
    /// Ask for it first, then remove the user's tokens and the session, then redirect the browser. The service returns the
    /// browser to the configuration's `postLogoutRedirectUri`, if there is one.
    ///
    /// - Parameters:
    ///   - homeAccountIdentifier: The user, so that the service need not ask which account to sign out.
    ///   - state: A text that returns with the browser.
    /// - Returns: The address to redirect the browser to.
    /// - Throws: `.configuration` if the authority has no such page or the address to return to is malformed; `.network` or
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
        query.merge(AuthorizationRequest.page(correlationID: correlationID))
        return try WebAddress.built(query.appended(to: endpoint))
    }
}
