// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

/// The values that a redemption needs in addition to the grant.
struct RedemptionContext: Sendable {
    var request: TokenRequest
    /// The authority as the app asked for it; later silent calls with it find the one of the result.
    var requestAuthority: Authority
    /// The authority that is asked: with the account's tenant, in the user's cloud.
    var authority: Authority
    /// `nil` where nothing was asked about the authority: native authentication knows its endpoints by their paths.
    var resolved: ResolvedAuthority?
    var idTokenCheck: IDTokenCheck.Extent
    var account: AccountReference?
    /// The user name for the service, if no account is known.
    var loginHint: String?
    /// The user who signed in, as the redirect says. It serves for routing the request and nothing more.
    var visitor: ClientInfo?
    /// The refresh token that is redeemed; `nil` for other grants.
    var redeemed: RedeemedRefreshToken?
    var source: TokenSource

    var tokenEndpoint: URL { resolved?.tokenEndpoint ?? authority.endpoint(.token) }
    /// The environment of new cache records.
    var cacheEnvironment: String { resolved?.cacheEnvironment ?? authority.environment }
    var lookupEnvironments: [String] { resolved?.lookupEnvironments ?? [authority.environment] }
}

/// The refresh token of a redemption, with what the store has of its user.
struct RedeemedRefreshToken: Sendable {
    /// It must still be in the store when its successor is saved.
    let record: RefreshTokenRecord
    /// The lease on the record. It ends when the response is stored.
    let lease: RefreshLease?
    /// The user's records. They may change under way: the transaction that stores the response looks again at what it
    /// would overwrite.
    let user: RenewalRecords?
}

/// The stored records that a refresh needs, all of one account and one state of the store.
struct RenewalRecords: Sendable {
    /// The refresh tokens to try.
    let tokens: [RefreshTokenRecord]
    let accounts: [AccountRecord]
    let idTokens: [IDTokenRecord]
}

/// Redeems grants at the token endpoint, checks the responses and stores them.
struct Redeemer: Sendable {
    let app: ClientConfiguration.App
    let endpoint: TokenEndpoint
    let verifiesIDTokenSignature: Bool
    let authorities: AuthorityResolver
    let store: ClientStore
    let throttle: Throttle
    let telemetry: ServerTelemetry

    /// The last steps of every flow: sends a grant, checks the response, stores it, and makes the result.
    ///
    /// - Throws: `.tokenRefused`, `.http`, `.transport` from the endpoint; `.invalidResponse` or `.unexpected` for a
    ///   response that fails a check, in which case nothing was stored; `.declinedScopes` after everything was stored.
    /// - SeeAlso: RFC 6749 §5, docs/reference/Protocol.md#acceptance and docs/reference/Cache.md#saving.
    func redeem(_ grant: some TokenGrant, for redemption: RedemptionContext) async throws(AuthError) -> TokenResult {
        let response = try await send(grant, for: redemption)
        return try await acceptCheckingScopes(response, for: redemption)
    }

    /// Sends a grant to the token endpoint. Nothing of the response is checked yet.
    ///
    /// - Throws: `.tokenRefused`, `.http`, `.transport`, and `.invalidResponse` for a response that is not a JSON object.
    func send(_ grant: some TokenGrant, for redemption: RedemptionContext) async throws(AuthError) -> TokenResponse {
        let request = redemption.request
        var form = FormBody()
        form.set(.grantType, to: grant.grantType)
        form.set(.clientID, to: app.clientID)
        form.set(.scope, to: request.scopes.union(.openID).text)
        form.merge(grant.parameters)
        if redemption.authority.kind != .oidc { form.set(.clientInfo, to: "1") }
        form.set(.claims, to: ClaimsRequest.merged(capabilities: app.capabilities, claims: request.claims)?.text)
        if let keyID = request.keyID {
            form.set(.tokenType, to: request.tokenType)
            form.set(.proofKey, to: ProofOfPossession.requestConfirmation(keyID: keyID))
        }

        let report = telemetry.last()
        let (url, source) = (redemption.tokenEndpoint, redemption.source)
        var message = message(form, to: url, for: request, source: source, report: report)
        message.repetition = grant.repetition.limited(by: redemption.authority)
        message.mailbox = ClientHeaders.mailbox(
            homeAccountID: redemption.visitor?.homeAccountID ?? redemption.account?.homeAccountID,
            username: redemption.account?.username ?? redemption.loginHint
        )
        do throws(TokenEndpoint.Failure) {
            let response = try await endpoint.tokens(for: message)
            telemetry.forget(report)
            return response
        } catch {
            throw AuthError(error)
        }
    }

