// Licensed under the MIT License. See LICENSE.

private import Crypto
import MSALBase
import MSALCore

/// The identity of a silent request: two equal ones want the same token. One stored token serves all requests of one
/// identity.
///
/// Each step of a silent request uses it. The memory compares all of it, the store is asked with the `query` that is
/// made of it, and shared redemptions and the throttle use a ``RefreshKey`` that is made of it.
///
/// It is an object, which parameters keep: a repeated request then counts one reference, and not those of all its texts.
package final class RequestIdentity: Sendable, Hashable {
    let account: AccountReference
    /// The authority that the app named; `nil` for the configured one.
    let authority: Authority?
    let scopes: ScopeSet
    /// The claims of the request; `nil` if the request asks for none.
    let claims: JSONValue?
    /// The key of a bound token; `nil` for bearer tokens.
    let keyID: String?
    let isAuthorityValidated: Bool
    /// The hash of the members by which requests of one process usually differ. `==` compares the others, too.
    let hash: Int

    init(
        account: AccountReference,
        authority: Authority? = nil,
        scopes: ScopeSet,
        claims: JSONValue? = nil,
        keyID: String? = nil,
        isAuthorityValidated: Bool = true
    ) {
        self.account = account
        self.authority = authority
        self.scopes = scopes
        self.claims = claims?.object?.isEmpty == true ? nil : claims
        self.keyID = keyID
        self.isAuthorityValidated = isAuthorityValidated
        var hasher = Hasher()
        hasher.combine(account.homeAccountID)
        hasher.combine(scopes)
        hasher.combine(authority?.address)
        hasher.combine(keyID)
        hash = hasher.finalize()
    }

    var withoutClaims: RequestIdentity { claims == nil ? self : copied(claims: nil) }

    /// An equal object, so that each thread can keep one of its own.
    func copied() -> RequestIdentity { copied(claims: claims) }

    private func copied(claims: JSONValue?) -> RequestIdentity {
        RequestIdentity(
            account: account,
            authority: authority,
            scopes: scopes,
            claims: claims,
            keyID: keyID,
            isAuthorityValidated: isAuthorityValidated
        )
    }

    /// The type of the token on the wire and in the store.
    var tokenType: String { keyID == nil ? "Bearer" : "Pop" }

    package static func == (left: RequestIdentity, right: RequestIdentity) -> Bool {
        left === right
            || left.hash == right.hash
                && left.account == right.account
                && left.authority == right.authority
                && left.scopes == right.scopes
                && left.claims == right.claims
                && left.keyID == right.keyID
                && left.isAuthorityValidated == right.isAuthorityValidated
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension RequestIdentity {
    /// The query that finds the stored tokens of this request.
    ///
    /// `realms`: The tenant in which the token is wanted, if the request names one; and the tenants that serve as well.
    func query(
        homeAccountID: String,
        environments: [String],
        realms: (wanted: String?, alternatives: [String])
    ) -> AccessTokenQuery {
        AccessTokenQuery(
            homeAccountID: homeAccountID,
            environments: environments,
            realm: realms.wanted,
            alternativeRealms: realms.alternatives,
            scopes: scopes,
            tokenType: tokenType,
            keyID: keyID
        )
    }
}

/// The identity of a redemption of a refresh token. Equal redemptions at the same time are one. A redemption that
/// failed is not repeated at once.
package struct RefreshKey: Sendable, Hashable {
    /// The request as it is sent. Requests that differ in spelling only are equal.
    private(set) var request: RequestIdentity
    let endpoint: URL
    let clientID: String
    /// The digest of the refresh token. A failure is remembered for longer than the token may live, so the token itself
    /// is not kept.
    let refreshToken: Data
    /// Whether the refresh is forced. Such a refresh must not get the token that another refresh found in the store
    /// meanwhile.
    var isForced = false
    var queryParameters: [String: String] = [:]

    /// `authority`: The authority that is asked, with the account's tenant.
    init(
        _ request: RequestIdentity,
        homeAccountID: String,
        authority: Authority,
        endpoint: URL,
        clientID: String,
        refreshToken: Secret
    ) {
        self.request = RequestIdentity(
            account: AccountReference(homeAccountID: homeAccountID, username: nil),
            authority: authority,
            scopes: ScopeSet(request.scopes.normalized.sorted()),
            claims: request.claims,
            keyID: request.keyID,
            isAuthorityValidated: request.isAuthorityValidated
        )
        self.endpoint = endpoint
        self.clientID = clientID
        self.refreshToken = Data(SHA256.hash(data: Data(refreshToken.exposed.utf8)))
    }

    /// The key under which a failure is remembered, however the request is repeated.
    var ofAnyRepetition: RefreshKey {
        var copy = self
        copy.isForced = false
        copy.queryParameters = [:]
        return copy
    }

    /// The key for this request with any claims. A busy service is left alone for all of them.
    var withoutClaims: RefreshKey {
        var copy = self
        copy.request = request.withoutClaims
        return copy
    }

    /// The key as one text, for other processes.
    var pauseName: String {
        [
            endpoint.absoluteString, clientID, refreshToken.base64EncodedString(), request.scopes.text,
            request.keyID ?? "",
        ].joined(separator: "\u{1F}")
    }
}
