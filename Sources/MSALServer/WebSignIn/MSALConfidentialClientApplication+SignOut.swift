// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase
import MSALCore

extension MSALConfidentialClientApplication {
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
            // An optional claim of the registration, made for this.
            query.set("logout_hint", to: user?.text("login_hint"))
        }
        query.merge(AuthorizationRequest.page(correlationID: correlationID))
        return try WebAddress.built(query.appended(to: endpoint))
    }
}
