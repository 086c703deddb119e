// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport
import SealedStore

/// The checks of a token response, beside those of its id token: whether it is what was asked for, and whose it is.
extension TokenClient {
    /// Each scope of a token costs the store a row: no service makes a sign-in take seconds.
    func checkNumber(ofScopesIn response: TokenResponse) throws(AuthError) {
        let count = response.scope.map { ScopeSet(parsing: $0).values.count } ?? 0
        guard count > ScopeSet.most else { return }
        throw AuthError(
            .invalidResponse,
            message:
                "The service sent a token for \(count) scopes, and \(ScopeSet.most) is the limit. Nothing was stored."
        )
    }

    /// The rules of docs/reference/Protocol.md#acceptance.
    ///
    /// - Returns: Whose tokens these are, as the service says; `nil` if it does not say.
    func namedOwner(
        in response: TokenResponse,
        for redemption: Redemption
    ) throws(AuthError) -> TokenOwner? {
        guard response.accessToken != nil || response.idToken != nil else {
            throw AuthError(.unexpected, message: "The service's response has neither an access token nor an id token.")
        }
        let wanted = redemption.request.tokenType
        if let type = response.tokenType, type.caseInsensitiveCompare(wanted) != .orderedSame {
            throw AuthError(
                .invalidResponse,
                message: "A token of type \(wanted) was asked for, the response has type \(type)."
            )
        }
        if response.tokenType == nil, redemption.request.proof != nil {
            throw AuthError(
                .invalidResponse,
                message: "A token of type \(wanted) was asked for, the response has no type."
            )
        }
        // They become parts of keys in the store, which have no control characters.
        if response.familyID?.hasControlCharacters == true
            || response.scope.map(ScopeSet.init(parsing:))?.values.contains(where: \.hasControlCharacters) == true
        {
            throw AuthError(.invalidResponse, message: "The service sent control characters in foci or scope.")
        }
        guard let raw = response.clientInfo else {
            if redemption.redeemed == nil, response.idToken == nil { throw Self.unknownOwner }
            return nil
        }
        guard let clientInfo = ClientInfo(raw: raw) else {
            throw AuthError(
                .unexpected,
                message: "The service's response does not say readably whose tokens these are (client_info)."
            )
        }
        return TokenOwner(clientInfo)
    }

    /// Whose the tokens are where the service does not say: a refresh renews those of a known account; a sign-in
    /// believes an id token whose signature was verified, and nothing else.
    func owner(
        withoutClientInfo claims: IDTokenClaims?,
        isVerified: Bool,
        stored profiles: [AccountRecord],
        for redemption: Redemption
    ) throws(AuthError) -> TokenOwner {
        if let token = redemption.redeemed {
            if let claims { try checkUser(claims, profiles: profiles, for: redemption) }
            return TokenOwner(of: token)
        }
        guard isVerified, let owner = claims.flatMap(TokenOwner.init(verified:)) else {
            throw Self.unknownOwner
        }
        return owner
    }

    private static var unknownOwner: AuthError {
        AuthError(.unexpected, message: "The service's response does not say whose tokens these are (client_info).")
    }

    /// What the store knows of the user whose token is renewed: one record for each tenant.
    func storedProfiles(for redemption: Redemption) -> [AccountRecord] {
        guard let token = redemption.redeemed else { return [] }
        if let known = redemption.stored {
            let environments = redemption.lookupEnvironments.normalizedKeys
            return known.accounts.filter { environments.contains($0.environment) }
        }
        do {
            return try cache.accountRecords(
                homeAccountID: token.homeAccountID,
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
    /// A token that nobody verified renews the app's permissions only. The stored knowledge of its user stays.
    func profile(
        of owner: TokenOwner,
        claims: IDTokenClaims?,
        isVerified: Bool,
        stored profiles: [AccountRecord],
        for redemption: Redemption
    ) -> AccountRecord {
        let kind = redemption.authority.kind
        let received = AccountRecord(
            homeAccountID: owner.homeAccountID,
            environment: redemption.cacheEnvironment,
            realm: claims?.tenantID ?? redemption.authority.realm ?? owner.homeTenantID ?? "",
            localAccountID: claims?.localAccountID,
            username: claims?.username(isB2C: kind == .b2c) ?? redemption.account?.username,
            authorityType: kind == .aad || kind == .ciam || kind == .b2c ? "MSSTS" : "Other",
            name: claims?.name,
            clientInfo: owner.clientInfo ?? profiles.lazy.compactMap(\.clientInfo).first
        )
        let known = profiles.filter { $0.realm == received.realm && $0.homeAccountID == received.homeAccountID }
        guard !isVerified, let known = known.first(where: { $0.environment == received.environment }) ?? known.first
        else {
            return received
        }
        return received.keepingUser(of: known)
    }
}
