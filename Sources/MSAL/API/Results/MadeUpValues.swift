// Licensed under the MIT License. See LICENSE.

import MSALCore
package import MSALSupport

// What the product MSALTesting makes accounts and results of.

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
    /// A result of values, as one from the store. Identifier and tenant are the user's in the token's tenant.
    package convenience init(
        accessToken: Secret,
        tokenType: String,
        scopes: [String],
        expiresOn: Date,
        account: MSALAccount,
        identifier: String?,
        tenantID: String?,
        idToken: Secret?,
        authority: MSALAuthority?,
        correlationID: UUID
    ) {
        let idToken = idToken ?? account.snapshot.idToken
        let profile = TenantProfileSnapshot(
            identifier: identifier,
            tenantID: tenantID,
            environment: account.environment,
            isHome: tenantID == account.homeAccountId?.tenantId,
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
                accessToken: accessToken,
                tokenType: tokenType,
                expiresOn: expiresOn,
                scopes: ScopeSet(scopes),
                holder: holder,
                correlationID: correlationID,
                source: .cache
            )
        )
    }
}
