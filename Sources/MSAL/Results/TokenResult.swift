// Licensed under the MIT License. See LICENSE.

package import MSALBase
package import MSALCore

/// A token with what is known about it and its user.
package struct TokenResult: Sendable {
    /// Empty if the service returned only an ID token.
    package var accessToken: Secret
    package var tokenType: String
    package var expiresOn: Date
    package var isExtendedLifetime = false
    var scopes: ScopeSet
    package var holder: TokenHolder
    package var correlationID: UUID
    package var source: TokenSource
    /// `false` if the store could not be written: the next process has to request a token again.
    package var isPersisted = true
    /// Whether the ID token's signature was checked for this result; what comes from the store is not checked again.
    package var isIDTokenSignatureVerified = false
}

/// A result that many calls return. It is an object, so that each of them retains one reference and not all members.
final class SharedTokenResult: Sendable {
    let result: TokenResult

    init(_ result: TokenResult) { self.result = result }

    /// The result with a text of its own. Then two threads that give it out at the same time write nothing that both
    /// have.
    func copied() -> SharedTokenResult {
        var result = result
        result.accessToken = Secret(String(decoding: Array(result.accessToken.exposed.utf8), as: UTF8.self))
        return SharedTokenResult(result)
    }
}

extension TokenResult {
    package var idToken: Secret? { holder.idToken }
    package var account: AccountSnapshot { holder.account }
    /// The user as the token's tenant knows it.
    package var tenantProfile: TenantProfileSnapshot { holder.tenantProfile }
    /// The authority for later silent calls.
    package var authority: Authority { holder.authority }
}

/// The user of a token, as all tokens of an account in one tenant have it in common.
///
/// It is an object: a result that is copied, or remembered among thousands, takes one reference to it.
package final class TokenHolder: Sendable, Hashable {
    let idToken: Secret?
    let account: AccountSnapshot
    /// The user as the token's tenant knows it.
    let tenantProfile: TenantProfileSnapshot
    /// The authority for later silent calls.
    let authority: Authority

    init(idToken: Secret? = nil, account: AccountSnapshot, tenantProfile: TenantProfileSnapshot, authority: Authority) {
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

    /// Only the members by which holders of one process usually differ are hashed. `==` compares the others.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(account.homeAccountID)
        hasher.combine(tenantProfile.tenantID)
    }
}

/// The source of a token, and the reason for it.
package enum TokenSource: Sendable, Hashable {
    /// The store holds the token, and it is good enough.
    case cache
    /// The store holds the token. A renewal was due and failed.
    case cacheAfterFailedRefresh
    case refresh(RefreshReason)
    case browser
    /// A sign-in in a browser elsewhere, with a code.
    case deviceCode
    /// A sign-in in the app's own interface.
    case native
    /// The identity broker of this machine. Its tokens are in memory only.
    case broker(asksUser: Bool)
}

/// Why a refresh token was redeemed.
package enum RefreshReason: Sendable, Hashable {
    case forced, claimsRequested, noAccessToken, accessTokenExpired, refreshDue
}
