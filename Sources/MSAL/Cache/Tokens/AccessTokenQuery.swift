// Licensed under the MIT License. See LICENSE.

import MSALBase
package import MSALCore

/// The requirements for an access token. The key parts are normalized once, in the initializer.
package struct AccessTokenQuery: Sendable {
    let homeAccountID: String
    /// The requested host and its aliases, the preferred one first.
    let environments: [String]
    /// The tenant; `nil` accepts any.
    let realm: String?
    /// Further realms to search after `realm`: the tenant name of a tenantless authority
    /// (docs/reference/Cache.md#tenantless-realm), or the account's tenant ID for B2C and CIAM
    /// (docs/reference/Cache.md#realm-aliases).
    let alternativeRealms: [String]
    let scopes: ScopeSet
    /// `Bearer`, `Pop`, …; in lowercase.
    let tokenType: String
    /// The key that a bound token must name; compared exactly.
    let keyID: String?
    /// The key that distinguishes app-only tokens of one app and tenant; `nil` for tokens without one.
    var extendedKey: String?

    /// The scopes in lowercase. OpenID Connect's own scopes are omitted unless the request has no others.
    var wantedScopes: Set<String> {
        let own = scopes.subtracting(.openID)
        return own.isEmpty ? scopes.normalized : own.normalized
    }

    package init(
        homeAccountID: String,
        environments: [String],
        realm: String?,
        alternativeRealms: [String] = [],
        scopes: ScopeSet,
        tokenType: String = "Bearer",
        keyID: String? = nil
    ) {
        self.homeAccountID = homeAccountID.normalizedKey
        self.environments = environments.normalizedKeys
        self.realm = realm?.normalizedKey
        self.alternativeRealms = alternativeRealms.normalizedKeys
        self.scopes = scopes
        self.tokenType = tokenType.normalizedKey
        self.keyID = keyID
    }

    /// The rank of `realm` in the order of preference; lower is better.
    func rank(ofRealm realm: String) -> Int {
        guard let preferred = self.realm, preferred != realm else { return 0 }
        return (alternativeRealms.firstIndex(of: realm) ?? alternativeRealms.count) + 1
    }

    /// The filter for the records to read. ``accepts(_:)`` checks the rules that a filter cannot express.
    func filter(clientID: String) -> RecordFilter {
        RecordFilter(
            .accessToken,
            homeAccountID: homeAccountID,
            clientID: clientID,
            environments: environments,
            realms: realm.map { [$0] + alternativeRealms }
        )
        .with(.containing(wantedScopes))
    }

    /// Whether the token type and keys match. A token of a claims request never matches
    /// (docs/reference/Cache.md#requested-claims).
    func accepts(_ token: AccessTokenRecord) -> Bool {
        token.tokenType.normalizedKey == tokenType
            && (keyID.map { $0 == token.keyID } ?? (tokenType != "bearer" || token.keyID == nil))
            && token.extendedKey == extendedKey
            && token.claimsKey.isEmpty
    }
}

/// An access token from the cache, with the other values that a result needs.
package struct AccessTokenHit: Sendable {
    package typealias State = TokenLife.State

    package let token: AccessTokenRecord
    /// The ID token of the token's realm, if any.
    let idToken: Secret?
    /// The user's name, from the account record of the token's realm, otherwise of the home tenant, otherwise of any
    /// tenant. May be missing.
    let username: String?
    /// The user's ID in that record.
    let localAccountID: String?
    /// `client_info` in that record.
    let clientInfo: String?
    package let state: State

    init(_ token: AccessTokenRecord, state: State, idTokens: [IDTokenRecord], accounts: [AccountRecord]) {
        let own = idTokens.filter { $0.realm == token.realm }
        let account =
            accounts.first { $0.realm == token.realm } ?? accounts.first { $0.isHomeTenant } ?? accounts.first
        self.token = token
        self.state = state
        idToken = (own.first { $0.environment == token.environment } ?? own.first)?.secret
        username = account?.username
        localAccountID = account?.localAccountID
        clientInfo = account?.clientInfo
    }
}
