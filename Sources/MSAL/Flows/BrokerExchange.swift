// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// The parts of a request to the broker that its response must match.
struct BrokerExchange: Sendable {
    var token: TokenRequest
    /// The authority as the app asked for it; later silent calls with it find the one of the result.
    var requestAuthority: Authority
    /// The authority that is asked, perhaps with the account's tenant.
    var authority: Authority
    /// The account that was sent.
    var account: BrokerAccount?
    /// The account that the token must belong to; `nil` where the user or the broker may choose.
    var homeAccountID: String?
    /// Whether the user is asked.
    var asksUser = false
    /// Whether a sign-in is under way: its response signs in an account even if the user signed it out of this app
    /// before.
    var isSignIn = false
}

extension BrokerExchange {
    /// The request as the broker gets it.
    func request(of app: ClientConfiguration.App) -> BrokerTokenRequest {
        var request = BrokerTokenRequest(
            clientID: app.clientID,
            authority: authority.url,
            scopes: token.scopes.values,
            correlationID: token.correlationID
        )
        request.account = account
        request.claims = ClaimsRequest.merged(capabilities: app.capabilities, claims: token.claims)
        request.extraQueryParameters = app.extraQueryParameters.merging(token.extraQueryParameters) { $1 }
        request.proof = token.proof
        return request
    }
}

/// A token of the broker that passed all checks.
struct BrokerGrant: Sendable {
    var result: TokenResult
    /// The user as the token's tenant knows it.
    let profile: AccountRecord
    let life: TokenLife
}
