// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALCore

/// The checks of a request on behalf of a caller, before any traffic (docs/reference/Services.md#on-behalf-of).
package enum OnBehalfOfRequest {
    /// The requested scopes.
    ///
    /// - Throws: `.invalidScopes` if the list is empty, or if one of them is not a scope of an API.
    package static func scopes(
        _ scopes: [String],
        clientID: String,
        authority: Authority
    ) throws(MSALTokenError) -> ScopeSet {
        let checked = try UserScopes.checked(scopes, clientID: clientID, authority: authority)
        guard !checked.isEmpty else {
            throw MSALTokenError(
                .invalidScopes,
                message: "No scope was given. Give the scopes of one API, such as "
                    + "https://graph.microsoft.com/User.Read."
            )
        }
        return checked
    }

    /// The tenant of the request: the call's, or else the authority's, or else the incoming token's.
    ///
    /// - Throws: `.tenantRequired` if none of them names one; `.configuration` for an authority that has no such grant.
    package static func tenant(
        requested: String?,
        own: String?,
        of authority: Authority
    ) throws(MSALTokenError) -> String {
        guard ![.b2c, .oidc].contains(authority.kind) else {
            throw MSALTokenError(
                .configuration,
                message:
                    "\(authority.kind == .b2c ? "Azure AD B2C" : "The issuer \(authority)") does not issue tokens on behalf "
                    + "of users. Call the other API as the application."
            )
        }
        return try ClientCredentialsRequest.tenant(requested, orElse: own, of: authority)
    }

    /// Checks that the incoming token may be redeemed.
    ///
    /// - Throws: `.userAssertionIsApplication` if it belongs to an application; `.invalidAssertion` if it has expired.
    package static func check(_ incoming: IncomingToken, at now: Int64) throws(MSALTokenError) {
        guard !incoming.isApplication else {
            throw MSALTokenError(
                .userAssertionIsApplication,
                message: "The incoming token belongs to an application, not to a user. Call the "
                    + "other API with the application's own token: acquireTokenForClient(scopes:)."
            )
        }
        // The clocks of two servers may differ by some minutes, and the service's clock decides.
        let clockDifference = MSALConfidentialClientApplication.clockDifference
        guard incoming.expiresAt.map({ now < $0 + clockDifference }) ?? true else {
            throw MSALTokenError(
                .invalidAssertion,
                message:
                    "The incoming token has expired. Nothing was sent. Refuse the call, so that the caller comes "
                    + "with a new token; use a long-running session for work that outlives the token."
            )
        }
    }
}
