// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport

/// The user that a response's tokens belong to.
struct TokenOwner: Sendable {
    /// `<uid>.<utid>`, lower case: the key of the account in the token store.
    let homeAccountID: String
    /// `nil` for an account of another library whose identifier does not name it.
    let homeTenantID: String?
    /// The response's `client_info` as received; `nil` where it had none.
    let clientInfo: String?

    /// The owner that the service names.
    init(_ clientInfo: ClientInfo) {
        homeAccountID = clientInfo.homeAccountID
        homeTenantID = clientInfo.utid
        self.clientInfo = clientInfo.raw
    }

    /// The account whose refresh token was spent.
    init(of token: RefreshTokenRecord) {
        homeAccountID = token.homeAccountID
        homeTenantID = AccountReference(homeAccountID: token.homeAccountID, username: nil).homeTenantID
        clientInfo = nil
    }

    /// The user of an id token whose signature was verified; `nil` if it does not say who that is.
    ///
    /// A guest counts as a separate account of the tenant that issued the token.
    init?(verified claims: IDTokenClaims) {
        guard let objectID = claims.objectID, let tenantID = claims.tenantID,
            !objectID.hasControlCharacters, !tenantID.hasControlCharacters
        else { return nil }
        homeAccountID = "\(objectID).\(tenantID)".lowercased()
        homeTenantID = tenantID
        clientInfo = nil
    }
}
