// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// The checks of a token from a broker (docs/reference/Broker.md#acceptance). Any program of the user can pose as
/// a broker, and a broker may be wrong.
extension BrokerTokens {
    /// - Throws: `.mismatchedUser` for a token of another account than the one asked for; `.broker(.notAvailable)` for a
    ///   bearer token where a bound one was asked for; `.broker(.damagedResponse)` for what fails another check.
    func accept(_ token: BrokerToken, for question: BrokerExchange) throws(AuthError) -> BrokerGrant {
        try checkForm(of: token, for: question)
        let claims = try claims(of: token)
        if let account = token.account, !access.isOfCloud(account, of: question.authority) {
            throw .damagedBrokerResponse("has an account of another cloud")
        }
        let clientInfo = try clientInfo(of: token)
        let owner = try owner(of: token, clientInfo: clientInfo, for: question)
        try checkUser(claims, of: owner, account: token.account ?? question.account, for: question)
        return grant(token, claims: claims, owner: owner, clientInfo: clientInfo, for: question)
    }

    private func checkForm(of token: BrokerToken, for question: BrokerExchange) throws(AuthError) {
        guard !token.accessToken.exposed.isEmpty else { throw .damagedBrokerResponse("has no access token") }
        if question.token.proof != nil, !token.isBound {
            throw AuthError(
                BrokerFailure(
                    .unsupported,
                    message: "The identity broker returned a bearer token instead of a token bound to one request."
                )
            )
        }
        guard token.isBound == (question.token.proof != nil) else {
            throw .damagedBrokerResponse("has a bound token although a bearer token was requested")
        }
        guard token.expiresOn > time.now else {
            throw .damagedBrokerResponse("has an expired token; check this machine's clock")
        }
        guard token.scopes.count <= ScopeSet.most else {
            throw .damagedBrokerResponse(
                "has a token for \(token.scopes.count) scopes, and \(ScopeSet.most) is the limit"
            )
        }
        // These texts become parts of headers and of keys in the store.
        let texts =
            token.scopes + [token.accessToken.exposed] + [token.idToken?.exposed, token.clientInfo].compactMap(\.self)
        guard !texts.contains(where: \.hasControlCharacters), token.account?.hasCleanTexts ?? true else {
            throw .damagedBrokerResponse("has control characters")
        }
    }

    private func claims(of token: BrokerToken) throws(AuthError) -> IDTokenClaims? {
        guard let idToken = token.idToken else { return nil }
        guard let claims = IDTokenClaims(compact: idToken.exposed) else {
            throw .damagedBrokerResponse("has an ID token that cannot be read")
        }
        guard claims.audience.contains(where: { $0.caseInsensitiveCompare(app.clientID) == .orderedSame }) else {
            throw .damagedBrokerResponse("has an ID token for another client")
        }
        return claims
    }

    private func clientInfo(of token: BrokerToken) throws(AuthError) -> ClientInfo? {
        guard let raw = token.clientInfo ?? token.account?.clientInfo, !raw.isEmpty else { return nil }
        guard let clientInfo = ClientInfo(raw: raw) else {
            throw .damagedBrokerResponse("has client_info that cannot be read")
        }
        return clientInfo
    }

    /// - Returns: The home account ID, normalized.
    private func owner(
        of token: BrokerToken,
        clientInfo: ClientInfo?,
        for question: BrokerExchange
    ) throws(AuthError) -> String {
        let named = Set([clientInfo?.homeAccountID, token.account?.homeAccountID].compactMap { $0?.normalizedKey })
        guard named.count <= 1 else {
            if question.homeAccountID != nil { throw Self.otherBrokerUser }
            throw .damagedBrokerResponse("names two accounts")
        }
        // If the response has no account, it is about the account of the request.
        guard let owner = named.first ?? question.account?.homeAccountID.normalizedKey, !owner.isEmpty else {
            throw .damagedBrokerResponse("does not say whose token it is")
        }
        if let wanted = question.homeAccountID?.normalizedKey, owner != wanted { throw Self.otherBrokerUser }
        return owner
    }

    /// Checks that the ID token is about the owner, as the tenant of the token knows the user.
    private func checkUser(
        _ claims: IDTokenClaims?,
        of owner: String,
        account: BrokerAccount?,
        for question: BrokerExchange
    ) throws(AuthError) {
        guard let objectID = claims?.objectID?.normalizedKey, let tenantID = claims?.tenantID?.normalizedKey else {
            return
        }
        let home = AccountReference(homeAccountID: owner, username: nil)
        let expected: String?
        if tenantID == home.homeTenantID {
            expected = home.homeObjectID
        } else if account?.homeAccountID.normalizedKey == owner, account?.realm?.normalizedKey == tenantID {
            expected = account?.localAccountID?.normalizedKey
        } else {
            expected = nil
        }
        guard let expected, expected != objectID else { return }
        if question.homeAccountID != nil { throw Self.otherBrokerUser }
        throw .damagedBrokerResponse("has an ID token of another user than its account")
    }

    private static var otherBrokerUser: AuthError {
        AuthError(
            .mismatchedUser,
            message:
                "The identity broker returned a token of another account than the requested one. It was discarded."
        )
    }

    private func grant(
        _ token: BrokerToken,
        claims: IDTokenClaims?,
        owner: String,
        clientInfo: ClientInfo?,
        for question: BrokerExchange
    ) -> BrokerGrant {
        let account = token.account ?? question.account
        let homeTenant = clientInfo?.utid ?? AccountReference(homeAccountID: owner, username: nil).homeTenantID
        let environment = access.authorities.environments(for: question.authority).cache
        let realm = claims?.tenantID ?? account?.realm ?? homeTenant ?? question.authority.realm ?? ""
        let knowsTenant = account?.realm?.normalizedKey == realm.normalizedKey
        let name = account.flatMap { $0.username.isEmpty ? nil : $0.username }
        let profile = AccountRecord(
            homeAccountID: owner,
            environment: environment,
            realm: realm,
            localAccountID: claims?.localAccountID ?? (knowsTenant ? account?.localAccountID : nil),
            username: name ?? claims?.username(isB2C: false),
            name: claims?.name ?? account?.name,
            clientInfo: clientInfo?.raw
        )
        let tenantProfile = TenantProfileSnapshot(
            identifier: profile.localAccountID,
            tenantID: realm,
            environment: environment,
            isHome: realm.normalizedKey == homeTenant?.normalizedKey,
            idToken: token.idToken
        )
        let holder = TokenHolder(
            idToken: token.idToken,
            account: AccountSnapshot(
                homeAccountID: owner,
                username: profile.username ?? "",
                environment: environment,
                idToken: tenantProfile.isHome ? token.idToken : nil,
                clientInfo: profile.clientInfo,
                isBrokers: true
            ),
            tenantProfile: tenantProfile,
            authority: question.authority.ofResult(
                tenantID: claims?.tenantID ?? account?.realm,
                homeTenantID: homeTenant
            )
        )
        let result = TokenResult(
            accessToken: token.accessToken,
            tokenType: question.token.tokenType,
            expiresOn: token.expiresOn,
            scopes: token.scopes.isEmpty ? question.token.scopes : ScopeSet(token.scopes),
            holder: holder,
            correlationID: question.token.correlationID,
            source: .broker(asksUser: question.asksUser)
        )
        let life = TokenLife(cachedAt: time.now, expiresOn: token.expiresOn)
        return BrokerGrant(result: result, profile: profile, life: life)
    }
}
