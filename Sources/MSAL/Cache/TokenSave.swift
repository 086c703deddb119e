// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase
import SealedStore

/// The values of one token response that the cache stores.
package struct TokenSave: Sendable {
    /// The access token of a response.
    package struct AccessToken: Sendable {
        var secret: Secret
        /// The granted scopes as the server wrote them.
        var target: String
        package var expiresOn: Date
        var extendedExpiresOn: Date?
        var refreshOn: Date?
        var tokenType: String
        var keyID: String?

        package init(
            secret: Secret,
            target: String,
            expiresOn: Date,
            extendedExpiresOn: Date? = nil,
            refreshOn: Date? = nil,
            tokenType: String = "Bearer",
            keyID: String? = nil
        ) {
            self.secret = secret
            self.target = target
            self.expiresOn = expiresOn
            self.extendedExpiresOn = extendedExpiresOn
            self.refreshOn = refreshOn
            self.tokenType = tokenType
            self.keyID = keyID
        }
    }

    /// The host of the new records: the cloud's preferred cache host.
    var environment: String
    /// All aliases of that host. Older records under any of them are replaced.
    var environments: [String]
    /// The tenant: `tid` of the ID token, otherwise the tenant of the authority.
    var realm: String
    var homeAccountID: String
    package var accessToken: AccessToken?
    package var refreshToken: Secret?
    /// `foci` of the response.
    var familyID: String?
    package var idToken: Secret?
    /// The new account record, which is merged into the stored one. `nil` leaves the stored records unchanged.
    package var account: AccountRecord?
    /// Whether to keep the user's names in a stored record, even if `account` has others.
    var keepsUser = false
    /// The authority of the request, and the authority of the returned tokens
    /// (docs/reference/Protocol.md#silent-authority).
    var requestAuthority: URL
    var resultAuthority: URL
    var now: Date
    /// For silent requests: the redeemed refresh token. If the store no longer has it, nothing is saved.
    package var redeemedRefreshToken: RefreshTokenRecord?
    /// The lease on that refresh token. It is released with the response.
    var lease: RefreshLease?
    /// Whether to delete the tokens of every account of this client in the same transaction, before saving these
    /// (docs/reference/Cache.md#one-account).
    var replacesAccounts = false
    var instanceAware = false

    package init(
        environment: String,
        environments: [String],
        realm: String,
        homeAccountID: String,
        requestAuthority: URL,
        resultAuthority: URL,
        now: Date
    ) {
        self.environment = environment
        self.environments = environments
        self.realm = realm
        self.homeAccountID = homeAccountID
        self.requestAuthority = requestAuthority
        self.resultAuthority = resultAuthority
        self.now = now
    }
}

extension TokenSave {
    /// A new refresh token must survive a power failure: the service may not accept the old one again.
    var durability: Durability { refreshToken == nil ? .normal : .full }

    func accessTokenRecord(clientID: String) -> AccessTokenRecord? {
        accessToken.map { token in
            var record = AccessTokenRecord(
                homeAccountID: homeAccountID,
                environment: environment,
                clientID: clientID,
                realm: realm,
                target: token.target,
                secret: token.secret,
                life: TokenLife(
                    cachedAt: now.wholeSeconds,
                    expiresOn: token.expiresOn.wholeSeconds,
                    extendedExpiresOn: token.extendedExpiresOn?.wholeSeconds,
                    refreshOn: token.refreshOn?.wholeSeconds
                )
            )
            (record.tokenType, record.keyID) = (token.tokenType, token.keyID)
            return record
        }
    }

    func idTokenRecord(clientID: String) -> IDTokenRecord? {
        idToken.map { secret in
            IDTokenRecord(
                homeAccountID: homeAccountID,
                environment: environment,
                clientID: clientID,
                realm: realm,
                secret: secret
            )
        }
    }

    /// The records of the refresh token. With a family, there are two with the same secret: one for the family and one
    /// for the client.
    func refreshTokenRecords(clientID: String) -> [RefreshTokenRecord] {
        guard let refreshToken else { return [] }
        let families = [familyID, nil].filter { $0?.isEmpty != true }
        return Set(families).map { familyID in
            RefreshTokenRecord(
                homeAccountID: homeAccountID,
                environment: environment,
                clientID: clientID,
                secret: refreshToken,
                familyID: familyID,
                lastModified: now.wholeSeconds
            )
        }
    }

    var accountRecord: AccountRecord? {
        var record = account
        record?.lastModified = now.wholeSeconds
        return record
    }
}
