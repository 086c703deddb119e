// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport
import SealedStore

extension TokenClient {
    /// Renews the token with the app's refresh tokens, then with the family's.
    func refresh(_ search: SilentSearch) async throws(AuthError) -> TokenResult {
        let ticket = refreshes.ticket()
        let environments = authorities.environments(for: search.authority).lookup
        guard var token = try candidates(of: search, in: environments).first else {
            throw AuthError(
                .interactionRequired,
                message: "Nothing is stored that could renew this account's token; ask the user to sign in."
            )
        }
        let resolved = try await resolve(search.authority, correlationID: search.request.token.correlationID)
        try checkCloud(of: resolved, for: search.authority)

        var tried: Set<Secret> = []
        while true {
            tried.insert(token.secret)
            do {
                return try await redeemShared(token, for: search, at: resolved, ticket: ticket)
            } catch {
                guard isRecoverable(error) else { throw error }
                // Read again: the failure may have changed what this client may use.
                guard error.oauth?.hasSuberror("user_account_deleted") != true, tried.count < Self.maximumAttempts,
                    let other = try candidates(of: search, in: resolved.lookupEnvironments)
                        .first(where: { !tried.contains($0.secret) })
                else { throw interactionRequired(after: error) }
                token = other
            }
        }
    }

    /// The number of refresh tokens of one account that are tried. No honest store has more than the client's own and
    /// the family's, each under two names of a cloud.
    private static let maximumAttempts = 4

    private func candidates(
        of search: SilentSearch,
        in environments: [String]
    ) throws(AuthError) -> [RefreshTokenRecord] {
        try stored { () throws(StoreError) in
            try cache.refreshTokenCandidates(homeAccountID: search.homeAccountID, environments: environments)
        }
    }

    /// A refresh token is never sent to another cloud (docs/reference/Protocol.md#other-clouds).
    private func checkCloud(of resolved: ResolvedAuthority, for authority: Authority) throws(AuthError) {
        guard authority.kind == .aad, let endpoint = AuthorityAddress(resolved.tokenEndpoint)?.environment else {
            return
        }
        let isKnown = resolved.lookupEnvironments.contains { $0.lowercased() == endpoint }
        guard isKnown || authority.environment == endpoint else {
            throw AuthError(
                .interactionRequired,
                message:
                    "The token endpoint \(endpoint) belongs to another cloud than the account; ask the user to sign in."
            )
        }
    }

    private func redeemShared(
        _ token: RefreshTokenRecord,
        for search: SilentSearch,
        at resolved: ResolvedAuthority,
        ticket: UInt64
    ) async throws(AuthError) -> TokenResult {
        let key = key(of: token, for: search, at: resolved)
        return try await refreshes.run(key, startedAfter: search.request.forceRefresh ? ticket : nil) {
            do throws(AuthError) {
                return .success(try await redeemOnce(token, for: search, at: resolved))
            } catch {
                return .failure(error)
            }
        }
    }

    private func key(
        of token: RefreshTokenRecord,
        for search: SilentSearch,
        at resolved: ResolvedAuthority
    ) -> RefreshKey {
        RefreshKey(
            search.identity,
            homeAccountID: search.homeAccountID,
            authority: search.authority,
            endpoint: resolved.tokenEndpoint,
            clientID: configuration.clientID,
            refreshToken: token.secret,
            isForced: search.request.forceRefresh,
            queryParameters: search.request.token.extraQueryParameters
        )
    }

    /// Redeems the token when no other flight or process is redeeming it. Returns the stored token if one of them
    /// already fetched it.
    private func redeemOnce(
        _ token: RefreshTokenRecord,
        for search: SilentSearch,
        at resolved: ResolvedAuthority
    ) async throws(AuthError) -> TokenResult {
        let holder = UUID().uuidString
        var wait = LeaseWait()
        while true {
            // Read before the lookup, so that a change after the lookup ends the wait.
            let seen = changeCounter()
            if let result = try storedMeanwhile(search) { return result }
            let current = try currentToken(insteadOf: token, for: search, at: resolved)
            switch lease(for: current, holder: holder, over: wait.abandoned) {
            case .taken(let lease):
                defer { release(lease) }
                // The previous holder may have stored its token between the lookup and the lease.
                if let result = try storedMeanwhile(search) { return result }
                return try await spend(
                    try currentToken(insteadOf: token, for: search, at: resolved),
                    for: search,
                    at: resolved
                )
            case .held(let lease):
                do {
                    try await wait.wait(for: lease, by: platform.time, until: { changeCounter() != seen })
                } catch {
                    throw .canceledCall
                }
            case nil:
                return try await spend(current, for: search, at: resolved)
            }
        }
    }

