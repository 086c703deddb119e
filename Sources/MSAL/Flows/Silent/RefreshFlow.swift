// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

/// Redeems the refresh tokens of an account: one redemption for all who want the same, in this process and in others.
struct RefreshFlow: Sendable {
    let clientID: String
    let redirectURI: RedirectURI
    let authorityRules: ClientConfiguration.AuthorityRules
    let tokens: StoredTokens
    let redeemer: Redeemer
    let refreshes: SingleFlight<RefreshKey, TokenResult, AuthError>
    let throttle: Throttle

    private var cache: TokenCache { tokens.cache }
    var time: any TimeSource { tokens.time }
    /// `nil` if the store cannot be read.
    private var changeCounter: Int64? { try? cache.store.changeCounter() }

    /// Renews the token with the app's refresh tokens, then with the family's.
    ///
    /// `account`: The records as they were looked up. They are read again only where the store has changed.
    func renew(_ account: StoredAccount) async throws(AuthError) -> TokenResult {
        let ticket = refreshes.ticket()
        let search = account.search
        guard var token = account.renewal?.tokens.first else { throw Self.nothingStored }
        let resolved = try await tokens.authorities.resolve(
            search.authority,
            by: authorityRules,
            correlationID: search.request.token.correlationID
        )
        try checkCloud(of: resolved, for: search.authority)
        let flight = RefreshFlight(account: account, resolved: resolved, ticket: ticket)

        var tried: Set<Secret> = []
        while true {
            tried.insert(token.secret)
            do {
                return try await redeemShared(token, in: flight)
            } catch {
                guard isRecoverable(error) else { throw error }
                guard error.oauth?.hasSuberror("user_account_deleted") != true, tried.count < Self.maximumAttempts
                else { throw interactionRequired(after: error) }
                // The records are read again, because the failure may have changed what this client may use.
                let now = try tokens.lookAgain(for: search)
                if let hit = now.hit, hit.state == .usable {
                    return tokens.result(from: hit, for: search, source: .cache)
                }
                guard let other = now.renewal?.tokens.first(where: { !tried.contains($0.secret) }) else {
                    throw interactionRequired(after: error)
                }
                token = other
            }
        }
    }

    private static var nothingStored: AuthError {
        AuthError(
            .interactionRequired,
            message: "The store has no refresh token for this account; ask the user to sign in."
        )
    }

