// Licensed under the MIT License. See LICENSE.

import Foundation

@testable import MSAL
@testable import MSALCore
@testable import MSALSupport
@testable import SealedStore

/// The contents of a store: a number of access tokens and the records that belong to them.
struct Contents {
    static let clientID = "00000000-0000-4000-8000-000000000001"
    static let tenant = "11111111-1111-1111-1111-111111111111"
    static let host = "login.microsoftonline.com"
    static let cacheHost = "login.windows.net"

    /// The distribution of the tokens over accounts.
    enum Spread: String, CaseIterable {
        /// Up to ten tokens for each account.
        case overAccounts = "spread"
        case oneAccount = "one-account"
    }

    let tokens: Int
    let spread: Spread
    let now = Date()

    var accounts: Int {
        switch spread {
        case .overAccounts: (tokens + 9) / 10
        case .oneAccount: 1
        }
    }

    /// The token in the middle, so that neither end is favoured.
    var target: Int { tokens / 2 }

    var homeAccountID: String { homeAccountID(ofToken: target) }

    /// A query that finds the token in the middle.
    var query: AccessTokenQuery { query(target) }

    func homeAccountID(ofToken number: Int) -> String { Self.homeAccountID(account(of: number)) }

    func query(_ number: Int) -> AccessTokenQuery {
        AccessTokenQuery(
            homeAccountID: homeAccountID(ofToken: number),
            environments: [Self.cacheHost, Self.host],
            realm: Self.tenant,
            scopes: ScopeSet([Self.scope(number)])
        )
    }

    static func scope(_ number: Int) -> String { "api://service-\(number)/read" }

    func fill(_ store: any TokenStore) throws {
        let size = 2000
        for start in stride(from: 0, to: tokens, by: size) {
            let numbers = start..<Swift.min(start + size, tokens)
            try store.write(.normal) { (transaction) throws(StoreError) in
                for number in numbers {
                    try transaction.save(.accessToken(accessToken(number)))
                    guard spread == .overAccounts ? number % 10 == 0 : number == 0 else { continue }
                    for record in records(ofAccount: account(of: number)) { try transaction.save(record) }
                }
            }
        }
        try store.write(.normal) { (transaction) throws(StoreError) in
            for account in 0..<accounts {
                let id = Self.homeAccountID(account)
                var metadata = AccountMetadataRecord(clientID: Self.clientID, homeAccountID: id)
                metadata.accounts[id] = AccountMetadata(signInState: .signedIn)
                try transaction.save(.accountMetadata(metadata))
            }
        }
    }

    /// A response for the token in the middle, as it is saved.
    func response(refreshToken: Bool) throws -> TokenSave {
        guard let authority = URL(string: "https://\(Self.host)/\(Self.tenant)") else { throw URLError(.badURL) }
        let secret = Secret(String(repeating: "s", count: 1600))
        return TokenSave(
            environment: Self.cacheHost,
            environments: [Self.cacheHost, Self.host],
            realm: Self.tenant,
            homeAccountID: homeAccountID,
            accessToken: TokenSave.AccessToken(
                secret: secret,
                target: Self.scope(target),
                expiresOn: now.addingTimeInterval(3600)
            ),
            refreshToken: refreshToken ? secret : nil,
            requestAuthority: authority,
            resultAuthority: authority,
            now: now
        )
    }

    private func account(of number: Int) -> Int {
        switch spread {
        case .overAccounts: number / 10
        case .oneAccount: 0
        }
    }

    private static func homeAccountID(_ account: Int) -> String { "user-\(account).\(tenant)" }

    private func accessToken(_ number: Int) -> AccessTokenRecord {
        AccessTokenRecord(
            homeAccountID: Self.homeAccountID(account(of: number)),
            environment: Self.cacheHost,
            clientID: Self.clientID,
            realm: Self.tenant,
            target: Self.scope(number),
            secret: Secret(String(repeating: "t", count: 1600)),
            cachedAt: now.addingTimeInterval(-60),
            expiresOn: now.addingTimeInterval(7200)
        )
    }

    private func records(ofAccount account: Int) -> [CacheRecord] {
        let homeAccountID = Self.homeAccountID(account)
        let claims: JSONValue = .object([
            "aud": .string(Self.clientID), "tid": .string(Self.tenant), "oid": .string("user-\(account)"),
            "preferred_username": .string("user-\(account)@contoso.example"), "name": .string("User \(account)"),
        ])
        let payload = Base64URL.encode(Array(claims.text.utf8))
        return [
            .refreshToken(
                RefreshTokenRecord(
                    homeAccountID: homeAccountID,
                    environment: Self.cacheHost,
                    clientID: Self.clientID,
                    secret: Secret(String(repeating: "r", count: 1200) + "\(account)")
                )
            ),
            .idToken(
                IDTokenRecord(
                    homeAccountID: homeAccountID,
                    environment: Self.cacheHost,
                    clientID: Self.clientID,
                    realm: Self.tenant,
                    secret: Secret("e30.\(payload).c2ln")
                )
            ),
            .account(
                AccountRecord(
                    homeAccountID: homeAccountID,
                    environment: Self.cacheHost,
                    realm: Self.tenant,
                    localAccountID: "user-\(account)",
                    username: "user-\(account)@contoso.example"
                )
            ),
        ]
    }
}
