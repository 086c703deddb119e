// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport
import SealedStore

extension TokenClient {
    /// Checks an id token before anything of its response is stored.
    ///
    /// `homeAccountID`: The account that the response names in `client_info`; `nil` if it names none.
    ///
    /// - Returns: Whether the signature was verified.
    /// - Throws: `.invalidResponse` naming the check, the expected value and the value that came; `.canceled` if the
    ///   calling task is cancelled while the keys are fetched.
    func checkIDToken(
        in response: TokenResponse,
        claims: IDTokenClaims?,
        of homeAccountID: String?,
        for redemption: Redemption
    ) async throws(AuthError) -> Bool {
        guard let token = response.idToken, let claims else {
            guard case .full = redemption.idTokenCheck else { return false }
            throw AuthError(.refused(claim: "id_token", expected: "an id token", found: "none in the response"))
        }
        let check = IDTokenCheck(
            redemption.idTokenCheck,
            clientID: configuration.clientID,
            authority: redemption.authority,
            resolved: redemption.resolved,
            response: response
        )
        do throws(IDTokenCheck.Failure) {
            try check.check(token, claims: claims)
            if case .refresh = redemption.idTokenCheck {
                let account = redemption.account?.homeAccountID ?? homeAccountID ?? redemption.redeemed?.homeAccountID
                if let account { try checkSubject(claims, homeAccountID: account, for: redemption) }
            }
            guard configuration.verifiesIDTokenSignature else { return false }
            return try await check.verifySignature(
                of: token,
                with: authorities,
                correlationID: redemption.request.correlationID
            )
        } catch {
            throw AuthError(error)
        }
    }

    /// Checks that a renewed token is about the user of the one it renews. Tenants name users differently, so only a
    /// token of the same tenant is compared.
    private func checkSubject(
        _ claims: IDTokenClaims,
        homeAccountID: String,
        for redemption: Redemption
    ) throws(IDTokenCheck.Failure) {
        guard let subject = claims.subject, let realm = claims.tenantID else { return }
        let known: IDTokenRecord?
        do {
            known = try storedIDToken(of: homeAccountID, realm: realm, for: redemption)
        } catch {
            // The response may carry the only refresh token that still works; it must not be lost to a busy store.
            Log.warning("The stored id token could not be compared: \(error.message)")
            return
        }
        let earlier = known.flatMap { IDTokenClaims(compact: $0.secret.exposed)?.subject }
        guard let earlier, earlier != subject else { return }
        throw .refused(claim: "sub", expected: "the user of the stored id token", found: "another")
    }

    /// This client's id token of an account in one tenant.
    private func storedIDToken(
        of homeAccountID: String,
        realm: String,
        for redemption: Redemption
    ) throws(StoreError) -> IDTokenRecord? {
        let environments = redemption.lookupEnvironments
        guard let stored = redemption.stored, homeAccountID.normalizedKey == redemption.redeemed?.homeAccountID
        else { return try cache.idToken(homeAccountID: homeAccountID, environments: environments, realm: realm) }
        let filter = RecordFilter(.idToken, environments: environments, realms: [realm])
        return stored.idTokens.first { filter.matches(.idToken($0)) }
    }

    /// Checks that a renewed token is about a user of the account, where the response does not name the account.
    ///
    /// `profiles`: The stored records of the account, one for each tenant.
    ///
    /// - Throws: `.invalidResponse` naming the check, the expected value and the value that came.
    func checkUser(
        _ claims: IDTokenClaims,
        profiles: [AccountRecord],
        for redemption: Redemption
    ) throws(AuthError) {
        let realm = (claims.tenantID ?? redemption.authority.realm)?.normalizedKey
        let known = profiles.filter { $0.realm == realm }
        // The store knows nothing yet of a tenant that was asked for the first time.
        guard !known.isEmpty || profiles.isEmpty || realm == redemption.authority.realm?.normalizedKey else {
            throw AuthError(.refused(claim: "tid", expected: "a tenant of the account", found: "another"))
        }
        let names = known.compactMap(\.localAccountID?.normalizedKey)
        guard let objectID = claims.objectID, !names.isEmpty, !names.contains(objectID.normalizedKey) else { return }
        throw AuthError(.refused(claim: "oid", expected: "the user of the account", found: "another"))
    }
}

extension AuthError {
    /// The failure of an id token's check.
    fileprivate init(_ failure: IDTokenCheck.Failure) {
        switch failure {
        case .canceled:
            self = .canceledCall
        case .refused(let claim, let expected, let found):
            self.init(
                .invalidResponse,
                message:
                    "The id token failed the check of \(claim): expected \(expected), found \(found). Nothing was stored."
            )
        }
    }
}
