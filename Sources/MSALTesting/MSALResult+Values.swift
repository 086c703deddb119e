// Licensed under the MIT License. See LICENSE.

public import Foundation
public import MSAL
import MSALBase

extension MSALResult {
    /// Creates a result from values, like one from the store.
    ///
    /// ```swift
    /// MSALResult(accessToken: "a token", account: megan, parameters: parameters)
    /// ```
    ///
    /// - Parameters:
    ///   - accessToken: The access token, in any format.
    ///   - account: The account of the token.
    ///   - parameters: The request that the result is for. The result uses its scopes, authority, scheme, and
    ///     correlation ID. Without them, it has the common authority, the scheme `Bearer`, and a random ID.
    ///   - expiresOn: The expiry of the access token; by default, in an hour.
    ///   - claims: The claims of the ID token; by default, those of the account.
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
