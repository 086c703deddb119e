// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// An account at one moment (docs/reference/Protocol.md#account-identity).
package struct AccountSnapshot: Sendable, Hashable {
    /// `<uid>.<utid>`, lower case.
    package var homeAccountID: String
    package var username: String
    package var environment: String
    /// The home tenant's ID token; `nil` if it belongs to another client or is missing.
    var idToken: Secret?
    var tenantProfiles: [TenantProfileSnapshot] = []
    /// `client_info` as the service sent it, where it is known: it has the identifier's parts in their own case.
    var clientInfo: String?
    /// Whether the identity broker of this machine signed the account in.
    package var isBrokers = false

    /// The claims of the home tenant's ID token. They are decoded each time: few apps ask, and claims take more memory
    /// than the token.
    var claims: IDTokenClaims? { idToken.flatMap { IDTokenClaims(compact: $0.exposed) } }

    /// The `login_hint` claim of the home tenant's ID token, or else of another tenant's. It stands for the user without
    /// naming the user.
    var logoutHint: String? {
        ([claims] + tenantProfiles.map(\.claims)).lazy.compactMap { $0?["login_hint"]?.string }.first { !$0.isEmpty }
    }

    package var reference: AccountReference {
        AccountReference(homeAccountID: homeAccountID, username: username, environment: environment)
    }
}

/// An account as one tenant knows it.
package struct TenantProfileSnapshot: Sendable, Hashable {
    /// The user's ID in that tenant.
    package var identifier: String?
    package var tenantID: String?
    package var environment: String
    package var isHome: Bool
    /// The ID token of that tenant, as this client received it.
    var idToken: Secret?

    /// The claims of the ID token, decoded each time.
    var claims: IDTokenClaims? { idToken.flatMap { IDTokenClaims(compact: $0.exposed) } }
}

/// The account that a request is about: enough of an account to find its tokens.
package struct AccountReference: Sendable, Hashable {
    /// `<uid>.<utid>`, lower case.
    package var homeAccountID: String?
    package var username: String?
    package var environment: String?

    package init(homeAccountID: String?, username: String?, environment: String? = nil) {
        self.homeAccountID = homeAccountID
        self.username = username
        self.environment = environment
    }

    /// The tenant the account lives in: the part after the dot, if there is exactly one dot.
    package var homeTenantID: String? { part(1) }

    /// The user's object ID in the home tenant: the part before the dot, if there is exactly one dot.
    var homeObjectID: String? { part(0) }

    private func part(_ index: Int) -> String? {
        let parts = homeAccountID?.parts(at: UInt8(ascii: ".")) ?? []
        return parts.count == 2 ? String(parts[index]) : nil
    }

    /// Whether it identifies an account.
    var isNamed: Bool { homeAccountID?.isEmpty == false || username?.isEmpty == false }
}
