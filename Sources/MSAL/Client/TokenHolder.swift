// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport

/// The user of a token, as all tokens of an account in one tenant have it in common.
///
/// An object, so that a result that is handed on, or one of thousands that are remembered, takes one reference to it.
package final class TokenHolder: Sendable, Hashable {
    let idToken: Secret?
    let account: AccountSnapshot
    /// The user as the token's tenant knows it.
    let tenantProfile: TenantProfileSnapshot
    /// To be used for later silent calls.
    let authority: Authority

    init(
        idToken: Secret? = nil,
        account: AccountSnapshot,
        tenantProfile: TenantProfileSnapshot,
        authority: Authority
    ) {
        self.idToken = idToken
        self.account = account
        self.tenantProfile = tenantProfile
        self.authority = authority
    }

    package static func == (left: TokenHolder, right: TokenHolder) -> Bool {
        left === right
            || left.account == right.account
                && left.tenantProfile == right.tenantProfile
                && left.authority == right.authority
                && left.idToken == right.idToken
    }

    /// Hashes what tells holders of one process apart; the rest is left to `==`.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(account.homeAccountID)
        hasher.combine(tenantProfile.tenantID)
    }
}