    /// A form for an endpoint of the service, with the app's query parameters and the telemetry.
    func message(
        _ form: FormBody,
        to url: URL,
        for request: TokenRequest,
        source: TokenSource,
        report: ServerTelemetry.Report
    ) -> TokenEndpoint.Request {
        var query = FormBody()
        query.merge(app.extraQueryParameters)
        query.merge(request.extraQueryParameters)
        var message = TokenEndpoint.Request(form, to: query.appended(to: url), correlationID: request.correlationID)
        message.headers["x-client-current-telemetry"] = ServerTelemetry.current(source)
        message.headers["x-client-last-telemetry"] = report.text
        return message
    }

    /// Checks the response to a grant, stores it, makes the result, and compares the granted scopes.
    ///
    /// - Throws: As ``redeem(_:for:)``, but for the endpoint's errors.
    func acceptCheckingScopes(
        _ response: TokenResponse,
        for redemption: RedemptionContext
    ) async throws(AuthError) -> TokenResult {
        let result = try await accept(response, for: redemption)
        // The user signed in, whatever was granted.
        if [.browser, .deviceCode].contains(redemption.source) { throttle.noteSignIn() }

        try redemption.request.checkGrant(result) { declined in
            "The service did not grant \(declined). The tokens that it issued are stored."
        }
        return result
    }

    /// Checks a response with tokens, stores it and makes the result.
    ///
    /// It does not run on the caller's actor, because the disk may be slow (docs/reference/Store.md#main-thread).
    ///
    /// - Throws: `.invalidResponse` or `.unexpected` for a response that fails a check; nothing was stored then.
    @concurrent func accept(
        _ response: TokenResponse,
        for redemption: RedemptionContext
    ) async throws(AuthError) -> TokenResult {
        let profiles = storedProfiles(for: redemption)
        let accepted = try await checked(response, profiles: profiles, for: redemption)
        let profile = profile(of: accepted, stored: profiles, for: redemption)
        var result = makeResult(of: response, accepted: accepted, profile: profile, for: redemption)
        result.isIDTokenSignatureVerified = accepted.isVerified
        // A store that cannot be opened now fails again when the response is saved. The failure is reported there.
        try? await store.prepare(for: .writing)
        result.isPersisted = persist(response, as: result, profile: profile, for: redemption)
        return result
    }

    private func makeResult(
        of response: TokenResponse,
        accepted: TokenAcceptance.Accepted,
        profile: AccountRecord,
        for redemption: RedemptionContext
    ) -> TokenResult {
        let (owner, claims) = (accepted.owner, accepted.claims)
        let realm =
            redemption.authority.issuerID ?? claims?.tenantID ?? redemption.authority.realm ?? owner.homeTenantID
        let tenantProfile = TenantProfileSnapshot(
            identifier: profile.localAccountID,
            tenantID: realm,
            environment: redemption.cacheEnvironment,
            isHome: realm != nil && realm?.lowercased() == owner.homeTenantID?.lowercased(),
            idToken: response.idToken
        )
        let account = AccountSnapshot(
            homeAccountID: owner.homeAccountID,
            username: profile.username ?? "",
            environment: redemption.cacheEnvironment,
            idToken: tenantProfile.isHome ? response.idToken : nil,
            clientInfo: profile.clientInfo
        )
        return TokenResult(
            accessToken: response.accessToken ?? Secret(""),
            tokenType: redemption.request.tokenType,
            expiresOn: response.expiresOn,
            scopes: response.scope.map(ScopeSet.init(parsing:)) ?? redemption.request.scopes,
            holder: TokenHolder(
                idToken: response.idToken,
                account: account,
                tenantProfile: tenantProfile,
                authority: redemption.authority.ofResult(tenantID: claims?.tenantID, homeTenantID: owner.homeTenantID)
            ),
            correlationID: redemption.request.correlationID,
            source: redemption.source
        )
    }

