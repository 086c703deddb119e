// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport
import SealedStore

extension TokenClient {
    /// A token without the user's help: from the store, by redeeming a refresh token, or from the machine's identity
    /// broker.
    ///
    /// - Throws: `.interactionRequired` where only the user can help; `.invalidParameter` for a wrong call;
    ///   `.transport` and `.http` where the service could not be reached and no old token was good enough;
    ///   `.declinedScopes` with a usable result.
    /// - SeeAlso: docs/reference/Silent.md#steps.
    package func acquireSilently(_ request: SilentRequest) async throws(AuthError) -> TokenResult {
        do {
            // Without a proof the request needs no change, and a copy of it would cost as much as the hit.
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

    /// Checks a request as far as possible before the store or the service is asked.
    ///
    /// - Throws: `.invalidParameter`: correct the request; `.interactionRequired` for one without an account.
    package func check(_ request: SilentRequest) throws(AuthError) {
        _ = try account(of: request)
        try checkScopes(request.token.scopes, for: try requestAuthority(request.token.authority))
    }

    private func account(of request: SilentRequest) throws(AuthError) -> AccountReference {
        guard let account = request.account else {
            throw AuthError(.interactionRequired, message: "No account was given; ask the user to sign in.")
        }
        return account
    }

    private func silentResult(_ request: SilentRequest) async throws(AuthError) -> TokenResult {
        let account = try account(of: request)
        try await prepareStore(for: .reading)
        guard let homeAccountID = account.homeAccountID, !homeAccountID.isEmpty else {
            var named = request
            named.account?.homeAccountID = try await self.homeAccountID(ofUser: account.username, for: request)
            return try await silentResult(named)
        }
        let identity = RequestIdentity(
            account: account,
            authority: request.token.authority,
            scopes: request.token.scopes,
            claims: request.token.claims,
            keyID: request.token.keyID,
            isAuthorityValidated: configuration.isAuthorityValidationEnabled
        )
        // A request can only have been served from memory if a stored token may serve it.
        guard !request.forceRefresh, identity.claims == nil else {
            return try await search(request, identity: identity, homeAccountID: homeAccountID, counter: changeCounter())
        }
        let counter = try stored { () throws(StoreError) in try cache.store.changeCounter() }
        let known = memory.token(for: identity, at: counter)
        if let known, state(of: known) == .usable {
            return known.result(correlationID: request.token.correlationID)
        }
        do {
            return try await search(request, identity: identity, homeAccountID: homeAccountID, counter: counter)
        } catch {
            // The store is busy and did not change. A later call renews the token.
            guard case .store(let cause) = error.kind, cause.kind == .busy, let known,
                state(of: known) == .refreshDue
            else { throw error }
            var result = known.result(correlationID: request.token.correlationID)
            result.source = .cacheAfterFailedRefresh
            return result
        }
    }

    /// The account behind a user name, for one whose identifier the app does not know
    /// (docs/reference/Silent.md#refresh-tokens).
    @concurrent private func homeAccountID(
        ofUser username: String?,
        for request: SilentRequest
    ) async throws(AuthError) -> String {
        guard let username, !username.allSatisfy(\.isWhitespace) else {
            throw AuthError(
                .interactionRequired,
                message: "The account has no identifier and no name; ask the user to sign in."
            )
        }
        let authority = try requestAuthority(request.token.authority)
        let environments = authorities.environments(for: authority).lookup
        let identifiers = try stored { () throws(StoreError) in
            try cache.homeAccountIDs(username: username, environments: environments)
        }
        guard identifiers.count <= 1 else {
            throw AuthError(
                .ambiguousAccount,
                message: "\(identifiers.count) accounts have this user name; choose by identifier."
            )
        }
        guard let homeAccountID = identifiers.first, !homeAccountID.isEmpty else {
            throw AuthError(.interactionRequired, message: "No account has this user name; ask the user to sign in.")
        }
        return homeAccountID
    }

    /// Looks the token up in the store and renews it if that is due.
    ///
    /// Runs outside the caller's actor, because a disk would block that. A token in memory was returned before, because
    /// it is faster than a change of threads.
    ///
    /// `counter`: The store's change counter; `nil` if it could not be read.
    @concurrent private func search(
        _ request: SilentRequest,
        identity: RequestIdentity,
        homeAccountID: String,
        counter: Int64?
    ) async throws(AuthError) -> TokenResult {
        let base = try requestAuthority(request.token.authority)
        try checkScopes(request.token.scopes, for: base)
        let look = try look(
            for: request,
            identity: identity,
            homeAccountID: homeAccountID,
            base: base,
            at: counter
        )
        var account: StoredAccount
        switch look {
        case .remembered(let token): return token.result(correlationID: request.token.correlationID)
        case .signedOut: throw signedOut(homeAccountID)
        case .found(let found): account = found
        }
        try await validate(account.search.authority, correlationID: request.token.correlationID)
        // The service may have named the cloud's hosts.
        if authorities.environments(for: account.search.authority).lookup != account.environments {
            account = try lookAgain(for: account.search)
        }
        guard let hit = account.hit else { return try await renew(account) }
        switch hit.state {
        case .usable:
            let result = result(from: hit, for: account.search, source: .cache)
            if let counter = account.counter {
                memory.remember(result, life: hit.token.life, for: identity, version: account.version, at: counter)
            }
            return result
        case .refreshDue:
            account.search.reason = .refreshDue
        case .extended, .expired:
            account.search.reason = .accessTokenExpired
        }
        do {
            return try await renew(account)
        } catch {
            guard let result = fallBack(on: hit, after: error, for: account.search) else {
                if hit.state == .expired { removeExpired(hit.token) }
                throw error
            }
            return result
        }
    }

    /// The token can never be used again, and nothing takes its place. It does no harm if it cannot be removed (a
    /// read-only store).
    private func removeExpired(_ token: AccessTokenRecord) {
        do {
            try cache.remove(token)
        } catch {
            Log.verbose("An expired access token could not be removed: \(error.message)")
        }
    }

    /// Refuses an authority that the service does not know. For a well-known one nobody is asked
    /// (docs/reference/Silent.md#validate-authority).
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

    /// The old token, if the failure allows it (docs/reference/Silent.md#service-unavailable).
    private func fallBack(
        on hit: AccessTokenHit,
        after error: AuthError,
        for search: SilentSearch
    ) -> TokenResult? {
        guard hit.state != .expired, error.allowsFallback else { return nil }
        // The token may have expired during the attempt.
        let left = hit.token.life.state(at: platform.time.now, buffer: .zero)
        guard left != .expired else { return nil }
        if hit.state == .refreshDue, left != .extended {
            if error.oauth?.hasSuberror("user_account_deleted") == true { return nil }
            return result(from: hit, for: search, source: .cacheAfterFailedRefresh)
        }
        guard configuration.extendedLifetimeEnabled, error.isServiceUnavailable, !error.isThrottled else {
            return nil
        }
        var result = result(from: hit, for: search, source: .cacheAfterFailedRefresh)
        result.isExtendedLifetime = true
        result.expiresOn = hit.token.extendedExpiresOn ?? result.expiresOn
        return result
    }
}
