// Licensed under the MIT License. See LICENSE.

public import Foundation
public import MSAL
import MSALBase

extension MSALResult {
    /// A token made of values, as one from the store.
    ///
    /// ```swift
    /// MSALResult(accessToken: "a token", account: megan, parameters: parameters)
    /// ```
    ///
    /// - Parameters:
    ///   - accessToken: The access token; no form is asked of it.
    ///   - account: The account of the token.
    ///   - parameters: The request that the result is for. The result has its scopes, its authority, its scheme and its
    ///     correlation id. Without them it has the common authority, the scheme `Bearer` and a random id.
    ///   - expiresOn: The end of the access token; in an hour unless given.
    ///   - claims: The claims of the id token; those of the account unless given.
    public convenience init(
        accessToken: String,
        account: MSALAccount,
        parameters: MSALTokenParameters = MSALTokenParameters(scopes: []),
        expiresOn: Date = Date(timeIntervalSinceNow: 3600),
        claims: [String: any Encodable & Sendable] = [:]
    ) {
        let home = account.homeAccountId
        let scheme = parameters.authenticationScheme?.authenticationScheme ?? "Bearer"
        self.init(
            token: (Secret(accessToken), scheme, parameters.scopes, expiresOn),
            account: account,
            user: (
                claims["oid"] as? String ?? home?.objectId,
                claims["tid"] as? String ?? home?.tenantId,
                Secret(unsignedTokenOf: claims)
            ),
            authority: parameters.authority,
            correlationID: parameters.correlationId ?? UUID()
        )
    }
}
