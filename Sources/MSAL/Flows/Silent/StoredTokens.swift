// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

/// The result of one read of the store for a silent request. All of it belongs to one state of the store.
enum SilentLook: Sendable {
    /// The account did not change since this token was remembered.
    case remembered(ClientMemory.Token)
    case signedOut
    case found(StoredAccount)
}

/// The records of an account that a silent request needs.
struct StoredAccount: Sendable {
    /// The store's change counter, read before the records; `nil` if it could not be read.
    let counter: Int64?
    let version: AccountVersion
    var search: SilentSearch
    /// The names of the cloud under which the records were looked for.
    let environments: [String]
    /// The token for the request, usable or not; `nil` also where none is wanted.
    let hit: AccessTokenHit?
    /// The records that a refresh needs; read only if the token is not usable.
    let renewal: RenewalRecords?
}

/// Finds what the store has for silent requests.
struct StoredTokens: Sendable {
    let cache: TokenCache
    let memory: ClientMemory
    let hits: SilentHits
    let authorities: AuthorityResolver
    let time: any TimeSource
    let buffer: Duration
    let multipleCloudsSupported: Bool

    /// Looks for everything that the request needs, in one transaction.
    ///
    /// `counter`: The store's change counter, read before.
    func look(
        for request: SilentRequest,
        identity: RequestIdentity,
        homeAccountID: String,
        base: Authority,
        at counter: Int64?
    ) throws(AuthError) -> SilentLook {
        let remembered = request.forceRefresh || identity.claims != nil ? nil : memory.token(for: identity)
        return try AuthError.ofStore { () throws(StoreError) in
            try cache.store.read { (store) throws(StoreError) -> SilentLook in
                let version = try AccountVersion(of: homeAccountID, in: store)
                if let remembered, remembered.known.version == version, hits.state(of: remembered) == .usable {
                    if let counter { remembered.known.confirm(at: counter) }
                    return .remembered(remembered)
                }
                let metadata = try store.accountMetadata(clientID: cache.clientID, homeAccountID: homeAccountID)
                if metadata?.signInState == .signedOut { return .signedOut }
                let maps =
                    multipleCloudsSupported
                    ? metadata?.instanceAwareAuthorityMap : metadata?.authorityMap
                let search = SilentSearch(
                    request: request,
                    identity: identity,
                    homeAccountID: homeAccountID,
                    base: base,
                    authority: base.silentAuthority(
                        accountTenantID: identity.account.homeTenantID,
                        map: maps ?? [:]
                    ),
                    reason: request.forceRefresh ? .forced : identity.claims == nil ? .noAccessToken : .claimsRequested
                )
                return .found(try records(for: search, in: store, version: version, at: counter))
            }
        }
    }

    /// Looks for the same records again, for a request whose authority is known.
    ///
    /// - Throws: `.interactionRequired` if the account was signed out meanwhile; `.store`.
    func lookAgain(for search: SilentSearch) throws(AuthError) -> StoredAccount {
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
        for search: SilentSearch,
        in store: any TokenStoreReading,
        version: AccountVersion,
        at counter: Int64?
    ) throws(StoreError) -> StoredAccount {
        let environments = authorities.environments(for: search.authority).lookup
        let (homeAccountID, clientID) = (search.homeAccountID, cache.clientID)
        var hit: AccessTokenHit?
        if search.mayBeServedFromStore {
            hit = try store.accessToken(
                for: search.query(environments),
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

    /// The result of a stored token.
    func result(
        from hit: AccessTokenHit,
        for search: SilentSearch,
        source: TokenSource
    ) -> TokenResult {
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
