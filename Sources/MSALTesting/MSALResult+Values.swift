// Licensed under the MIT License. See LICENSE.

public import Foundation
public import MSAL
import MSALBase

extension MSALResult {
    /// A token made of values, as one from the store.
    ///
    /// - Parameters:
    ///   - accessToken: The access token; no form is asked of it.
    ///   - account: The account of the token.
    ///   - scopes: The scopes granted.
    ///   - expiresOn: The end of the access token; in an hour unless given.
    ///   - claims: The claims of the id token; those of the account unless given.
    ///   - authority: The authority to use for later silent calls; the common one unless given.
    ///   - authenticationScheme: `Bearer`, or `Pop` for a token that is bound to a key.
    ///   - correlationId: The id of the request.
    public convenience init(
        accessToken: String,
        account: MSALAccount,
        scopes: [String] = [],
        expiresOn: Date = Date(timeIntervalSinceNow: 3600),
        claims: [String: any Encodable & Sendable] = [:],
        authority: MSALAuthority? = nil,
        authenticationScheme: String = "Bearer",
        correlationId: UUID = UUID()
    ) {
        let home = account.homeAccountId
        self.init(
            token: (Secret(accessToken), authenticationScheme, scopes, expiresOn),
            account: account,
            user: (
                claims["oid"] as? String ?? home?.objectId,
                claims["tid"] as? String ?? home?.tenantId,
                Secret(unsignedTokenOf: claims)
            ),
            authority: authority,
            correlationID: correlationId
        )
    }
}
