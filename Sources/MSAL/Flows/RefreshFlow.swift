// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

/// Redeems the refresh tokens of an account: one redemption for all equal requests, in this process and in others.
struct RefreshFlow: Sendable {
    let clientID: String
    let redirectURI: RedirectURI
    let authorityRules: ClientConfiguration.AuthorityRules
    let tokens: StoredTokens
    let redeemer: Redeemer
    let refreshes: SingleFlight<RefreshKey, TokenResult, AuthError>
    let throttle: Throttle

    private var cache: TokenCache { tokens.cache }
    private var time: any TimeSource { tokens.time }
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

        var tried: Set<Secret> = []
        while true {
            tried.insert(token.secret)
            let key = RefreshKey(
                search,
                endpoint: resolved.tokenEndpoint,
                clientID: clientID,
                refreshToken: token.secret
            )
            do throws(AuthError) {
                // One flight for all equal calls of this process.
                let ticket = search.request.forceRefresh ? ticket : nil
                return try await refreshes.run(key, startedAfter: ticket) { [token] in
                    await Result { () async throws(AuthError) in
                        // The lease, which one process has at a time.
                        switch try await lease(token, of: account, at: resolved, key: key) {
                        case .renewed(let result): return result
                        // The redemption.
                        case .taken(let leased): return try await redeemAndRelease(leased, at: resolved)
                        }
                    }
                }
            } catch {
                guard isRecoverable(error) else { throw error }
                guard error.oauth?.hasSuberror("user_account_deleted") != true, tried.count < Self.maximumAttempts
                else { throw interactionRequired(after: error) }
                // The records are read again, because the failure may have changed what this client may use.
                let now = try tokens.refetch(search)
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

    /// Waits until no other process redeems the token, and takes the lease on it
    /// (docs/reference/Store.md#leases).
    ///
    /// - Returns: `.renewed` if another flight or process has stored a new token meanwhile.
    private func lease(
        _ token: RefreshTokenRecord,
        of account: StoredAccount,
        at resolved: ResolvedAuthority,
        key: RefreshKey
    ) async throws(AuthError) -> LeaseResult {
        let holder = UUID.random().uuidString
        let search = account.search
        var account = account
        var wait = LeaseWait()
        var overtaken = 0
        while true {
            // The counter is read before the lookup. A change after the lookup then ends the wait.
            let seen = changeCounter
            if overtaken > 0 || seen == nil || seen != account.counter
                || resolved.lookupEnvironments != account.environments
            {
                account = try tokens.refetch(search)
                if let hit = account.hit, hit.state == .usable {
                    return .renewed(tokens.result(from: hit, for: search, source: .cache))
                }
            }
            guard let current = account.token(insteadOf: token) else { throw Self.nothingStored }
            let key = (current.secret == token.secret ? key : key.with(current.secret)).ofAnyRepetition
            if let failure = throttle.failure(for: key, now: time.now) { throw throttled(failure, for: search) }
            var request = LeaseRequest(token: current, holder: holder)
            // A store may report a change each time. The call must end all the same.
            if overtaken < 3 { request.version = account.version }
            if let hit = account.hit, hit.state == .expired { request.expired = hit.token }
            request.pauseName = key.pauseName
            switch takeLease(request, over: wait.abandoned) {
            case .taken(let lease):
                return .taken(LeasedToken(record: current, account: account, lease: lease, key: key))
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
                if let pause = storedPause(for: key) { throw throttled(failure(of: pause), for: search) }
                return .taken(LeasedToken(record: current, account: account, lease: nil, key: key))
            }
        }
    }

    /// `nil` if the store cannot be written. The call goes on without a lease, which is only advisory.
    private func takeLease(_ request: LeaseRequest, over abandoned: RefreshLease?) -> LeaseOutcome? {
        do {
            return try cache.takeLease(request, now: time.now, over: abandoned)
        } catch {
            Log.verbose("No lease could be acquired: \(error.message)")
            return nil
        }
    }

    private func release(_ lease: RefreshLease) {
        do {
            try cache.release(lease)
        } catch {
            // The lease expires by itself.
            Log.verbose("A lease could not be released: \(error.message)")
        }
    }

    /// The error for a request that the service must not get again yet: that of the same request before.
    private func throttled(_ failure: AuthError, for search: ResolvedSilentRequest) -> AuthError {
        var meaning = failure.namingProtectedAccount(search.homeAccountID)
        meaning.isThrottled = true
        return meaning
    }

    /// Redeems the token. Its lease ends in the transaction that stores the response, or else in a separate one.
    private func redeemAndRelease(
        _ leased: LeasedToken,
        at resolved: ResolvedAuthority
    ) async throws(AuthError) -> TokenResult {
        let (token, lease, search) = (leased.record, leased.lease, leased.account.search)
        var request = search.request.token
        request.claims = search.request.identity.claims
        var redemption = RedemptionContext(
            request: request,
            requestAuthority: search.requestAuthority,
            authority: search.authority,
            resolved: resolved,
            idTokenCheck: .refresh,
            account: search.request.account,
            source: .refresh(search.reason)
        )
        redemption.redeemed = RedeemedRefreshToken(record: token, lease: lease, user: leased.account.renewal)
        do {
            let result = try await redeemer.redeem(
                RefreshTokenGrant(refreshToken: token.secret, redirectURI: redirectURI.text),
                for: redemption
            )
            if let lease, !result.isPersisted { release(lease) }
            return result
        } catch {
            throttle.remember(error, for: leased.key, now: time.now)
            keepPause(after: error, for: leased.key)
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
        for search: ResolvedSilentRequest,
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

    /// Whether the user or another refresh token can resolve the failure.
    private func isRecoverable(_ error: AuthError) -> Bool {
        guard case .tokenRefused(let oauth) = error.kind else { return false }
        return !oauth.isNamed("invalid_scope") && !oauth.isNamed("invalid_client")
    }

    private func interactionRequired(after error: AuthError) -> AuthError {
        var required = AuthError(
            .interactionRequired,
            message: "The service requires the user: \(error.message)",
            underlying: error
        )
        required.isThrottled = error.isThrottled
        return required
    }
}

/// Honors a `Retry-After` that another process received. A shell, for example, may start the same command in a loop.
extension RefreshFlow {
    /// The service's `Retry-After` for this request that another process received and that is not over yet.
    private func storedPause(for key: RefreshKey) -> ServicePause? {
        do throws(StoreError) {
            return try tokens.cache.pause(key.pauseName, now: time.now)
        } catch {
            Log.verbose("Whether the service asked for a pause cannot be read: \(error.message)")
            return nil
        }
    }

    /// The failure of a request that has to wait.
    private func failure(of pause: ServicePause) -> AuthError {
        let seconds = Int(pause.until.timeIntervalSince(time.now).rounded(.up))
        var error = AuthError(
            .http(status: pause.status, headers: ["Retry-After": String(seconds)]),
            message:
                "The service responded with HTTP status \(pause.status) a while ago and asked for a pause. "
                + "Try again in \(seconds) seconds."
        )
        error.isThrottled = true
        return error
    }

    /// Stores a `Retry-After`, if there was one, for other processes.
    private func keepPause(after error: AuthError, for key: RefreshKey) {
        let now = time.now
        guard case .http(let status, let headers) = error.kind,
            let header = headers.first(where: { $0.key.caseInsensitiveCompare("Retry-After") == .orderedSame })?.value,
            let delay = RetryAfter.delay(header, now: now)
        else { return }
        do throws(StoreError) {
            try tokens.cache.keep(ServicePause(status: status, until: now + delay.seconds), for: key.pauseName)
        } catch {
            // The pause counts in this process all the same.
            Log.verbose("The service's Retry-After cannot be stored for other processes: \(error.message)")
        }
    }
}

/// The outcome of the wait for a lease.
private enum LeaseResult {
    /// Another flight or process has renewed the token.
    case renewed(TokenResult)
    case taken(LeasedToken)
}

/// A refresh token that this process may redeem now.
private struct LeasedToken {
    let record: RefreshTokenRecord
    /// The records of the account, as they were when the lease was taken.
    let account: StoredAccount
    /// `nil` if the store cannot be written.
    let lease: RefreshLease?
    /// Names the request for the failures that are remembered.
    let key: RefreshKey
}

/// Waits for another process that redeems the same refresh token (docs/reference/Store.md#leases).
struct LeaseWait: Sendable {
    /// The interval at which the store is checked for another process's commit, because nothing announces it.
    static let step = Duration.milliseconds(25)
    /// The longest wait for one holder.
    static let most = Duration.seconds(10)

    /// The lease that was waited for, and the length of the wait.
    private var lease: RefreshLease?
    private var waited = Duration.zero

    /// The lease to take over, once its holder was waited for 10 seconds; `nil` before.
    var abandoned: RefreshLease? { waited >= Self.most ? lease : nil }

    /// Waits until the store changes, or `lease` expires.
    ///
    /// - Throws: `CancellationError` if the caller gave up.
    mutating func wait(
        for lease: RefreshLease,
        by time: any TimeSource,
        until hasChanged: () -> Bool
    ) async throws(CancellationError) {
        if lease != self.lease {
            self.lease = lease
            waited = .zero
        }
        // Sleeps at least once. Otherwise a store that changes constantly would never let `waited` grow.
        repeat {
            try await time.sleep(for: Self.step)
            waited += Self.step
        } while waited < Self.most && !hasChanged()
    }
}

extension StoredAccount {
    /// The stored token that replaces `token`, because another flight may have rotated it; `nil` if none is left,
    /// because the account was removed.
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
