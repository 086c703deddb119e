// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

extension MSALConfidentialClientApplication {
    /// Acquires a token of a user who signed in to this application: from the cache, or refreshed without the user.
    ///
    /// A cached token is returned without suspension, and without leaving the caller's actor.
    ///
    /// - Parameters:
    ///   - homeAccountIdentifier: The user, from the result of the sign-in. Read it from the user's browser session,
    ///     never from the content of a request.
    ///   - scopes: The scopes of one API, such as `User.Read`.
    ///   - options: Other options of the call.
    /// - Returns: The token and its source.
    /// - Throws: `.accountNotFound` if the cache has no tokens of the user, because the process was restarted or the
    ///   user was inactive for a long time; `.interactionRequired` and `.consentRequired` if the service requires the
    ///   user. In these cases, sign the user in again, with ``MSALTokenError/claims`` if present. `.cacheUnavailable`
    ///   if the user may be in the shared store, which could not be reached: do not sign the user in again, but retry
    ///   in a moment. `.network` or `.serviceUnavailable`, after which the call can be retried; or another error that
    ///   the service returned.
    nonisolated(nonsending) public func acquireTokenSilent(
        homeAccountIdentifier: String,
        scopes: [String],
        options: MSALTokenOptions = MSALTokenOptions()
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let scopes = try UserScopes.checked(scopes, clientID: configuration.clientId, authority: authority)
        let key = userKey(homeAccountIdentifier)
        let requested = try options.tenant.map { name throws(MSALTokenError) in try authority(ofTenant: name) }
        let realm = realm(of: requested ?? authority, for: key.homeAccountID)
        let query = UserTokenCache.Query(realm: realm, scopes: scopes, claims: options.claims)
        let now = environment.time.wholeSeconds
        let held = options.claims == nil ? userTokens.token(of: key, for: query, at: now) : nil
        if !options.forceRefresh, let held {
            let isRefreshDue = held.isRefreshDue(at: now)
            environment.instruments.countHit(.silent, isRefreshDue: isRefreshDue)
            if isRefreshDue {
                refresh(behind: held, for: UserCall(key: key, query: query, scopes: scopes, options: options))
            }
            return MSALTokenResult(held, source: .cache)
        }
        let call = UserCall(key: key, query: query, scopes: scopes, options: options)
        let reason = options.cacheBypassReason
        return try await environment.observed(.silent) { [self] () throws(MSALTokenError) in
            let fetched = try await environment.limited(to: options.timeout) { [self] () throws(MSALTokenError) in
                try await renewal(for: call, freshness: reason == nil ? .usable : .new)
            }
            if fetched.source == .cache { refresh(behind: fetched.token, for: call) }
            return MSALTokenResult(fetched, reason: reason ?? .noCachedToken)
        }
    }

    // MARK: - Renewal

    /// The token that a call asks for: of a user, or in a session.
    struct UserCall: Sendable {
        let key: UserTokenCache.Key
        let query: UserTokenCache.Query
        let scopes: ScopeSet
        var options = MSALTokenOptions()
        /// `nil` for a user, whose tenant is in the options.
        var sessionTenant: String?
    }

    func renewal(
        for call: UserCall,
        freshness: TieredUserTokenCache.Freshness
    ) async throws(MSALTokenError) -> FetchedToken {
        try await (call.sessionTenant == nil ? users : longRunning).renewal(
            of: call.query,
            for: call.key,
            freshness: freshness,
            correlationID: call.options.correlationID
        ) { [self] known, spent throws(MSALTokenError) in
            guard let tenant = call.sessionTenant else { return try await renewed(known, spending: spent, for: call) }
            return try await renewed(known, spending: spent, for: call, tenant: tenant)
        }
    }

    /// Fetches the successor of a token in the background, if it is due. The caller continues immediately.
    func refresh(behind token: CachedAccessToken, for call: UserCall) {
        guard token.isRefreshDue(at: environment.time.wholeSeconds) else { return }
        environment.refresh(
            behind: token,
            called: call.sessionTenant == nil ? "A user's token" : "A token of a session",
            observer: configuration.options.refreshObserver
        ) { [self] () throws(MSALTokenError) in
            let fetched = try await renewal(for: call, freshness: .successor(of: token))
            return MSALTokenResult(fetched.token, source: fetched.source)
        }
    }

