// Licensed under the MIT License. See LICENSE.

private import Crypto
import MSALCore
import MSALSupport

/// A redemption of a refresh token for a request. Equal ones at the same time are shared; a failed one is not repeated
/// at once.
package struct RefreshKey: Sendable, Hashable {
    /// The request in the form in which it is sent: requests that differ in spelling only are equal.
    private(set) var request: RequestIdentity
    let endpoint: URL
    let clientID: String
    /// The token's digest: a failure is remembered longer than the token may live.
    let refreshToken: Data
    /// A forced refresh must not get the token that an unforced one found stored meanwhile.
    private(set) var isForced: Bool
    private(set) var queryParameters: [String: String]

    /// `authority`: The one that is asked, with the account's tenant.
    init(
        _ request: RequestIdentity,
        homeAccountID: String,
        authority: Authority,
        endpoint: URL,
        clientID: String,
        refreshToken: Secret,
        isForced: Bool,
        queryParameters: [String: String]
    ) {
        self.request = request
        self.request.account = AccountReference(homeAccountID: homeAccountID, username: nil)
        self.request.authority = authority
        self.request.scopes = ScopeSet(request.scopes.normalized.sorted())
        self.endpoint = endpoint
        self.clientID = clientID
        self.refreshToken = Data(SHA256.hash(data: Data(refreshToken.exposed.utf8)))
        self.isForced = isForced
        self.queryParameters = queryParameters
    }

    /// The key under which a failure is remembered, however the request is repeated.
    var ofAnyRepetition: RefreshKey {
        var copy = self
        copy.isForced = false
        copy.queryParameters = [:]
        return copy
    }

    /// The same with any claims: a busy service is left alone for all of them.
    var withoutClaims: RefreshKey {
        var copy = self
        copy.request.claims = nil
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
