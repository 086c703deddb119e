// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// A store with a number of signed-in accounts, and the calls that are measured on it.
struct Bench {
    static let clientID = "00000000-0000-4000-8000-000000000001"
    static let tenant = "11111111-1111-1111-1111-111111111111"
    static let host = "login.microsoftonline.com"
    static let cacheHost = "login.windows.net"

    let store: any TokenStore
    let accounts: Int
    let now = Date()

    /// Fills `store` with one access token, refresh token, id token and record for each account.
    init(_ store: any TokenStore, accounts: Int) throws {
        self.store = store
        self.accounts = accounts
        let now = now
        try store.write(.normal) { (transaction) throws(StoreError) in
            for number in 0..<accounts {
                for record in Self.records(of: number, now: now) { try transaction.save(record) }
            }
        }
    }

    /// The account in the middle, so that neither end is favoured.
    var homeAccountID: String { Self.homeAccountID(accounts / 2) }

    var query: AccessTokenQuery {
        AccessTokenQuery(
            homeAccountID: homeAccountID,
            environments: [Self.cacheHost, Self.host],
            realm: Self.tenant,
            scopes: ScopeSet(["User.Read"])
        )
    }

    private static func homeAccountID(_ number: Int) -> String { "user-\(number).\(tenant)" }

    private static func records(of number: Int, now: Date) -> [CacheRecord] {
        let account = homeAccountID(number)
        let claims: JSONValue = .object([
            "aud": .string(clientID), "tid": .string(tenant), "oid": .string("user-\(number)"),
            "preferred_username": .string("user-\(number)@contoso.example"), "name": .string("User \(number)"),
        ])
        let payload = Base64URL.encode(Array(claims.text.utf8))
        return [
            .accessToken(
                AccessTokenRecord(
                    homeAccountID: account,
                    environment: cacheHost,
                    clientID: clientID,
                    realm: tenant,
                    target: "User.Read openid profile email",
                    secret: Secret(String(repeating: "t", count: 1600)),
                    cachedAt: now.addingTimeInterval(-60),
                    expiresOn: now.addingTimeInterval(3600)
                )
            ),
            .refreshToken(
                RefreshTokenRecord(
                    homeAccountID: account,
                    environment: cacheHost,
                    clientID: clientID,
                    secret: Secret(String(repeating: "r", count: 1200) + "\(number)")
                )
            ),
            .idToken(
                IDTokenRecord(
                    homeAccountID: account,
                    environment: cacheHost,
                    clientID: clientID,
                    realm: tenant,
                    secret: Secret("e30.\(payload).c2ln")
                )
            ),
            .account(
                AccountRecord(
                    homeAccountID: account,
                    environment: cacheHost,
                    realm: tenant,
                    localAccountID: "user-\(number)",
                    username: "user-\(number)@contoso.example"
                )
            ),
        ]
    }
}