    /// The token that another flight stored between this call's lookup and now, if it is good enough.
    private func storedMeanwhile(_ search: SilentSearch) throws(AuthError) -> TokenResult? {
        guard search.mayBeServedFromStore, let hit = try lookUp(search), hit.state == .usable else { return nil }
        return result(from: hit, for: search, source: .cache)
    }

    /// The stored token that replaces `token`, because another flight may have rotated it.
    private func currentToken(
        insteadOf token: RefreshTokenRecord,
        for search: SilentSearch,
        at resolved: ResolvedAuthority
    ) throws(AuthError) -> RefreshTokenRecord {
        let held = try candidates(of: search, in: resolved.lookupEnvironments)
        if held.contains(where: { $0.secret == token.secret }) { return token }
        return held.first { ($0.familyID == nil) == (token.familyID == nil) } ?? token
    }

    /// `nil` if the store cannot be written. The call goes on without a lease, which is only advisory.
    private func lease(for token: RefreshTokenRecord, holder: String, over abandoned: RefreshLease?) -> LeaseOutcome? {
        do {
            return try cache.takeLease(for: token, holder: holder, now: platform.time.now, over: abandoned)
        } catch {
            Log.verbose("No lease could be taken: \(error.message)")
            return nil
        }
    }

    /// The store's counter of changes; `nil` if the store cannot be read.
    private func changeCounter() -> Int64? {
        do {
            return try cache.store.changeCounter()
        } catch {
            return nil
        }
    }

    private func release(_ lease: RefreshLease) {
        do {
            try cache.release(lease)
        } catch {
            // The lease expires by itself.
            Log.verbose("A lease could not be given back: \(error.message)")
        }
    }

    private func spend(
        _ token: RefreshTokenRecord,
        for search: SilentSearch,
        at resolved: ResolvedAuthority
    ) async throws(AuthError) -> TokenResult {
        let key = key(of: token, for: search, at: resolved).ofAnyRepetition
        let remembered = throttle.failure(for: key, now: platform.time.now) ?? pausedFailure(for: key)
        if let failure = remembered {
            var meaning = failure.namingProtectedAccount(search.homeAccountID)
            meaning.isThrottled = true
            throw meaning
        }

        var request = search.request.token
        request.claims = search.identity.claims
        do {
            return try await redeem(
                RefreshTokenGrant(refreshToken: token.secret, redirectURI: configuration.redirectURI.text),
                for: Redemption(
                    request: request,
                    requestAuthority: search.base,
                    authority: search.authority,
                    resolved: resolved,
                    idTokenCheck: .refresh,
                    account: search.request.account,
                    redeemed: token,
                    source: .refresh(search.reason)
                )
            )
        } catch {
            throttle.remember(error, for: key, now: platform.time.now)
            keepPause(after: error, for: key)
            applyEffects(of: error, on: token, for: search, at: resolved)
            throw error.namingProtectedAccount(search.homeAccountID)
        }
    }

    /// What a refusal changes in the store (docs/reference/Silent.md#refusals).
    private func applyEffects(
        of error: AuthError,
        on token: RefreshTokenRecord,
        for search: SilentSearch,
        at resolved: ResolvedAuthority
    ) {
        guard let oauth = error.oauth, oauth.isNamed("invalid_grant") else { return }
        do throws(StoreError) {
            if oauth.hasSuberror("bad_token") {
                try cache.remove(token)
            } else if oauth.hasSuberror("user_account_deleted") {
                try cache.removeAccountOfDeletedUser(homeAccountID: search.homeAccountID)
            } else if oauth.hasSuberror("client_mismatch"), token.familyID != nil {
                try cache.markNotInFamily(
                    environment: resolved.cacheEnvironment,
                    environments: resolved.lookupEnvironments
                )
            }
        } catch {
            // The service's verdict matters more to the app than the store's (docs/reference/Errors.md#completion).
            Log.warning("The token store could not follow the service's refusal: \(error.message)")
        }
    }

    /// Whether the user or another refresh token can mend the failure.
    private func isRecoverable(_ error: AuthError) -> Bool {
        guard case .tokenRefused(let oauth) = error.kind else { return false }
        return !oauth.isNamed("invalid_scope") && !oauth.isNamed("invalid_client")
    }

    private func interactionRequired(after error: AuthError) -> AuthError {
        var required = AuthError(
            .interactionRequired,
            message: "The service wants to see the user: \(error.message)",
            underlying: error
        )
        required.isThrottled = error.isThrottled
        return required
    }
}
