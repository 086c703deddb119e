// Licensed under the MIT License. See LICENSE.

package import MSALCore
package import MSALSupport

/// A token and what is known of it and its user.
package struct TokenResult: Sendable {
    /// Empty where the service gave an id token only.
    package var accessToken: Secret
    package var tokenType: String
    package var expiresOn: Date
    package var isExtendedLifetime = false
    package var scopes: ScopeSet
    package var holder: TokenHolder
    package var correlationID: UUID
    package var source: TokenSource
    /// `false` if the store could not be written: the next process must ask again.
    package var isPersisted = true
    /// Whether the id token's signature was checked for this result; what comes from the store is not checked again.
    package var isIDTokenSignatureVerified = false
}

extension TokenResult {
    package var idToken: Secret? { holder.idToken }
    package var account: AccountSnapshot { holder.account }
    /// The user as the token's tenant knows it.
    package var tenantProfile: TenantProfileSnapshot { holder.tenantProfile }
    /// To be used for later silent calls.
    package var authority: Authority { holder.authority }
}

/// The source of a token, and the reason for it.
package enum TokenSource: Sendable, Hashable {
    /// Held in the store and good enough.
    case cache
    /// Held in the store; a renewal was due and failed.
    case cacheAfterFailedRefresh
    case refresh(RefreshReason)
    case browser
    /// A sign-in in a browser elsewhere, with a code.
    case deviceCode
    /// A sign-in in the app's own interface.
    case native
    /// The identity broker of this machine. Its tokens are in memory only.
    case broker(asksUser: Bool)
}

/// Why a refresh token was spent.
package enum RefreshReason: Sendable, Hashable {
    case forced, claimsRequested, noAccessToken, accessTokenExpired, refreshDue
}

/// An account at one moment (docs/reference/Protocol.md#account-identity).
package struct AccountSnapshot: Sendable, Hashable {
    /// `<uid>.<utid>`, lower case.
    package var homeAccountID: String
    package var username: String
    package var environment: String
    /// The home tenant's id token; `nil` if it belongs to another client or is not there.
    package var idToken: Secret?
    package var tenantProfiles: [TenantProfileSnapshot] = []
    /// `client_info` as the service sent it, where it is known: it has the identifier's parts in their own case.
    package var clientInfo: String?
    /// Whether the identity broker of this machine signed the account in.
    package var isBrokers = false

    /// The claims of the home tenant's id token. They are decoded each time: few apps ask, and claims take more memory
    /// than the token.
    package var claims: IDTokenClaims? { idToken.flatMap { IDTokenClaims(compact: $0.exposed) } }

    package var reference: AccountReference {
        AccountReference(homeAccountID: homeAccountID, username: username, environment: environment)
    }
}

/// An account as one tenant knows it.
package struct TenantProfileSnapshot: Sendable, Hashable {
    /// The user's id in that tenant.
    package var identifier: String?
    package var tenantID: String?
    package var environment: String
    package var isHome: Bool
    /// The id token of that tenant, as this client received it.
    package var idToken: Secret?

    /// The claims of the id token, decoded each time.
    package var claims: IDTokenClaims? { idToken.flatMap { IDTokenClaims(compact: $0.exposed) } }
}
