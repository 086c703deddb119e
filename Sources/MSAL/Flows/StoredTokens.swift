// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

/// The records of an account that a silent request needs. All of them belong to one state of the store.
struct StoredAccount: Sendable {
    /// The store's change counter, read before the records; `nil` if it could not be read.
    let counter: Int64?
    let version: AccountVersion
    var search: ResolvedSilentRequest
    /// The names of the cloud under which the records were looked up.
    let environments: [String]
    /// The token for the request, usable or not; `nil` also for a request that accepts no stored token.
    let hit: AccessTokenHit?
    /// The records that a refresh needs; read only if the token is not usable.
    let renewal: RenewalRecords?
}

/// Looks up what the store has for silent requests.
struct StoredTokens: Sendable {
    let cache: TokenCache
    let memory: ClientMemory
    let authorities: AuthorityResolver
    let time: any TimeSource
    let buffer: Duration
    let multipleCloudsSupported: Bool

    /// What the store has for a request.
    enum Lookup: Sendable {
        /// The account has not changed since this token was remembered.
        case remembered(ClientMemory.Token)
        case signedOut
        case found(StoredAccount)
    }

    /// Looks up everything that the request needs, in one transaction.
    ///
    /// `remembered`: What memory has for the request.
    /// `requestAuthority`: The authority that the request names, or else the configured one.
    func lookup(
        _ request: SilentRequest,
        homeAccountID: String,
        remembered: ClientMemory.Lookup,
        requestAuthority: Authority
    ) throws(AuthError) -> Lookup {
        try AuthError.ofStore { () throws(StoreError) in
            try cache.store.read { (store) throws(StoreError) -> Lookup in
                let version = try AccountVersion(of: homeAccountID, in: store)
                if let token = remembered.token, token.known.version == version, memory.state(of: token) == .usable {
                    if let counter = remembered.counter { token.known.confirm(at: counter) }
                    return .remembered(token)
                }
                let metadata = try store.accountMetadata(clientID: cache.clientID, homeAccountID: homeAccountID)
                if metadata?.signInState == .signedOut { return .signedOut }
                let maps =
                    multipleCloudsSupported
                    ? metadata?.instanceAwareAuthorityMap : metadata?.authorityMap
                let search = ResolvedSilentRequest(
                    request,
                    homeAccountID: homeAccountID,
                    requestAuthority: requestAuthority,
                    authority: requestAuthority.silentAuthority(
                        accountTenantID: request.account?.homeTenantID,
                        map: maps ?? [:]
                    )
                )
                return .found(try records(for: search, in: store, version: version, at: remembered.counter))
            }
        }
    }

    /// Looks up the same records again, for a request whose authority is known.
    ///
    /// - Throws: `.interactionRequired` if the account was signed out meanwhile; `.store`.
    func refetch(_ search: ResolvedSilentRequest) throws(AuthError) -> StoredAccount {
        let counter = try? cache.store.changeCounter()
        let account = try AuthError.ofStore { () throws(StoreError) in
            try cache.store.read { (store) throws(StoreError) -> StoredAccount? in
                let metadata = try store.accountMetadata(clientID: cache.clientID, homeAccountID: search.homeAccountID)
                if metadata?.signInState == .signedOut { return nil }
                let version = try AccountVersion(of: search.homeAccountID, in: store)
                return try records(for: search, in: store, version: version, at: counter)
            }
        }
        guard let account else { throw signedOut(search.homeAccountID) }
        return account
    }

    /// The failure of a request for an account that was signed out. Its tokens do not stay in memory.
    func signedOut(_ homeAccountID: String) -> AuthError {
        memory.forget(homeAccountID: homeAccountID)
        return AuthError(
            .interactionRequired,
            message: "The account was signed out of this app; ask the user to sign in."
        )
    }

    private func records(
        for search: ResolvedSilentRequest,
        in store: any TokenStoreReading,
        version: AccountVersion,
        at counter: Int64?
    ) throws(StoreError) -> StoredAccount {
        let environments = authorities.environments(for: search.authority).lookup
        let (homeAccountID, clientID) = (search.homeAccountID, cache.clientID)
        var hit: AccessTokenHit?
        if search.request.acceptsStoredToken {
            hit = try store.accessToken(
                for: query(search, environments: environments),
                clientID: clientID,
                now: time.now,
                buffer: buffer
            )
        }
        var renewal: RenewalRecords?
        if hit?.state != .usable {
            renewal = RenewalRecords(
                tokens: try store.refreshTokenCandidates(
                    homeAccountID: homeAccountID,
                    clientID: clientID,
                    environments: environments
                ),
                accounts: try store.accountRecords(RecordFilter(.account, homeAccountID: homeAccountID)),
                idTokens: try store.idTokens(RecordFilter(.idToken, homeAccountID: homeAccountID, clientID: clientID))
            )
        }
        return StoredAccount(
            counter: counter,
            version: version,
            search: search,
            environments: environments,
            hit: hit,
            renewal: renewal
        )
    }

    private func query(_ search: ResolvedSilentRequest, environments: [String]) -> AccessTokenQuery {
        let (identity, requestAuthority) = (search.request.identity, search.requestAuthority)
        /// Realms under which other libraries store the same token.
        let alternativeRealms: [String?] =
            switch search.authority.kind {
            case .aad: requestAuthority.tenantKind == .identifier ? [] : [requestAuthority.realm]
            // Without `/tfp` a B2C path begins with the tenant's domain, which MSAL Python takes for the realm.
            case .b2c, .ciam:
                [requestAuthority.realm, requestAuthority.address.segments.first, identity.account.homeTenantID]
            case .adfs, .oidc: []
            }
        return AccessTokenQuery(
            homeAccountID: search.homeAccountID,
            environments: environments,
            realm: search.authority.realm,
            alternativeRealms: alternativeRealms.compactMap(\.self),
            scopes: identity.scopes,
            tokenType: identity.tokenType,
            keyID: identity.keyID
        )
    }

    /// The result of a stored token.
    func result(from hit: AccessTokenHit, for search: ResolvedSilentRequest, source: TokenSource) -> TokenResult {
        let token = hit.token
        let (request, authority) = (search.request, search.authority)
        let granted = ScopeSet(parsing: token.target)
        let homeTenant = request.account?.homeTenantID?.lowercased()
        let isHome = token.realm.lowercased() == homeTenant
        // The claims are decoded only if a record lacks a value that they hold.
        func claims() -> IDTokenClaims? { hit.idToken.flatMap { IDTokenClaims(compact: $0.exposed) } }
        let username = hit.username ?? claims()?.username(isB2C: authority.kind == .b2c)
        let holder = TokenHolder(
            idToken: hit.idToken,
            account: AccountSnapshot(
                homeAccountID: token.homeAccountID,
                username: username ?? request.account?.username ?? "",
                environment: token.environment,
                idToken: isHome ? hit.idToken : nil,
                clientInfo: hit.clientInfo
            ),
            tenantProfile: TenantProfileSnapshot(
                identifier: hit.localAccountID ?? claims()?.localAccountID,
                tenantID: token.realm,
                environment: token.environment,
                isHome: isHome,
                idToken: hit.idToken
            ),
            authority: authority
        )
        return TokenResult(
            accessToken: token.secret,
            tokenType: request.token.tokenType,
            expiresOn: token.life.expiresOn,
            // Nearly always these are the scopes of the request, which are in memory already.
            scopes: granted == request.token.scopes ? request.token.scopes : granted,
            holder: holder,
            correlationID: request.token.correlationID,
            source: source
        )
    }
}
