// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport
import SealedStore

/// What a redemption needs beside the grant.
struct Redemption: Sendable {
    var request: TokenRequest
    /// The authority as the app asked for it; later silent calls with it find the one of the result.
    var requestAuthority: Authority
    /// The authority that answers: with the account's tenant, in the user's cloud.
    var authority: Authority
    /// `nil` where nothing was asked about the authority: native authentication knows its endpoints by their paths.
    var resolved: ResolvedAuthority?
    var idTokenCheck: IDTokenCheck
    var account: AccountReference?
    /// Whom the service shall expect where no account is known.
    var loginHint: String?
    /// Who signed in, as the redirect says: where the request is routed to, and nothing more.
    var visitor: ClientInfo?
    /// The record that is being spent, for a refresh: it must still be there when its successor is saved.
    var redeemed: RefreshTokenRecord?
    var source: TokenSource

    var tokenEndpoint: URL { resolved?.tokenEndpoint ?? authority.endpoint(.token) }
    /// The environment of new cache records.
    var cacheEnvironment: String { resolved?.cacheEnvironment ?? authority.environment }
    var lookupEnvironments: [String] { resolved?.lookupEnvironments ?? [authority.environment] }
}

extension TokenClient {
    /// The shared tail of every flow: spends a grant, checks the answer, stores it, and makes the result.
    ///
    /// - Throws: `.tokenRefused`, `.http`, `.transport` from the endpoint; `.invalidResponse` or `.unexpected` for an
    ///   answer that fails a check, in which case nothing was stored; `.declinedScopes` after everything was stored.
    /// - SeeAlso: RFC 6749 §5, docs/reference/Protocol.md#acceptance and docs/reference/Cache.md#saving.
    func redeem(_ grant: some TokenGrant, _ redemption: Redemption) async throws(AuthError) -> TokenResult {
        let request = redemption.request
        var form = FormBody()
        form.set(.grantType, grant.grantType)
        form.set(.clientID, configuration.clientID)
        form.set(.scope, request.scopes.union(.openID).text)
        form.merge(grant.parameters)
        form.set(.clientInfo, "1")
        form.set(
            .claims,
            ClaimsRequest.merged(capabilities: configuration.capabilities, claims: request.claims)?.text
        )
        if let keyID = request.keyID {
            form.set(.tokenType, request.tokenType)
            form.set(.proofKey, ProofOfPossession.requestConfirmation(keyID: keyID))
        }

        let answer = try await post(
            form,
            to: redemption.tokenEndpoint,
            request: request,
            source: redemption.source,
            repetition: grant.repetition,
            mailbox: ClientHeaders.mailbox(
                homeAccountID: redemption.visitor?.homeAccountID ?? redemption.account?.homeAccountID,
                username: redemption.account?.username ?? redemption.loginHint
            )
        )
        let result = try await file(answer, redemption)
        // The user signed in, whatever was granted.
        if redemption.source == .browser { throttle.noteSignIn() }

        let declined = request.scopes.declined(grantedBy: result.scopes)
        guard declined.isEmpty else {
            throw AuthError(
                .declinedScopes(
                    granted: result.scopes.subtracting(.openID).values,
                    declined: declined.values,
                    result: result
                ),
                message: "The service did not grant \(declined.text). The tokens it gave are stored."
            )
        }
        return result
    }

    /// Checks an answer with tokens, stores it and makes the result.
    ///
    /// Not on the caller's actor: the disk may take its time (docs/reference/Store.md#main-thread).
    ///
    /// - Throws: `.invalidResponse` or `.unexpected` for an answer that fails a check; nothing was stored then.
    @concurrent func file(_ answer: TokenAnswer, _ redemption: Redemption) async throws(AuthError) -> TokenResult {
        let response = TokenResponse(members: answer.members, receivedAt: answer.receivedAt)
        try checkNumber(ofScopesIn: response)
        let named = try accept(response, for: redemption)
        let claims = response.idToken.flatMap { IDTokenClaims(compact: $0.exposed) }
        if response.idToken != nil, claims == nil {
            throw AuthError(.invalidResponse, message: "The id token in the service's answer cannot be read.")
        }
        let profiles = storedProfiles(redemption)
        let isVerified = try await checkIDToken(
            response.idToken,
            claims,
            of: named?.homeAccountID,
            redemption,
            answer
        )
        let owner =
            if let named { named } else {
                try owner(withoutClientInfo: claims, isVerified: isVerified, profiles, redemption)
            }
        if redemption.request.keepsOneAccount, redemption.redeemed != nil,
            owner.homeAccountID != redemption.account?.homeAccountID?.lowercased()
        {
            throw AuthError(
                .invalidResponse,
                message: "The service answered with tokens of another user. Nothing was stored."
            )
        }

        let profile = profile(claims, owner, isVerified: isVerified, stored: profiles, redemption)
        var result = makeResult(response, claims, owner, profile, redemption)
        result.isIDTokenSignatureVerified = isVerified
        // What cannot be opened now fails again when the answer is saved, and is reported there.
        try? await prepareStore(for: .writing)
        result.isPersisted = persist(response, result, profile, redemption, now: answer.receivedAt)
        return result
    }

