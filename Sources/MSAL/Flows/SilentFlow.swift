// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

/// Gets tokens silently.
package struct SilentFlow: Sendable {
    let clientID: String
    let authorityRules: ClientConfiguration.AuthorityRules
    let extendedLifetimeEnabled: Bool
    let refreshObserver: (@Sendable (Result<TokenResult, AuthError>) -> Void)?
    let store: ClientStore
    let tokens: StoredTokens
    let refresh: RefreshFlow
    let broker: BrokerRenewal
    let proofs: RequestSigner

    /// Gets a token silently: from memory, from the store, by redeeming a refresh token, or from the
    /// machine's identity broker.
    ///
    /// A token in memory is returned on the caller's actor, because a change of threads takes longer than the lookup.
    ///
    /// `remembered`: What memory has for the request, if the caller has looked it up.
    ///
    /// - Throws: `.interactionRequired` where only the user can help; `.invalidParameter` for a wrong call;
    ///   `.transport` and `.http` where the service could not be reached and no old token was good enough;
    ///   `.declinedScopes` with a usable result.
    /// - SeeAlso: docs/reference/Silent.md#steps.
    package func acquire(
        _ request: SilentRequest,
        remembered: ClientMemory.Lookup? = nil
    ) async throws(AuthError) -> TokenResult {
        do throws(AuthError) {
            // The request becomes complete: its identity depends on the key of a bound token, on the account's
            // identifier, and on the rules for authorities. Most requests are complete, and copying them would cost as
            // much as a hit.
            if request.token.proof != nil, request.token.keyID == nil {
                return try await proofs.proven(request.token) { token throws(AuthError) in
                    try await acquire(request.with(token: token))
                }
            }
            let account = try account(of: request)
            try await store.prepare(for: .reading)
            guard let homeAccountID = account.homeAccountID, !homeAccountID.isEmpty else {
                return try await acquire(request.with(account: try await identified(account, for: request)))
            }
            guard request.identity.isAuthorityValidated == authorityRules.isValidationEnabled else {
                return try await acquire(request.with(isAuthorityValidated: authorityRules.isValidationEnabled))
            }

            let remembered = if let remembered { remembered } else { try lookup(request) }
            if let token = remembered.usable { return token.result(correlationID: request.token.correlationID) }
            do throws(AuthError) {
                return try await acquireFromStore(request, homeAccountID: homeAccountID, remembered: remembered)
            } catch {
                // The store is busy and has not changed. A later call renews the token.
                guard case .store(let cause) = error.kind, cause.kind == .busy, let token = remembered.token,
                    remembered.state != nil, tokens.memory.state(of: token) == .refreshDue
                else { throw error }
                var result = token.result(correlationID: request.token.correlationID)
                result.source = .cacheAfterFailedRefresh
                return result
            }
        } catch {
            throw error.correlated(request.token.correlationID)
        }
    }

    /// The steps after the memory: the store, then a renewal, then the old token.
    ///
    /// It does not run on the caller's actor, because the disk would block that.
    @concurrent private func acquireFromStore(
        _ request: SilentRequest,
        homeAccountID: String,
        remembered: ClientMemory.Lookup
    ) async throws(AuthError) -> TokenResult {
        // The store.
        let requestAuthority = try authorityRules.check(request.token, clientID: clientID)
        let lookup = try tokens.lookup(
            request,
            homeAccountID: homeAccountID,
            remembered: remembered,
            requestAuthority: requestAuthority
        )
        var account: StoredAccount
        switch lookup {
        case .remembered(let token): return token.result(correlationID: request.token.correlationID)
        case .signedOut: throw tokens.signedOut(homeAccountID)
        case .found(let found): account = found
        }
        try await validate(account.search.authority, correlationID: request.token.correlationID)
        // The service may have named the cloud's hosts.
        if tokens.authorities.environments(for: account.search.authority).lookup != account.environments {
            account = try tokens.refetch(account.search)
        }
        if let hit = account.hit {
            switch hit.state {
            case .usable: return serve(hit, of: account)
            case .refreshDue: account.search.reason = .refreshDue
            case .extended, .expired: account.search.reason = .accessTokenExpired
            }
        }

        // The renewal: by a refresh token of the store, or else by the broker, if that has the account.
        let renewal = await Result { [account] () async throws(AuthError) in
            let mayUseOwn = request.mayUseOwnRefreshToken
            if !mayUseOwn, let result = try await broker.result(of: account.search) { return result }
            do throws(AuthError) {
                return try await refresh.renew(account)
            } catch {
                // Only the user can help, or a sign-in of the device.
                guard case .interactionRequired = error.kind, mayUseOwn else { throw error }
                return try await brokerResult(for: account, after: error)
            }
        }
        if account.search.reason == .refreshDue {
            let durations = CallTimer.current?.durations
            refreshObserver?(renewal.mapError { $0.correlated(request.token.correlationID, durations: durations) })
        }
        switch renewal {
        case .success(let result): return result
        case .failure(let error):
            // The old token, if the service is down.
            guard let hit = account.hit else { throw error }
            if let result = fallback(to: hit, after: error, for: account.search) { return result }
            if hit.state == .expired { removeExpired(hit.token) }
            throw error
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
            throw AuthError(.interactionRequired, message: "No account was passed; ask the user to sign in.")
        }
        return account
    }

    /// What memory has for a request. A request for a fresh token gets the store's change counter only.
    private func lookup(_ request: SilentRequest) throws(AuthError) -> ClientMemory.Lookup {
        guard request.acceptsStoredToken else {
            return ClientMemory.Lookup(counter: try? store.cache.store.changeCounter())
        }
        return try AuthError.ofStore { () throws(StoreError) in try tokens.memory.lookup(request.identity) }
    }

    /// The account with its identifier, for one of which the app knows only the user name
    /// (docs/reference/Silent.md#refresh-tokens).
    @concurrent private func identified(
        _ account: AccountReference,
        for request: SilentRequest
    ) async throws(AuthError) -> AccountReference {
        guard let username = account.username, !username.allSatisfy(\.isWhitespace) else {
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
        var account = account
        account.homeAccountID = homeAccountID
        return account
    }

    /// The result of a usable token of the store, which memory keeps.
    private func serve(_ hit: AccessTokenHit, of account: StoredAccount) -> TokenResult {
        let result = tokens.result(from: hit, for: account.search, source: .cache)
        if let counter = account.counter {
            tokens.memory.remember(
                result,
                life: hit.token.life,
                for: account.search.request.identity,
                version: account.version,
                at: counter
            )
        }
        return result
    }

    /// The broker's token after `refusal`, which stays the failure if no broker has the account. For an account with a
    /// refresh token of its own, the service's error counts more than a failure of the broker.
    ///
    /// - SeeAlso: docs/reference/Silent.md#broker.
    private func brokerResult(
        for account: StoredAccount,
        after refusal: AuthError
    ) async throws(AuthError) -> TokenResult {
        let result: TokenResult?
        do {
            result = try await broker.result(of: account.search)
        } catch {
            guard account.renewal?.tokens.isEmpty == false, error.allowsFallback else { throw error }
            Log.info("The identity broker did not return a token either: \(error.message)")
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

    /// Refuses an authority that the service does not know. For a well-known one no request is sent
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
    private func fallback(
        to hit: AccessTokenHit,
        after error: AuthError,
        for search: ResolvedSilentRequest
    ) -> TokenResult? {
        guard hit.state != .expired, error.allowsFallback else { return nil }
        // The token may have expired during the attempt.
        let left = hit.token.life.state(at: tokens.time.now, buffer: .zero)
        guard left != .expired else { return nil }
        if hit.state == .refreshDue, left != .extended {
            if error.oauth?.hasSuberror("user_account_deleted") == true { return nil }
            return tokens.result(from: hit, for: search, source: .cacheAfterFailedRefresh)
        }
        guard extendedLifetimeEnabled, error.isServiceUnavailable, !error.isThrottled else { return nil }
        var result = tokens.result(from: hit, for: search, source: .cacheAfterFailedRefresh)
        result.isExtendedLifetime = true
        result.expiresOn = hit.token.life.extendedExpiresOn ?? result.expiresOn
        return result
    }
}
