// Licensed under the MIT License. See LICENSE.

import MSAL

@testable import MSALBase

extension CacheRecord {
    /// The account of a fictitious Contoso user.
    static func account(of uid: String, environment: String = Contoso.environment) -> CacheRecord {
        .account(
            AccountRecord(
                homeAccountID: "\(uid).\(Contoso.tenant)",
                environment: environment,
                realm: Contoso.tenant,
                localAccountID: uid,
                username: "\(uid)@contoso.example"
            )
        )
    }

    /// The records that make this user signed in.
    static func refreshToken(
        of uid: String,
        environment: String = Contoso.environment,
        clientID: String = Contoso.clientID
    ) -> CacheRecord {
        .refreshToken(
            RefreshTokenRecord(
                homeAccountID: "\(uid).\(Contoso.tenant)",
                environment: environment,
                clientID: clientID,
                secret: Secret("secret-refresh-token")
            )
        )
    }
}
