// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

/// Gets tokens without the user's help.
package struct SilentFlow: Sendable {
    let clientID: String
    let authorityRules: ClientConfiguration.AuthorityRules
    let extendedLifetimeEnabled: Bool
    let store: ClientStore
    let tokens: StoredTokens
    let refresh: RefreshFlow
    let broker: BrokerRenewal
    let proofs: RequestSigner

    /// A token without the user's help: from the store, by redeeming a refresh token, or from the machine's identity
    /// broker.
    ///
    /// - Throws: `.interactionRequired` where only the user can help; `.invalidParameter` for a wrong call;
    ///   `.transport` and `.http` where the service could not be reached and no old token was good enough;
    ///   `.declinedScopes` with a usable result.
    /// - SeeAlso: docs/reference/Silent.md#steps.
    package func acquire(_ request: SilentRequest) async throws(AuthError) -> TokenResult {
        do {
            // Without a proof the request needs no change, and a copy of it would cost as much as the hit.
            if request.token.proof == nil { return try await silentResult(request) }
            return try await proofs.proven(request.token) { token throws(AuthError) in
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
        try authorityRules.check(request.token, clientID: clientID)
    }

    private func account(of request: SilentRequest) throws(AuthError) -> AccountReference {
        guard let account = request.account else {
            throw AuthError(.interactionRequired, message: "No account was given; ask the user to sign in.")
        }
        return account
    }

    private func silentResult(_ request: SilentRequest) async throws(AuthError) -> TokenResult {
        let account = try account(of: request)
        try await store.prepare(for: .reading)
        guard let homeAccountID = account.homeAccountID, !homeAccountID.isEmpty else {
            var named = request
            named.account?.homeAccountID = try await self.homeAccountID(ofUser: account.username, for: request)
            return try await silentResult(named)
        }
        let look = try store.run { _ throws(StoreError) in
            try tokens.hits.look(
                for: request,
                account: account,
                validatesAuthority: authorityRules.isValidationEnabled
            )
        }
        if let token = look.token, look.state == .usable {
            return token.result(correlationID: request.token.correlationID)
        }
        do {
            return try await search(
                request,
                identity: look.identity,
                homeAccountID: homeAccountID,
                counter: look.counter
            )
        } catch {
            // The store is busy and did not change. A later call renews the token.
            guard case .store(let cause) = error.kind, cause.kind == .busy, let token = look.token,
                tokens.hits.state(of: token) == .refreshDue
            else { throw error }
            var result = token.result(correlationID: request.token.correlationID)
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
        let authority = try authorityRules.authority(of: request.token)
        let environments = tokens.authorities.environments(for: authority).lookup
        let identifiers = try store.run { (cache) throws(StoreError) in
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
        let base = try authorityRules.check(request.token, clientID: clientID)
        let look = try tokens.look(
            for: request,
            identity: identity,
            homeAccountID: homeAccountID,
            base: base,
            at: counter
        )
        var account: StoredAccount
        switch look {
        case .remembered(let token): return token.result(correlationID: request.token.correlationID)
        case .signedOut: throw tokens.signedOut(homeAccountID)
        case .found(let found): account = found
        }
        try await validate(account.search.authority, correlationID: request.token.correlationID)
        // The service may have named the cloud's hosts.
        if tokens.authorities.environments(for: account.search.authority).lookup != account.environments {
            account = try tokens.lookAgain(for: account.search)
        }
        guard let hit = account.hit else { return try await renew(account) }
        switch hit.state {
        case .usable:
            let result = tokens.result(from: hit, for: account.search, source: .cache)
            if let counter = account.counter {
                tokens.memory.remember(
                    result,
                    life: hit.token.life,
                    for: identity,
                    version: account.version,
                    at: counter
                )
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

    /// Gets a new token: with the refresh tokens of the store, or else from the identity broker, if that has the account.
    ///
    /// - SeeAlso: docs/reference/Silent.md#broker.
    private func renew(_ account: StoredAccount) async throws(AuthError) -> TokenResult {
        let search = account.search
        if !search.request.mayUseOwnRefreshToken, let result = try await broker.result(of: search) { return result }
        do {
            return try await refresh.renew(account)
        } catch {
            // Only the user can help, or a sign-in of the device.
            guard case .interactionRequired = error.kind, search.request.mayUseOwnRefreshToken else { throw error }
            let hasOwnToken = account.renewal?.tokens.isEmpty == false
            return try await result(of: search, after: error, hasOwnToken: hasOwnToken)
        }
    }

    /// The broker's token after `refusal`, which stays the failure if no broker has the account. For an account with a
    /// refresh token of its own, the service's words count more than a broker's trouble.
    private func result(
        of search: SilentSearch,
        after refusal: AuthError,
        hasOwnToken: Bool
    ) async throws(AuthError) -> TokenResult {
        let result: TokenResult?
        do {
            result = try await broker.result(of: search)
        } catch {
            guard hasOwnToken, error.allowsFallback else { throw error }
            Log.info("The identity broker gave no token either: \(error.message)")
            throw refusal
        }
        guard let result else { throw refusal }
        return result
    }

    /// The token can never be used again, and nothing takes its place. It does no harm if it cannot be removed (a
    /// read-only store).
    private func removeExpired(_ token: AccessTokenRecord) {
        do {
            try store.cache.remove(token)
        } catch {
            Log.verbose("An expired access token could not be removed: \(error.message)")
        }
    }

    /// Refuses an authority that the service does not know. For a well-known one nobody is asked
    /// (docs/reference/Silent.md#validate-authority).
    private func validate(_ authority: Authority, correlationID: UUID) async throws(AuthError) {
        do {
            try await tokens.authorities.validate(
                authority,
                policy: authorityRules.policy,
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
        let left = hit.token.life.state(at: tokens.time.now, buffer: .zero)
        guard left != .expired else { return nil }
        if hit.state == .refreshDue, left != .extended {
            if error.oauth?.hasSuberror("user_account_deleted") == true { return nil }
            return tokens.result(from: hit, for: search, source: .cacheAfterFailedRefresh)
        }
        guard extendedLifetimeEnabled, error.isServiceUnavailable, !error.isThrottled else {
            return nil
        }
        var result = tokens.result(from: hit, for: search, source: .cacheAfterFailedRefresh)
        result.isExtendedLifetime = true
        result.expiresOn = hit.token.life.extendedExpiresOn ?? result.expiresOn
        return result
    }
}