    /// Stores the response in one transaction.
    ///
    /// - Returns: Whether it was stored. A store that cannot be written does not make a sign-in fail
    ///   (docs/reference/Errors.md#completion).
    private func persist(
        _ response: TokenResponse,
        as result: TokenResult,
        profile: AccountRecord,
        for redemption: RedemptionContext
    ) -> Bool {
        let target =
            redemption.request.scopes.isSingleDefault ? result.scopes.union(redemption.request.scopes) : result.scopes
        var save = TokenSave(
            environment: profile.environment,
            environments: redemption.lookupEnvironments,
            realm: profile.realm,
            homeAccountID: profile.homeAccountID,
            requestAuthority: redemption.requestAuthority.url,
            resultAuthority: result.authority.url,
            now: response.receivedAt
        )
        save.accessToken = response.accessToken.map { secret in
            TokenSave.AccessToken(
                secret: secret,
                target: target.text,
                expiresOn: response.expiresOn,
                extendedExpiresOn: response.extendedExpiresOn,
                refreshOn: response.refreshOn,
                tokenType: redemption.request.tokenType,
                keyID: redemption.request.keyID
            )
        }
        (save.refreshToken, save.familyID, save.idToken) = (response.refreshToken, response.familyID, response.idToken)
        save.account = profile
        save.keepsUser = redemption.redeemed != nil && !result.isIDTokenSignatureVerified
        (save.redeemedRefreshToken, save.lease) = (redemption.redeemed?.record, redemption.redeemed?.lease)
        save.replacesAccounts = redemption.request.keepsOneAccount && redemption.redeemed == nil
        save.instanceAware = app.multipleCloudsSupported
        do {
            return try store.cache.save(save)
        } catch {
            Log.warning("The token store could not be written; the result is not kept: \(error.message)")
            return false
        }
    }
}

/// The checks of a token response, with what the store knows of its user.
extension Redeemer {
    /// Checks a response by the rules of docs/reference/Protocol.md#acceptance.
    ///
    /// `profiles`: The stored records of the account whose token is renewed, one for each tenant.
    ///
    /// - Throws: `.invalidResponse` or `.unexpected`. Use nothing of the response.
    private func checked(
        _ response: TokenResponse,
        profiles: [AccountRecord],
        for redemption: RedemptionContext
    ) async throws(AuthError) -> TokenAcceptance.Accepted {
        let request = redemption.request
        var policy = TokenAcceptance.Policy(idToken: redemption.idTokenCheck)
        policy.tokenType = request.tokenType
        policy.wantsTokenType = request.proof != nil
        policy.verifiesSignature = verifiesIDTokenSignature
        policy.wantsOneUser = request.keepsOneAccount
        let acceptance = TokenAcceptance(
            policy,
            clientID: app.clientID,
            authority: redemption.authority,
            resolved: redemption.resolved,
            authorities: authorities,
            correlationID: request.correlationID
        )
        let redeemed = redemption.redeemed?.record.homeAccountID
        let known = redeemed.map { id in
            TokenAcceptance.KnownUser(
                TokenOwner(
                    homeAccountID: id,
                    homeTenantID: AccountReference(homeAccountID: id, username: nil).homeTenantID
                ),
                objectIDs: Dictionary(grouping: profiles, by: \.realm).mapValues { records in
                    Set(records.compactMap(\.localAccountID?.normalizedKey))
                }
            )
        }
        do throws(TokenAcceptance.Failure) {
            return try await acceptance.accept(response, of: known) { owner, tenantID in
                let account = redemption.account?.homeAccountID ?? owner?.homeAccountID ?? redeemed
                return account.flatMap { storedSubject(of: $0, realm: tenantID, for: redemption) }
            }
        } catch {
            throw AuthError(error)
        }
    }

