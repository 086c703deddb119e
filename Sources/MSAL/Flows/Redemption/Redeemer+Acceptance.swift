// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

/// The checks of a token response, with what the store knows of its user.
extension Redeemer {
    /// Checks a response by the rules of docs/reference/Protocol.md#acceptance.
    ///
    /// `profiles`: The stored records of the account whose token is renewed, one for each tenant.
    ///
    /// - Throws: `.invalidResponse` or `.unexpected`. Use nothing of the response.
    func checked(
        _ response: TokenResponse,
        profiles: [AccountRecord],
        for redemption: Redemption
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
        let spent = redemption.spent?.record.homeAccountID
        let known = spent.map { id in
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
                let account = redemption.account?.homeAccountID ?? owner?.homeAccountID ?? spent
                return account.flatMap { storedSubject(of: $0, realm: tenantID, for: redemption) }
            }
        } catch {
            throw AuthError(error)
        }
    }

    /// The user that this client's stored id token of an account names in one tenant. Tenants name users differently.
    private func storedSubject(of homeAccountID: String, realm: String, for redemption: Redemption) -> String? {
        let environments = redemption.lookupEnvironments
        let token: IDTokenRecord?
        if let spent = redemption.spent, let stored = spent.user,
            homeAccountID.normalizedKey == spent.record.homeAccountID
        {
            let filter = RecordFilter(.idToken, environments: environments, realms: [realm])
            token = stored.idTokens.first { filter.matches(.idToken($0)) }
        } else {
            do {
                token = try store.cache.idToken(homeAccountID: homeAccountID, environments: environments, realm: realm)
            } catch {
                // The response may carry the only refresh token that still works; it must not be lost to a busy store.
                Log.warning("The stored id token could not be compared: \(error.message)")
                return nil
            }
        }
        return token.flatMap { IDTokenClaims(compact: $0.secret.exposed)?.subject }
    }

    /// The user of the renewed token, as the store knows that user: one record for each tenant.
    func storedProfiles(for redemption: Redemption) -> [AccountRecord] {
        guard let spent = redemption.spent else { return [] }
        if let known = spent.user {
            let environments = redemption.lookupEnvironments.normalizedKeys
            return known.accounts.filter { environments.contains($0.environment) }
        }
        do {
            return try store.cache.accountRecords(
                homeAccountID: spent.record.homeAccountID,
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
        of accepted: TokenAcceptance.Accepted,
        stored profiles: [AccountRecord],
        for redemption: Redemption
    ) -> AccountRecord {
        let kind = redemption.authority.kind
        let (owner, claims) = (accepted.owner, accepted.claims)
        var received = AccountRecord(
            homeAccountID: owner.homeAccountID,
            environment: redemption.cacheEnvironment,
            realm: claims?.tenantID ?? redemption.authority.realm ?? owner.homeTenantID ?? "",
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
