// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSAL
import MSALBase
package import SealedStore

/// Token responses that carry a number in every record, so that a half of one is seen at once.
package enum Numbered {
    package static let clientID = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
    package static let tenant = "11111111-1111-4111-8111-111111111111"
    package static let environment = "login.windows.net"
    package static let scope = "Fake.Scope.Read"
    /// Long enough ago that no clock is before it, and tokens that live for a century do not run out.
    package static let now = Date(timeIntervalSince1970: 1_700_000_000)
    private static let century: TimeInterval = 3_200_000_000

    package static func homeAccountID(_ account: Int) -> String { "fake-person-\(account).\(tenant)" }
    package static func username(_ account: Int, _ number: Int) -> String {
        "user-\(account)-\(number)@contoso.example"
    }
    package static func accessToken(_ account: Int, _ number: Int) -> String { "fake-at-\(account)-\(number)" }
    package static func refreshToken(_ account: Int, _ number: Int) -> String { "fake-rt-\(account)-\(number)" }
    package static func idToken(_ account: Int, _ number: Int) -> String { "fake-id-\(account)-\(number)" }

    /// A response for an account: access, refresh and ID token and the account's record.
    ///
    /// `hasRefreshToken`: Without one the response is stored less durably.
    /// `padding`: Characters behind the access token's secret; real ones have about 1,500.
    package static func save(
        account: Int,
        number: Int,
        padding: Int = 0,
        hasRefreshToken: Bool = true,
        redeemed: RefreshTokenRecord? = nil
    ) -> TokenSave {
        let secret = accessToken(account, number) + (padding > 0 ? "." + String(repeating: "x", count: padding) : "")
        var save = TokenSave(
            environment: environment,
            environments: [environment],
            realm: tenant,
            homeAccountID: homeAccountID(account),
            requestAuthority: URL(filePath: "/common"),
            resultAuthority: URL(filePath: "/common"),
            now: now
        )
        save.accessToken = TokenSave.AccessToken(secret: Secret(secret), target: scope, expiresOn: now + century)
        save.refreshToken = hasRefreshToken ? Secret(refreshToken(account, number)) : nil
        save.idToken = Secret(idToken(account, number))
        save.account = AccountRecord(
            homeAccountID: homeAccountID(account),
            environment: environment,
            realm: tenant,
            username: username(account, number)
        )
        save.redeemedRefreshToken = redeemed
        return save
    }

    /// A response whose access token ended long ago.
    package static func expired(account: Int, number: Int) -> TokenSave {
        var save = save(account: account, number: number)
        save.accessToken?.expiresOn = now + 60
        return save
    }

    /// The records of a response as a store keeps them, without the rules of saving.
    package static func records(account: Int, number: Int) -> [CacheRecord] {
        let id = homeAccountID(account)
        return [
            .accessToken(
                AccessTokenRecord(
                    homeAccountID: id,
                    environment: environment,
                    clientID: clientID,
                    realm: tenant,
                    target: scope,
                    secret: Secret(accessToken(account, number)),
                    life: TokenLife(cachedAt: now, expiresOn: now + century)
                )
            ),
            .refreshToken(
                RefreshTokenRecord(
                    homeAccountID: id,
                    environment: environment,
                    clientID: clientID,
                    secret: Secret(refreshToken(account, number))
                )
            ),
            .idToken(
                IDTokenRecord(
                    homeAccountID: id,
                    environment: environment,
                    clientID: clientID,
                    realm: tenant,
                    secret: Secret(idToken(account, number))
                )
            ),
            .account(
                AccountRecord(
                    homeAccountID: id,
                    environment: environment,
                    realm: tenant,
                    username: username(account, number)
                )
            ),
        ]
    }

    /// The numbers of the records an account has, by kind; one value everywhere if nothing was torn.
    package static func numbers(of account: Int, in store: any TokenStore) throws(StoreError) -> AccountNumbers {
        try store.read { (reading) throws(StoreError) -> AccountNumbers in
            let id = homeAccountID(account)
            func number(_ kind: RecordKind) throws(StoreError) -> Int? {
                let records = try reading.records(RecordFilter(kind, homeAccountID: id))
                return records.first.flatMap(Self.number)
            }
            return AccountNumbers(
                accessToken: try number(.accessToken),
                refreshToken: try number(.refreshToken),
                idToken: try number(.idToken),
                account: try number(.account)
            )
        }
    }

    private static func number(_ record: CacheRecord) -> Int? {
        let text: String? =
            switch record {
            case .accessToken(let token): token.secret.exposed
            case .refreshToken(let token): token.secret.exposed
            case .idToken(let token): token.secret.exposed
            case .account(let account): account.username
            case .appMetadata, .accountMetadata: nil
            }
        let stem = text?.split(separator: ".").first?.split(separator: "@").first
        return stem?.split(separator: "-").last.flatMap { Int($0) }
    }
}

/// The number in each record of an account; `nil` where there is none.
package struct AccountNumbers: Sendable, Hashable {
    package let accessToken: Int?
    package let refreshToken: Int?
    package let idToken: Int?
    package let account: Int?

    /// Whether all four are of one response, or the three tokens are gone after a sign-out.
    package var isWhole: Bool {
        accessToken == refreshToken && refreshToken == idToken && (accessToken == nil || accessToken == account)
    }
}

/// Random numbers that can be had again: SplitMix64 (Steele, Lea, Flood 2014).
package struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
