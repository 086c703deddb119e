// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// A silent request of a known account, on its way to the store, to a refresh or to the identity broker.
struct SilentSearch: Sendable {
    let request: SilentRequest
    let identity: RequestIdentity
    let homeAccountID: String
    /// The authority as the app named it. Later requests with it find the authority of the result.
    let base: Authority
    /// The authority that is asked, with the account's tenant put in.
    let authority: Authority
    /// The reason why the store alone cannot serve the request, as far as it is known.
    var reason: RefreshReason

    /// Whether a stored token is good enough, if there is one.
    var mayBeServedFromStore: Bool {
        switch reason {
        case .forced, .claimsRequested: false
        case .noAccessToken, .accessTokenExpired, .refreshDue: true
        }
    }

    /// Realms under which other libraries store the same token.
    var alternativeRealms: [String] {
        switch authority.kind {
        case .aad:
            base.tenantKind == .identifier ? [] : [base.realm].compactMap(\.self)
        case .b2c, .ciam:
            // Without `/tfp` a B2C path begins with the tenant's domain, which MSAL Python takes for the realm.
            [base.realm, base.address.segments.first, identity.account.homeTenantID].compactMap { $0?.lowercased() }
        case .adfs, .oidc:
            []
        }
    }

    /// The query for the store.
    ///
    /// `environments`: The names of the authority's cloud.
    func query(_ environments: [String]) -> AccessTokenQuery {
        identity.query(
            homeAccountID: homeAccountID,
            environments: environments,
            realms: (authority.realm, alternativeRealms)
        )
    }
}