    @concurrent private func renewed(
        _ known: UserTokenCache.Renewable,
        spending spent: Secret,
        for call: UserCall
    ) async throws(MSALTokenError) -> TieredUserTokenCache.Redeemed {
        let correlationID = call.options.correlationID ?? .random()
        let requested = userAuthority(try authority(ofTenant: call.options.tenant), for: call.key.homeAccountID)
        let response = try await redeem(
            refreshToken: spent,
            throttledBy: userTokens.throttling,
            as: call.query.throttlingKey(of: call.key),
            scopes: call.scopes,
            tenant: requested.tenant,
            options: call.options,
            correlationID: correlationID
        )
        let (token, _) = try await accept(
            response,
            checking: .refresh,
            of: known.user,
            scopes: call.scopes,
            authority: requested,
            // A refresh sends no further request for metadata (docs/reference/Protocol.md#id-token).
            resolved: environment.authorities.heldResolution(of: requested),
            correlationID: correlationID
        )
        let declined = call.scopes.declined(grantedBy: ScopeSet(token.scopes))
        let failure =
            declined.isEmpty
            ? nil
            : MSALTokenError(
                .consentRequired,
                message: "The service did not grant \(declined.text). Sign the user in with these scopes.",
                correlationID: correlationID
            )
        return TieredUserTokenCache.Redeemed(token: token, successor: response.refreshToken, failure: failure)
    }
}

extension MSALConfidentialClientApplication {
    var userTokens: UserTokenCache { configuration.cache.userTokens }

    /// The users in the memory, and in the store that instances share.
    var users: TieredUserTokenCache {
        TieredUserTokenCache(
            memory: userTokens,
            shared: shared(.users),
            environment: environment,
            missing: {
                MSALTokenError(
                    .accountNotFound,
                    message: "The cache has no tokens of this user. Sign the user in again."
                )
            },
            exhausted: {
                MSALTokenError(
                    .interactionRequired,
                    message: "There is no refresh token for this user. Sign the user in again."
                )
            },
            forgetsDeletedUsers: true
        )
    }

    /// Users or sessions in the store that instances share, if they are shared.
    func shared(_ kind: MSALSharedCacheConfiguration.Kind) -> SharedUserStore? {
        configuration.cache.shared(kind).map {
            SharedUserStore(
                store: $0,
                kind: kind,
                environment: cacheHost,
                clientID: configuration.clientId,
                leaseTime: environment.requestTimeout + .seconds(5)
            )
        }
    }

    func userKey(_ homeAccountID: String) -> UserTokenCache.Key {
        UserTokenCache.Key(client: partition, homeAccountID: homeAccountID)
    }

    /// The authority for a user's tokens: the authority of the sign-in, or the user's own tenant if that authority
    /// covers many tenants (docs/reference/Protocol.md#silent-authority).
    func userAuthority(_ authority: Authority, for homeAccountID: String) -> Authority {
        let tenant = homeAccountID.split(separator: ".").last.map(String.init)
        return authority.silentAuthority(accountTenantID: tenant, map: [:])
    }

    /// The name of the tenant in the memory.
    func realm(of authority: Authority, for homeAccountID: String) -> String {
        userAuthority(authority, for: homeAccountID).realm ?? ""
    }
}

/// The scopes of a user's token (docs/reference/Silent.md#scopes).
enum UserScopes {
    /// - Throws: `.invalidScopes` for scopes that the library adds itself, for the client ID as a scope, and for too
    ///   many scopes.
    static func checked(_ scopes: [String], clientID: String, authority: Authority) throws(MSALTokenError) -> ScopeSet {
        func fault(_ text: String) -> MSALTokenError { MSALTokenError(.invalidScopes, message: text) }
        let set = ScopeSet(scopes)
        guard !set.values.contains(where: ScopeSet.openID.values.contains) else {
            throw fault("The library adds openid, profile and offline_access itself. Leave them out.")
        }
        guard authority.kind == .b2c || !set.values.contains(clientID) else {
            throw fault("The client ID is not a scope here. Specify the scopes of an API, such as User.Read.")
        }
        guard set.values.count <= ScopeSet.most else { throw fault("There are more than \(ScopeSet.most) scopes.") }
        return set
    }
}