    /// Each scope of a token costs the store a row: no service makes a sign-in take seconds.
    private func checkNumber(ofScopesIn response: TokenResponse) throws(AuthError) {
        let count = response.scope.map { ScopeSet(parsing: $0).values.count } ?? 0
        guard count > ScopeSet.most else { return }
        throw AuthError(
            .invalidResponse,
            message:
                "The service answered with a token for \(count) scopes, and \(ScopeSet.most) is the limit. Nothing was stored."
        )
    }

    /// The rules of docs/reference/Protocol.md#acceptance.
    ///
    /// - Returns: Whose tokens these are, as the service says; `nil` if it does not say.
    private func accept(_ response: TokenResponse, for redemption: Redemption) throws(AuthError) -> TokenOwner? {
        guard response.accessToken != nil || response.idToken != nil else {
            throw AuthError(.unexpected, message: "The service's answer has neither an access token nor an id token.")
        }
        let wanted = redemption.request.tokenType
        if let type = response.tokenType, type.caseInsensitiveCompare(wanted) != .orderedSame {
            throw AuthError(
                .invalidResponse,
                message: "A token of type \(wanted) was asked for, the answer has type \(type)."
            )
        }
        if response.tokenType == nil, redemption.request.proof != nil {
            throw AuthError(
                .invalidResponse,
                message: "A token of type \(wanted) was asked for, the answer has no type."
            )
        }
        // They become parts of keys in the store, which have no control characters.
        if response.familyID?.hasControlCharacters == true
            || response.scope.map(ScopeSet.init(parsing:))?.values.contains(where: \.hasControlCharacters) == true
        {
            throw AuthError(.invalidResponse, message: "The service's answer has control characters in foci or scope.")
        }
        guard let raw = response.clientInfo else {
            if redemption.redeemed == nil, response.idToken == nil { throw Self.unknownOwner }
            return nil
        }
        guard let clientInfo = ClientInfo(raw: raw) else {
            throw AuthError(
                .unexpected,
                message: "The service's answer does not say readably whose tokens these are (client_info)."
            )
        }
        return TokenOwner(clientInfo)
    }

    /// Whose the tokens are where the service does not say: a refresh renews those of a known account; a sign-in
    /// believes an id token whose signature was verified, and nothing else.
    private func owner(
        withoutClientInfo claims: IDTokenClaims?,
        isVerified: Bool,
        _ profiles: [AccountRecord],
        _ redemption: Redemption
    ) throws(AuthError) -> TokenOwner {
        if let token = redemption.redeemed {
            if let claims { try checkUser(claims, profiles, redemption) }
            return TokenOwner(of: token)
        }
        guard isVerified, let owner = claims.flatMap(TokenOwner.init(verified:)) else {
            throw Self.unknownOwner
        }
        return owner
    }

    private static var unknownOwner: AuthError {
        AuthError(.unexpected, message: "The service's answer does not say whose tokens these are (client_info).")
    }

    /// What the store knows of the user whose token is renewed: one record for each tenant.
    private func storedProfiles(_ redemption: Redemption) -> [AccountRecord] {
        guard let token = redemption.redeemed else { return [] }
        do {
            return try cache.accountRecords(
                homeAccountID: token.homeAccountID,
                environments: redemption.lookupEnvironments
            )
        } catch {
            // The answer may carry the only refresh token that still works; it must not be lost to a busy store.
            Log.warning("The stored account could not be compared: \(error.message)")
            return []
        }
    }

