// Licensed under the MIT License. See LICENSE.

/// One silent request that the store alone could not answer.
struct SilentRefresh: Sendable {
    let request: SilentRequest
    let homeAccountID: String
    /// As the app named it; answers are mapped from it.
    let base: Authority
    /// As it is asked: the account's tenant put in.
    let authority: Authority
    let claims: JSONValue?
    let reason: RefreshReason
}

extension TokenClient {
    /// Steps S8 to S13 of spec protocol 5.1: the app's refresh tokens, then the family's.
    func refresh(_ refresh: SilentRefresh) async throws(AuthError) -> TokenResult {
        let ticket = refreshes.ticket()
        let environments = authorities.environments(for: refresh.authority).lookup
        guard var token = try candidates(of: refresh, environments).first else {
            throw AuthError(
                .interactionRequired,
                "Nothing is stored that could renew this account's token; ask the user to sign in."
            )
        }
        let resolved = try await resolve(refresh.authority, correlationID: refresh.request.token.correlationID)
        try checkCloud(resolved, refresh.authority)

        var tried: Set<Secret> = []
        while true {
            tried.insert(token.secret)
            do {
                return try await redeemShared(token, refresh, resolved, ticket)
            } catch {
                guard isRecoverable(error) else { throw error }
                // Read again: the failure may have changed what this client may use.
                guard error.oauth?.hasSuberror("user_account_deleted") != true, tried.count < Self.maximumAttempts,
                    let other = try candidates(of: refresh, resolved.lookupEnvironments)
                        .first(where: { !tried.contains($0.secret) })
                else { throw interactionRequired(after: error) }
                token = other
            }
        }
    }

    /// How many refresh tokens of one account are tried. More than an own one and the family's, each under two names of
    /// a cloud, no honest store has.
    private static let maximumAttempts = 4

    private func candidates(
        of refresh: SilentRefresh,
        _ environments: [String]
    ) throws(AuthError) -> [RefreshTokenRecord] {
        try stored { () throws(StoreError) in
            try cache.refreshTokenCandidates(homeAccountID: refresh.homeAccountID, environments: environments)
        }
    }

    /// A refresh token is never sent to another cloud (spec protocol 1.16).
    private func checkCloud(_ resolved: ResolvedAuthority, _ authority: Authority) throws(AuthError) {
        guard authority.kind == .aad, let endpoint = AuthorityAddress(resolved.tokenEndpoint)?.environment else {
            return
        }
        let isKnown = resolved.lookupEnvironments.contains { $0.lowercased() == endpoint }
        guard isKnown || authority.environment == endpoint else {
            throw AuthError(
                .interactionRequired,
                "The token endpoint \(endpoint) belongs to another cloud than the account; ask the user to sign in."
            )
        }
    }

