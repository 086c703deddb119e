// Licensed under the MIT License. See LICENSE.

extension TokenClient {
    /// A token without the user's help: from the store, or by spending a refresh token.
    ///
    /// - Throws: `.interactionRequired` where only the user can help; `.invalidParameter` for a wrong call;
    ///   `.transport` and `.http` where the service could not be reached and no old token was good enough;
    ///   `.declinedScopes` with a usable result.
    /// - SeeAlso: spec protocol section 5.
    package func acquireSilently(_ request: SilentRequest) async throws(AuthError) -> TokenResult {
        do {
            // Without a proof there is nothing to put in, and a copy of the request would cost as much as the hit.
            if request.token.proof == nil { return try await silentResult(request) }
            return try await proven(request.token) { token throws(AuthError) in
                var request = request
                request.token = token
                return try await silentResult(request)
            }
        } catch {
            throw error.correlated(request.token.correlationID)
        }
    }

    /// Checks what can be said of a request before store or service are asked.
    ///
    /// - Throws: `.invalidParameter`: correct the request; `.interactionRequired` for one without an account.
    package func check(_ request: SilentRequest) throws(AuthError) {
        _ = try account(of: request)
        try checkScopes(request.token.scopes, for: try requestAuthority(request.token.authority))
    }

    private func account(of request: SilentRequest) throws(AuthError) -> AccountReference {
        guard let account = request.account else {
            throw AuthError(.interactionRequired, "No account was given; ask the user to sign in.")
        }
        return account
    }

    private func silentResult(_ request: SilentRequest) async throws(AuthError) -> TokenResult {
        let account = try account(of: request)
        try await prepareStore(for: .reading)
        guard let homeAccountID = account.homeAccountID, !homeAccountID.isEmpty else {
            var named = request
            named.account?.homeAccountID = try await homeAccountID(ofUser: account.username, request)
            return try await silentResult(named)
        }
        let claims = request.token.claims?.object?.isEmpty == true ? nil : request.token.claims
        var place: SilentAnswers.Place?
        // Only a request that a stored token may answer at all can have been answered by one before.
        if !request.forceRefresh, claims == nil {
            let found = try answerPlace(request, account)
            if let answer = answers.answer(at: found), isUsable(answer) {
                return answer.result(correlationID: request.token.correlationID)
            }
            place = found
        }
        return try await search(request, account, homeAccountID, claims, place)
    }

    /// The account behind a user name, for one whose identifier the app does not know (spec protocol 5.4, item 4).
    @concurrent private func homeAccountID(
        ofUser username: String?,
        _ request: SilentRequest
    ) async throws(AuthError) -> String {
        guard let username, !username.allSatisfy(\.isWhitespace) else {
            throw AuthError(.interactionRequired, "The account has no identifier and no name; ask the user to sign in.")
        }
        let authority = try requestAuthority(request.token.authority)
        let environments = authorities.environments(for: authority).lookup
        let found = try stored { () throws(StoreError) in
            try cache.homeAccountIDs(username: username, environments: environments)
        }
        guard found.count <= 1 else {
            throw AuthError(.ambiguousAccount, "\(found.count) accounts have this user name; choose by identifier.")
        }
        guard let homeAccountID = found.first, !homeAccountID.isEmpty else {
            throw AuthError(.interactionRequired, "No account has this user name; ask the user to sign in.")
        }
        return homeAccountID
    }

    /// The steps of the specification. Not on the caller's actor, which a disk would stop (token-store-linux.md R40);
    /// an answer from memory is faster than the way to another thread and was given before.
    @concurrent private func search(
        _ request: SilentRequest,
        _ account: AccountReference,
        _ homeAccountID: String,
        _ claims: JSONValue?,
        _ place: SilentAnswers.Place?
    ) async throws(AuthError) -> TokenResult {
        let base = try requestAuthority(request.token.authority)
        try checkScopes(request.token.scopes, for: base)
        let metadata = try stored { () throws(StoreError) in try cache.metadata(homeAccountID: homeAccountID) }
        if metadata?.signInState == .signedOut {
            throw AuthError(.interactionRequired, "The account was signed out of this app; ask the user to sign in.")
        }
        let maps = configuration.multipleCloudsSupported ? metadata?.instanceAwareAuthorityMap : metadata?.authorityMap
        let authority = base.silentAuthority(accountTenantID: account.homeTenantID, map: maps ?? [:])
        try await validate(authority, correlationID: request.token.correlationID)

        let now = platform.time.now
        var reason = request.forceRefresh ? RefreshReason.forced : .claimsRequested
        // Kept in case the renewal fails.
        var spare: AccessTokenHit?
        if !request.forceRefresh, claims == nil {
            let hit = try lookUp(request, homeAccountID, base, authority, now)
            switch (hit, hit?.state) {
            case (let hit?, .usable):
                let result = result(from: hit, authority, request, source: .cache)
                if let place { answers.remember(result, hit.token.life, at: place) }
                return result
            case (let hit?, .refreshDue):
                spare = hit
                reason = .refreshDue
            case (let hit?, .extended):
                spare = hit
                reason = .accessTokenExpired
            case (_?, _):
                reason = .accessTokenExpired
            case (nil, _):
                reason = .noAccessToken
            }
        }

        let refresh = SilentRefresh(
            request: request,
            homeAccountID: homeAccountID,
            base: base,
            authority: authority,
            claims: claims,
            reason: reason
        )
        do {
            return try await self.refresh(refresh)
        } catch {
            guard let spare, let result = fallBack(on: spare, after: error, authority, request) else { throw error }
            return result
        }
    }

