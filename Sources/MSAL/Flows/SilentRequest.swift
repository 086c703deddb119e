// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// A request for a token without the user's help, with its identity. Parameters of the app keep it.
package struct SilentRequest: Sendable {
    package private(set) var token: TokenRequest
    package let account: AccountReference?
    package var forceRefresh: Bool
    /// Whether the own refresh token may be redeemed where the identity broker has the account, too.
    package var mayUseOwnRefreshToken: Bool
    /// The identity by which memory, store, and refresh find the token.
    package let identity: RequestIdentity

    package init(
        token: TokenRequest,
        account: AccountReference?,
        forceRefresh: Bool = false,
        mayUseOwnRefreshToken: Bool = true,
        isAuthorityValidated: Bool = true
    ) {
        self.token = token
        self.account = account
        self.forceRefresh = forceRefresh
        self.mayUseOwnRefreshToken = mayUseOwnRefreshToken
        identity = RequestIdentity(
            account: account ?? AccountReference(homeAccountID: nil, username: nil),
            authority: token.authority,
            scopes: token.scopes,
            claims: token.claims,
            keyID: token.keyID,
            isAuthorityValidated: isAuthorityValidated
        )
    }

    /// Whether a token in memory or in the store may serve the request: it asks neither for a fresh token nor for claims.
    package var acceptsStoredToken: Bool { !forceRefresh && identity.claims == nil }

    /// The same request in another call, with the members that are not part of its identity.
    func with(
        correlationID: UUID,
        extraQueryParameters: [String: String],
        mayUseOwnRefreshToken: Bool
    ) -> SilentRequest {
        var copy = self
        copy.token.correlationID = correlationID
        copy.token.extraQueryParameters = extraQueryParameters
        copy.mayUseOwnRefreshToken = mayUseOwnRefreshToken
        return copy
    }

    /// The request with another part that its identity depends on.
    func with(
        token: TokenRequest? = nil,
        account: AccountReference? = nil,
        isAuthorityValidated: Bool? = nil
    ) -> SilentRequest {
        SilentRequest(
            token: token ?? self.token,
            account: account ?? self.account,
            forceRefresh: forceRefresh,
            mayUseOwnRefreshToken: mayUseOwnRefreshToken,
            isAuthorityValidated: isAuthorityValidated ?? identity.isAuthorityValidated
        )
    }
}

/// A silent request that memory cannot serve, with the authority that the store has for its account.
struct ResolvedSilentRequest: Sendable {
    let request: SilentRequest
    let homeAccountID: String
    /// The authority as the app named it. Later requests with it find the authority of the result.
    let requestAuthority: Authority
    /// The authority that is asked, with the account's tenant put in.
    let authority: Authority
    /// The reason why the store alone cannot serve the request, as far as it is known.
    var reason: RefreshReason

    init(_ request: SilentRequest, homeAccountID: String, requestAuthority: Authority, authority: Authority) {
        self.request = request
        self.homeAccountID = homeAccountID
        self.requestAuthority = requestAuthority
        self.authority = authority
        reason =
            request.forceRefresh ? .forced : request.identity.claims == nil ? .noAccessToken : .claimsRequested
    }
}

extension RefreshKey {
    /// The key of a redemption for a silent request.
    init(_ search: ResolvedSilentRequest, endpoint: URL, clientID: String, refreshToken: Secret) {
        self.init(
            search.request.identity,
            homeAccountID: search.homeAccountID,
            authority: search.authority,
            endpoint: endpoint,
            clientID: clientID,
            refreshToken: refreshToken
        )
        isForced = search.request.forceRefresh
        queryParameters = search.request.token.extraQueryParameters
    }
}