    /// The number of refresh tokens of one account that are tried. No honest store has more than the client's own and
    /// the family's, each under two names of a cloud.
    private static let maximumAttempts = 4

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
        in flight: RefreshFlight
    ) async throws(AuthError) -> TokenResult {
        let search = flight.account.search
        let key = key(of: token, for: search, at: flight.resolved)
        return try await refreshes.run(key, startedAfter: search.request.forceRefresh ? flight.ticket : nil) {
            await Result { () async throws(AuthError) in try await redeemOnce(token, in: flight) }
        }
    }

    private func key(
        of token: RefreshTokenRecord,
        for search: SilentSearch,
        at resolved: ResolvedAuthority
    ) -> RefreshKey {
        var key = RefreshKey(
            search.identity,
            homeAccountID: search.homeAccountID,
            authority: search.authority,
            endpoint: resolved.tokenEndpoint,
            clientID: clientID,
            refreshToken: token.secret
        )
        key.isForced = search.request.forceRefresh
        key.queryParameters = search.request.token.extraQueryParameters
        return key
    }

    /// Redeems the token when no other flight or process is redeeming it. Returns the stored token if one of them
    /// already fetched it.
    private func redeemOnce(
        _ token: RefreshTokenRecord,
        in flight: RefreshFlight
    ) async throws(AuthError) -> TokenResult {
        let holder = UUID.random().uuidString
        let (search, resolved) = (flight.account.search, flight.resolved)
        var flight = flight
        var wait = LeaseWait()
        var overtaken = 0
        while true {
            // The counter is read before the lookup. A change after the lookup then ends the wait.
            let seen = changeCounter
            if overtaken > 0 || seen == nil || seen != flight.account.counter
                || resolved.lookupEnvironments != flight.account.environments
            {
                flight.account = try tokens.lookAgain(for: search)
                if let hit = flight.account.hit, hit.state == .usable {
                    return tokens.result(from: hit, for: search, source: .cache)
                }
            }
            guard let current = flight.account.token(insteadOf: token) else { throw Self.nothingStored }
            let key = key(of: current, for: search, at: resolved).ofAnyRepetition
            if let failure = throttle.failure(for: key, now: time.now) { throw throttled(failure, for: search) }
            var wish = LeaseWish(token: current, holder: holder)
            // A store may report a change each time. The call must end all the same.
            if overtaken < 3 { wish.version = flight.account.version }
            if let hit = flight.account.hit, hit.state == .expired { wish.expired = hit.token }
            wish.pauseName = key.pauseName
            switch lease(wish, over: wait.abandoned) {
            case .taken(let lease):
                return try await spend(current, in: flight, lease: lease, key: key)
            case .overtaken:
                overtaken += 1
            case .paused(let pause):
                throw throttled(failure(of: pause), for: search)
            case .held(let lease):
                overtaken = 0
                do {
                    try await wait.wait(for: lease, by: time, until: { changeCounter != seen })
                } catch {
                    throw .canceledCall
                }
            case nil:
                if let pause = pausedFailure(for: key) {
                    throw throttled(pause, for: search)
                }
                return try await spend(current, in: flight, lease: nil, key: key)
            }
        }
    }

    /// `nil` if the store cannot be written. The call goes on without a lease, which is only advisory.
    private func lease(_ wish: LeaseWish, over abandoned: RefreshLease?) -> LeaseOutcome? {
        do {
            return try cache.takeLease(wish, now: time.now, over: abandoned)
        } catch {
            Log.verbose("No lease could be taken: \(error.message)")
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

    /// The error for a request that the service must not get again yet: that of the same request before.
    private func throttled(_ failure: AuthError, for search: SilentSearch) -> AuthError {
        var meaning = failure.namingProtectedAccount(search.homeAccountID)
        meaning.isThrottled = true
        return meaning
    }

    /// `lease`: Given back when the response is stored, in the same transaction; or else in one of its own.
    /// `key`: Names the request for the failures that are remembered.
    private func spend(
        _ token: RefreshTokenRecord,
        in flight: RefreshFlight,
        lease: RefreshLease?,
        key: RefreshKey
    ) async throws(AuthError) -> TokenResult {
        let (search, resolved) = (flight.account.search, flight.resolved)
        var request = search.request.token
        request.claims = search.identity.claims
        var redemption = Redemption(
            request: request,
            requestAuthority: search.base,
            authority: search.authority,
            resolved: resolved,
            idTokenCheck: .refresh,
            account: search.request.account,
            source: .refresh(search.reason)
        )
        redemption.spent = SpentRefreshToken(record: token, lease: lease, user: flight.account.renewal)
        do {
            let result = try await redeemer.redeem(
                RefreshTokenGrant(refreshToken: token.secret, redirectURI: redirectURI.text),
                for: redemption
            )
            if let lease, !result.isPersisted { release(lease) }
            return result
        } catch {
            throttle.remember(error, for: key, now: time.now)
            keepPause(after: error, for: key)
            applyEffects(of: error, on: token, for: search, at: resolved)
            // The lease is released last: the next holder must find the changes of this failure.
            if let lease { release(lease) }
            throw error.namingProtectedAccount(search.homeAccountID)
        }
    }

    /// Makes the changes in the store that a refusal causes (docs/reference/Silent.md#refusals).
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
                tokens.memory.forget(homeAccountID: search.homeAccountID)
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

/// The values that belong to one renewal.
private struct RefreshFlight: Sendable {
    var account: StoredAccount
    let resolved: ResolvedAuthority
    let ticket: UInt64
}

extension StoredAccount {
    /// The stored token that replaces `token`, because another flight may have rotated it; `nil` if none is left,
    /// because somebody removed the account.
    fileprivate func token(insteadOf token: RefreshTokenRecord) -> RefreshTokenRecord? {
        let held = renewal?.tokens ?? []
        if held.contains(where: { $0.secret == token.secret }) { return token }
        return held.first { ($0.familyID == nil) == (token.familyID == nil) } ?? held.first
    }
}

/// Redeems a refresh token (RFC 6749 §6).
struct RefreshTokenGrant: TokenGrant {
    let refreshToken: Secret
    /// The configured redirect URI, without the port of a sign-in. MSAL for iOS sends it with refreshes too.
    let redirectURI: String

    let grantType = "refresh_token"

    var parameters: FormBody {
        var form = FormBody()
        form.set(.refreshToken, to: refreshToken.exposed)
        form.set(.redirectURI, to: redirectURI)
        return form
    }
}