    private func redeemShared(
        _ token: RefreshTokenRecord,
        _ refresh: SilentRefresh,
        _ resolved: ResolvedAuthority,
        _ ticket: UInt64
    ) async throws(AuthError) -> TokenResult {
        let key = RefreshKey(
            endpoint: resolved.tokenEndpoint,
            refreshToken: token.secret,
            scopes: refresh.request.token.scopes.normalized,
            claims: refresh.claims,
            keyID: refresh.request.token.keyID,
            queryParameters: refresh.request.token.extraQueryParameters,
            mayAnswerFromCache: !refresh.request.forceRefresh
        )
        return try await refreshes.run(key, startedAfter: refresh.request.forceRefresh ? ticket : nil) {
            do throws(AuthError) {
                return .success(try await redeemOnce(token, refresh, resolved))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Spends the token while no other flight of this process or another does, and not at all if one of them brought
    /// what is asked for.
    private func redeemOnce(
        _ token: RefreshTokenRecord,
        _ refresh: SilentRefresh,
        _ resolved: ResolvedAuthority
    ) async throws(AuthError) -> TokenResult {
        let holder = UUID().uuidString
        var wait = LeaseWait()
        while true {
            // Before the look: what happens after it must end the wait.
            let seen = changeCounter()
            if let result = try storedMeanwhile(refresh) { return result }
            let current = try currentToken(token, refresh, resolved)
            switch lease(for: current, holder, over: wait.silent) {
            case .taken(let lease):
                defer { release(lease) }
                // Who had it before may have been done between the look and the lease.
                if let result = try storedMeanwhile(refresh) { return result }
                return try await spend(try currentToken(token, refresh, resolved), refresh, resolved)
            case .held(let lease):
                do {
                    try await wait.wait(for: lease, platform.time, until: { changeCounter() != seen })
                } catch {
                    throw .canceledCall
                }
            case nil:
                return try await spend(current, refresh, resolved)
            }
        }
    }

    /// What another flight stored between this call's lookup and now, if that is good enough.
    private func storedMeanwhile(_ refresh: SilentRefresh) throws(AuthError) -> TokenResult? {
        switch refresh.reason {
        case .forced, .claimsRequested:
            return nil
        case .noAccessToken, .accessTokenExpired, .refreshDue:
            let now = platform.time.now
            let hit = try lookUp(
                refresh.request,
                refresh.homeAccountID,
                refresh.base,
                refresh.authority,
                now
            )
            guard let hit, hit.state == .usable else { return nil }
            return result(from: hit, refresh.authority, refresh.request, source: .cache)
        }
    }

    /// The token in the place of `token`: another flight may have rotated it.
    private func currentToken(
        _ token: RefreshTokenRecord,
        _ refresh: SilentRefresh,
        _ resolved: ResolvedAuthority
    ) throws(AuthError) -> RefreshTokenRecord {
        let held = try candidates(of: refresh, resolved.lookupEnvironments)
        if held.contains(where: { $0.secret == token.secret }) { return token }
        return held.first { ($0.familyID == nil) == (token.familyID == nil) } ?? token
    }

    /// `nil` if the store cannot be written: a lease is advice, and nobody else can write there either.
    private func lease(for token: RefreshTokenRecord, _ holder: String, over silent: RefreshLease?) -> LeaseOutcome? {
        do {
            return try cache.takeLease(for: token, holder: holder, now: platform.time.now, over: silent)
        } catch {
            Log.verbose("No lease could be taken: \(error.message)")
            return nil
        }
    }

    /// `nil` while the store cannot say.
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
            // It ends by itself.
            Log.verbose("A lease could not be given back: \(error.message)")
        }
    }

    private func spend(
        _ token: RefreshTokenRecord,
        _ refresh: SilentRefresh,
        _ resolved: ResolvedAuthority
    ) async throws(AuthError) -> TokenResult {
        let throttleKey = Throttle.Key(
            endpoint: resolved.tokenEndpoint,
            clientID: configuration.clientID,
            refreshToken: token.secret,
            scope: refresh.request.token.scopes.union(.openID).text,
            keyID: refresh.request.token.keyID,
            claims: refresh.claims?.text
        )
        let remembered = throttle.failure(for: throttleKey, now: platform.time.now) ?? pausedFailure(for: throttleKey)
        if let failure = remembered {
            var meaning = failure.namingProtectedAccount(refresh.homeAccountID)
            meaning.isThrottled = true
            throw meaning
        }

        var request = refresh.request.token
        request.claims = refresh.claims
        do {
            return try await redeem(
                RefreshTokenGrant(refreshToken: token.secret, redirectURI: configuration.redirectURI.text),
                Redemption(
                    request: request,
                    requestAuthority: refresh.base,
                    authority: refresh.authority,
                    resolved: resolved,
                    idTokenCheck: .refresh,
                    account: refresh.request.account,
                    redeemed: token,
                    source: .refresh(refresh.reason)
                )
            )
        } catch {
            throttle.remember(error, for: throttleKey, now: platform.time.now)
            keepPause(after: error, for: throttleKey)
            applyEffects(of: error, on: token, refresh, resolved)
            throw error.namingProtectedAccount(refresh.homeAccountID)
        }
    }

    /// What a refusal changes in the store (spec protocol 5.5).
    private func applyEffects(
        of error: AuthError,
        on token: RefreshTokenRecord,
        _ refresh: SilentRefresh,
        _ resolved: ResolvedAuthority
    ) {
        guard let oauth = error.oauth, oauth.isNamed("invalid_grant") else { return }
        do throws(StoreError) {
            if oauth.hasSuberror("bad_token") {
                try cache.remove(token)
            } else if oauth.hasSuberror("user_account_deleted") {
                try cache.removeAccountOfDeletedUser(homeAccountID: refresh.homeAccountID)
            } else if oauth.hasSuberror("client_mismatch"), token.familyID != nil {
                try cache.markNotInFamily(
                    environment: resolved.cacheEnvironment,
                    environments: resolved.lookupEnvironments
                )
            }
        } catch {
            // The service's verdict matters more to the app than the store's (decision T6).
            Log.warning("The token store could not follow the service's refusal: \(error.message)")
        }
    }

    /// Whether the user can mend it, or another refresh token.
    private func isRecoverable(_ error: AuthError) -> Bool {
        guard case .tokenRefused(let oauth) = error.kind else { return false }
        return !oauth.isNamed("invalid_scope") && !oauth.isNamed("invalid_client")
    }

    private func interactionRequired(after error: AuthError) -> AuthError {
        var required = AuthError(
            .interactionRequired,
            "The service wants to see the user: \(error.message)",
            underlying: error
        )
        required.isThrottled = error.isThrottled
        return required
    }
}
