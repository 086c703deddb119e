// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport

/// What a silent request asks for. One stored token serves all requests of one identity.
///
/// Each step of a silent request compares something of it: the memory the whole, the lookup in the store what
/// `query` takes from it, the shared redemption and the throttle a ``RefreshKey``.
package struct RequestIdentity: Sendable, Hashable {
    var account: AccountReference
    /// The authority that the app named; `nil` for the configured one.
    var authority: Authority?
    var scopes: ScopeSet
    /// `nil` where the request asks for no claims.
    var claims: JSONValue?
    /// The key of a bound token; `nil` for bearer tokens.
    let keyID: String?
    let isAuthorityValidated: Bool

    init(
        account: AccountReference,
        authority: Authority? = nil,
        scopes: ScopeSet,
        claims: JSONValue? = nil,
        keyID: String? = nil,
        isAuthorityValidated: Bool = true
    ) {
        self.account = account
        self.authority = authority
        self.scopes = scopes
        self.claims = claims?.object?.isEmpty == true ? nil : claims
        self.keyID = keyID
        self.isAuthorityValidated = isAuthorityValidated
    }

    /// The type of the token on the wire and in the store.
    var tokenType: String { keyID == nil ? "Bearer" : "Pop" }

    /// Hashes what tells requests of one process apart; the rest is left to `==`.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(account.homeAccountID)
        hasher.combine(scopes)
        hasher.combine(authority?.address)
        hasher.combine(keyID)
    }
}

extension RequestIdentity {
    /// What the store is asked for such a request.
    ///
    /// `realms`: The tenant in which the token is wanted, if it is a certain one; and those that serve as well.
    func query(
        homeAccountID: String,
        environments: [String],
        realms: (wanted: String?, alternatives: [String])
    ) -> AccessTokenQuery {
        AccessTokenQuery(
            homeAccountID: homeAccountID,
            environments: environments,
            realm: realms.wanted,
            alternativeRealms: realms.alternatives,
            scopes: scopes,
            tokenType: tokenType,
            keyID: keyID
        )
    }
}