    /// The user that this client's stored ID token of an account names in one tenant. Tenants name users differently.
    private func storedSubject(of homeAccountID: String, realm: String, for redemption: RedemptionContext) -> String? {
        let environments = redemption.lookupEnvironments
        let token: IDTokenRecord?
        if let redeemed = redemption.redeemed, let stored = redeemed.user,
            homeAccountID.normalizedKey == redeemed.record.homeAccountID
        {
            let filter = RecordFilter(.idToken, environments: environments, realms: [realm])
            token = stored.idTokens.first { filter.matches(.idToken($0)) }
        } else {
            do {
                token = try store.cache.idToken(homeAccountID: homeAccountID, environments: environments, realm: realm)
            } catch {
                // The response may carry the only refresh token that still works; it must not be lost to a busy store.
                Log.warning("The stored ID token could not be compared: \(error.message)")
                return nil
            }
        }
        return token.flatMap { IDTokenClaims(compact: $0.secret.exposed)?.subject }
    }

    /// The user of the renewed token, as the store knows that user: one record for each tenant.
    private func storedProfiles(for redemption: RedemptionContext) -> [AccountRecord] {
        guard let redeemed = redemption.redeemed else { return [] }
        if let known = redeemed.user {
            let environments = redemption.lookupEnvironments.normalizedKeys
            return known.accounts.filter { environments.contains($0.environment) }
        }
        do {
            return try store.cache.accountRecords(
                homeAccountID: redeemed.record.homeAccountID,
                environments: redemption.lookupEnvironments
            )
        } catch {
            // The response may carry the only refresh token that still works; it must not be lost to a busy store.
            Log.warning("The stored account could not be compared: \(error.message)")
            return []
        }
    }

    /// The user as the token's tenant knows it.
    ///
    /// An unverified token renews only the app's permissions. The stored knowledge of its user stays.
    private func profile(
        of accepted: TokenAcceptance.Accepted,
        stored profiles: [AccountRecord],
        for redemption: RedemptionContext
    ) -> AccountRecord {
        let kind = redemption.authority.kind
        let (owner, claims) = (accepted.owner, accepted.claims)
        var received = AccountRecord(
            homeAccountID: owner.homeAccountID,
            environment: redemption.cacheEnvironment,
            realm: redemption.authority.issuerID ?? claims?.tenantID ?? redemption.authority.realm ?? owner.homeTenantID
                ?? "",
            localAccountID: claims?.localAccountID,
            username: claims?.username(isB2C: kind == .b2c) ?? redemption.account?.username,
            name: claims?.name,
            clientInfo: owner.clientInfo ?? profiles.lazy.compactMap(\.clientInfo).first
        )
        if ![.aad, .ciam, .b2c].contains(kind) { received.authorityType = "Other" }
        let known = profiles.filter { $0.realm == received.realm && $0.homeAccountID == received.homeAccountID }
        guard !accepted.isVerified,
            let known = known.first(where: { $0.environment == received.environment }) ?? known.first
        else {
            return received
        }
        return received.keepingUser(of: known)
    }
}

extension Authority {
    /// The authority for later silent calls with this result (docs/reference/Protocol.md#entra-authority and
    /// #b2c-authority and #external-id-authority).
    func ofResult(tenantID: String?, homeTenantID: String?) -> Authority {
        switch kind {
        case .aad: (tenantID ?? homeTenantID).map(replacingTenant) ?? self
        case .b2c, .ciam: homeTenantID.map(replacingTenant) ?? self
        case .adfs, .oidc: self
        }
    }
}
