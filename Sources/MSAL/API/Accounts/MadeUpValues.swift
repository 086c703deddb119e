// Licensed under the MIT License. See LICENSE.

package import MSALBase
import MSALCore

// The product MSALTesting creates accounts and results with these initializers.

extension MSALAccount {
    /// Creates an account from values; `identifier` is the home account ID.
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
    /// Creates a profile from values.
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
    /// Creates a result from values, like one from the store. `user` is the user's profile in the token's tenant.
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
