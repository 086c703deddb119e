// Licensed under the MIT License. See LICENSE.

package import MSALBase
import MSALCore

// The product MSALTesting makes accounts and results with these initialisers.

extension MSALAccount {
    /// An account of values; `identifier` is the home account id.
    package convenience init(
        identifier: String,
        username: String,
        environment: String,
        idToken: Secret?,
        tenantProfiles: [MSALTenantProfile]
    ) {
        var snapshot = AccountSnapshot(
            homeAccountID: identifier.lowercased(),
            username: username,
            environment: environment
        )
        snapshot.idToken = idToken
        snapshot.tenantProfiles = tenantProfiles.compactMap(\.snapshot)
        self.init(snapshot, hasProfiles: true)
    }
}

extension MSALTenantProfile {
    /// A profile of values.
    package convenience init(
        identifier: String?,
        tenantID: String?,
        environment: String,
        isHome: Bool,
        idToken: Secret?
    ) {
        self.init(
            TenantProfileSnapshot(
                identifier: identifier,
                tenantID: tenantID,
                environment: environment,
                isHome: isHome,
                idToken: idToken
            )
        )
    }
}

extension MSALResult {
    /// A result of values, as one from the store. `user` is the user as the token's tenant knows it.
    package convenience init(
        token: (secret: Secret, type: String, scopes: [String], expiresOn: Date),
        account: MSALAccount,
        user: (identifier: String?, tenantID: String?, idToken: Secret?),
        authority: MSALAuthority?,
        correlationID: UUID
    ) {
        let idToken = user.idToken ?? account.snapshot.idToken
        let profile = TenantProfileSnapshot(
            identifier: user.identifier,
            tenantID: user.tenantID,
            environment: account.environment,
            isHome: user.tenantID == account.homeAccountId?.tenantId,
            idToken: idToken
        )
        let holder = TokenHolder(
            idToken: idToken,
            account: account.snapshot,
            tenantProfile: profile,
            authority: authority?.core ?? .default
        )
        self.init(
            TokenResult(
                accessToken: token.secret,
                tokenType: token.type,
                expiresOn: token.expiresOn,
                scopes: ScopeSet(token.scopes),
                holder: holder,
                correlationID: correlationID,
                source: .cache
            )
        )
    }
}