    /// Where the answer to a request is remembered, as the store stands now.
    private func answerPlace(
        _ request: SilentRequest,
        _ account: AccountReference
    ) throws(AuthError) -> SilentAnswers.Place {
        SilentAnswers.Place(
            key: SilentAnswers.Key(
                account: account,
                scopes: request.token.scopes,
                authority: request.token.authority,
                isAuthorityValidated: configuration.isAuthorityValidationEnabled,
                keyID: request.token.keyID
            ),
            counter: try stored { () throws(StoreError) in try cache.store.changeCounter() }
        )
    }

    private func isUsable(_ answer: SilentAnswers.Answer) -> Bool {
        answer.life.state(at: platform.time.now, buffer: configuration.tokenExpirationBuffer) == .usable
    }

    /// Refuses an authority the service does not know, without asking anyone about a well-known one (step S6).
    private func validate(_ authority: Authority, correlationID: UUID) async throws(AuthError) {
        do {
            try await authorities.validate(
                authority,
                policy: configuration.authorityPolicy,
                correlationID: correlationID
            )
        } catch {
            throw AuthError(error)
        }
    }

    /// What the store has for the request.
    func lookUp(
        _ request: SilentRequest,
        _ homeAccountID: String,
        _ base: Authority,
        _ authority: Authority,
        _ now: Date
    ) throws(AuthError) -> AccessTokenHit? {
        let query = AccessTokenQuery(
            homeAccountID: homeAccountID,
            environments: authorities.environments(for: authority).lookup,
            realm: authority.realm,
            alternativeRealms: alternativeRealms(base, authority, request.account),
            scopes: request.token.scopes,
            tokenType: request.token.tokenType,
            keyID: request.token.keyID
        )
        let hit = try stored { () throws(StoreError) in
            try cache.accessToken(for: query, now: now, buffer: configuration.tokenExpirationBuffer)
        }
        if let hit, hit.state == .expired {
            // It can never be used again. That it cannot be removed (a read-only store) harms nobody.
            try? cache.remove(hit.token)
        }
        return hit
    }

    /// Realms under which other libraries file the same token (rules L2 and L3 of the token cache).
    private func alternativeRealms(_ base: Authority, _ authority: Authority, _ account: AccountReference?) -> [String]
    {
        switch authority.kind {
        case .aad:
            base.tenantKind == .identifier ? [] : [base.realm].compactMap(\.self)
        case .b2c, .ciam:
            // Without `/tfp` a B2C path begins with the tenant's domain, under which MSAL Python files tokens.
            [base.realm, base.address.segments.first, account?.homeTenantID].compactMap { $0?.lowercased() }
        case .adfs, .oidc:
            []
        }
    }

    /// The result of a stored token.
    func result(
        from hit: AccessTokenHit,
        _ authority: Authority,
        _ request: SilentRequest,
        source: TokenSource
    ) -> TokenResult {
        let token = hit.token
        let granted = ScopeSet(parsing: token.target)
        let claims = hit.idToken.flatMap(idTokens.claims(of:))
        let homeTenant = request.account?.homeTenantID?.lowercased()
        let isHome = token.realm.lowercased() == homeTenant
        let username = hit.username ?? claims?.username(isB2C: authority.kind == .b2c)
        let holder = TokenHolder(
            idToken: hit.idToken,
            idTokenClaims: claims,
            account: AccountSnapshot(
                homeAccountID: token.homeAccountID,
                username: username ?? request.account?.username ?? "",
                environment: token.environment,
                claims: isHome ? claims : nil,
                clientInfo: hit.clientInfo
            ),
            tenantProfile: TenantProfileSnapshot(
                identifier: hit.localAccountID ?? claims?.localAccountID,
                tenantID: token.realm,
                environment: token.environment,
                isHome: isHome,
                claims: claims
            ),
            authority: authority
        )
        return TokenResult(
            accessToken: token.secret,
            tokenType: request.token.tokenType,
            expiresOn: token.expiresOn,
            // Nearly always what was asked for, which is in memory already.
            scopes: granted == request.token.scopes ? request.token.scopes : granted,
            holder: holder,
            correlationID: request.token.correlationID,
            source: source
        )
    }

    /// The old token, where the failure allows it (spec protocol 5.8, decisions D-25 and D-26).
    private func fallBack(
        on hit: AccessTokenHit,
        after error: AuthError,
        _ authority: Authority,
        _ request: SilentRequest
    ) -> TokenResult? {
        switch error.kind {
        case .canceled, .protectionPolicyRequired, .declinedScopes:
            return nil
        case .invalidParameter, .unexpected, .invalidRedirectURI, .redirectSchemeNotRegistered, .interactionRequired,
            .authorizationRefused, .tokenRefused, .sessionAlreadyRunning, .invalidState, .invalidResponse,
            .authorityValidationFailed, .http, .transport, .ambiguousAccount, .accountRequired, .deviceNotRegistered,
            .store:
            break
        }
        // The attempt may have taken its time, in which the token may have ended.
        let left = hit.token.life.state(at: platform.time.now, buffer: .zero)
        guard left != .expired else { return nil }
        if hit.state == .refreshDue, left != .extended {
            if error.oauth?.hasSuberror("user_account_deleted") == true { return nil }
            return result(from: hit, authority, request, source: .cacheAfterFailedRefresh)
        }
        guard configuration.extendedLifetimeEnabled, error.isServiceUnavailable, !error.isThrottled else {
            return nil
        }
        var result = result(from: hit, authority, request, source: .cacheAfterFailedRefresh)
        result.isExtendedLifetime = true
        result.expiresOn = hit.token.extendedExpiresOn ?? result.expiresOn
        return result
    }
}