    /// The user as the token's tenant knows it.
    ///
    /// A token that nobody verified renews what the app may do. What is known of its user stays.
    private func profile(
        _ claims: IDTokenClaims?,
        _ owner: TokenOwner,
        isVerified: Bool,
        stored profiles: [AccountRecord],
        _ redemption: Redemption
    ) -> AccountRecord {
        let kind = redemption.authority.kind
        let told = AccountRecord(
            homeAccountID: owner.homeAccountID,
            environment: redemption.cacheEnvironment,
            realm: claims?.tenantID ?? redemption.authority.realm ?? owner.homeTenantID ?? "",
            localAccountID: claims?.localAccountID,
            username: claims?.username(isB2C: kind == .b2c) ?? redemption.account?.username,
            authorityType: kind == .aad || kind == .ciam || kind == .b2c ? "MSSTS" : "Other",
            name: claims?.name,
            clientInfo: owner.clientInfo ?? profiles.lazy.compactMap(\.clientInfo).first
        )
        let known = profiles.filter { $0.realm == told.realm && $0.homeAccountID == told.homeAccountID }
        guard !isVerified, let known = known.first(where: { $0.environment == told.environment }) ?? known.first else {
            return told
        }
        return told.keepingUser(of: known)
    }

    private func makeResult(
        _ response: TokenResponse,
        _ claims: IDTokenClaims?,
        _ owner: TokenOwner,
        _ profile: AccountRecord,
        _ redemption: Redemption
    ) -> TokenResult {
        let realm = claims?.tenantID ?? redemption.authority.realm ?? owner.homeTenantID
        let tenantProfile = TenantProfileSnapshot(
            identifier: profile.localAccountID,
            tenantID: realm,
            environment: redemption.cacheEnvironment,
            isHome: realm != nil && realm?.lowercased() == owner.homeTenantID?.lowercased(),
            claims: claims
        )
        let account = AccountSnapshot(
            homeAccountID: owner.homeAccountID,
            username: profile.username ?? "",
            environment: redemption.cacheEnvironment,
            claims: tenantProfile.isHome ? claims : nil,
            clientInfo: profile.clientInfo
        )
        return TokenResult(
            accessToken: response.accessToken ?? Secret(""),
            tokenType: redemption.request.tokenType,
            expiresOn: response.expiresOn,
            scopes: response.scope.map(ScopeSet.init(parsing:)) ?? redemption.request.scopes,
            holder: TokenHolder(
                idToken: response.idToken,
                idTokenClaims: claims,
                account: account,
                tenantProfile: tenantProfile,
                authority: redemption.authority.ofResult(
                    tenantID: claims?.tenantID,
                    homeTenantID: owner.homeTenantID
                )
            ),
            correlationID: redemption.request.correlationID,
            source: redemption.source
        )
    }

    /// Stores the answer in one transaction.
    ///
    /// - Returns: Whether it was stored. A store that cannot be written does not spoil a sign-in
    ///   (docs/reference/Errors.md#completion).
    private func persist(
        _ response: TokenResponse,
        _ result: TokenResult,
        _ profile: AccountRecord,
        _ redemption: Redemption,
        now: Date
    ) -> Bool {
        let target =
            redemption.request.scopes.isSingleDefault ? result.scopes.union(redemption.request.scopes) : result.scopes
        let save = TokenSave(
            environment: profile.environment,
            environments: redemption.lookupEnvironments,
            realm: profile.realm,
            homeAccountID: profile.homeAccountID,
            accessToken: response.accessToken.map { secret in
                TokenSave.AccessToken(
                    secret: secret,
                    target: target.text,
                    expiresOn: response.expiresOn,
                    extendedExpiresOn: response.extendedExpiresOn,
                    refreshOn: response.refreshOn,
                    tokenType: redemption.request.tokenType,
                    keyID: redemption.request.keyID
                )
            },
            refreshToken: response.refreshToken,
            familyID: response.familyID,
            idToken: response.idToken,
            account: profile,
            requestAuthority: redemption.requestAuthority.url,
            resultAuthority: result.authority.url,
            now: now,
            redeemedRefreshToken: redemption.redeemed,
            replacesAccounts: redemption.request.keepsOneAccount && redemption.redeemed == nil,
            instanceAware: configuration.multipleCloudsSupported
        )
        do {
            return try cache.save(save)
        } catch {
            Log.warning("The token store could not be written; the result is not kept: \(error.message)")
            return false
        }
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
