// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import SealedStore
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// A store of each kind, empty, in a directory that no other test uses.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
    case memory, sqlite, plain

    var testDescription: String { rawValue }

    /// Runs `body` with a new store and removes its directory afterwards.
    func withStore<R>(cap: Int = MemoryStore.defaultCap, _ body: (any TokenStore) throws -> R) throws -> R {
        switch self {
        case .memory: try body(MemoryStore(cap: cap))
        case .sqlite: try withStore(cap, SingleKeySource(HeldKeys()), body)
        case .plain: try withStore(cap, SingleKeySource(nil), body)
        }
    }

    private func withStore<R>(
        _ cap: Int,
        _ keys: SingleKeySource,
        _ body: (any TokenStore) throws -> R
    ) throws -> R {
        try withTemporaryDirectory { try body(SQLiteStore(location: location(in: $0), keys: keys, cap: cap)) }
    }
}

/// A store whose key is in `keys`; by default in a file next to it.
func encryptedStore(in location: StoreLocation, _ keys: any KeyProvider = KeyFileKeys()) -> SQLiteStore {
    SQLiteStore(location: location, keys: SingleKeySource(keys))
}

func location(in directory: URL, group: String = "group") throws -> StoreLocation {
    try StoreLocation(group: group, environment: ["MSAL_STORE_DIR": directory.path])
}

/// Sample records of one person, Alice, for one client.
enum Sample {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let tenant = "11111111-1111-4111-8111-111111111111"
    static let guestTenant = "22222222-2222-4222-8222-222222222222"
    static let alice = "a11ce000-0000-4000-8000-000000000001.\(tenant)"
    static let client = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"
    static let otherClient = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"
    static let environment = "login.windows.net"
    static let aliases = ["login.windows.net", "login.microsoftonline.com"]
    static let authority = URL(filePath: "/common")
    static let resultAuthority = URL(filePath: "/\(tenant)")

    static func accessToken(
        _ secret: String = "fake-at",
        account: String = alice,
        client: String = client,
        environment: String = environment,
        realm: String = tenant,
        target: String = "User.Read openid profile",
        life: TimeInterval = 3600,
        cachedAt: Date = now,
        extended: TimeInterval? = nil,
        refresh: TimeInterval? = nil,
        tokenType: String = "Bearer",
        keyID: String? = nil,
        requestedClaims: String? = nil
    ) -> AccessTokenRecord {
        var record = AccessTokenRecord(
            homeAccountID: account,
            environment: environment,
            clientID: client,
            realm: realm,
            target: target,
            secret: Secret(secret),
            life: TokenLife(
                cachedAt: cachedAt,
                expiresOn: now + life,
                extendedExpiresOn: extended.map { now + $0 },
                refreshOn: refresh.map { now + $0 }
            )
        )
        (record.tokenType, record.keyID, record.requestedClaims) = (tokenType, keyID, requestedClaims)
        return record
    }

    static func refreshToken(
        _ secret: String = "fake-rt",
        client: String = client,
        environment: String = environment,
        family: String? = nil
    ) -> RefreshTokenRecord {
        RefreshTokenRecord(
            homeAccountID: alice,
            environment: environment,
            clientID: client,
            secret: Secret(secret),
            familyID: family,
            lastModified: now
        )
    }

    static func account(realm: String = tenant, username: String = "alice@contoso.example") -> AccountRecord {
        AccountRecord(homeAccountID: alice, environment: environment, realm: realm, username: username)
    }

    static func save(
        accessToken: String? = "fake-at",
        refreshToken: String? = "fake-rt",
        family: String? = nil,
        redeemed: RefreshTokenRecord? = nil
    ) -> TokenSave {
        var save = TokenSave(
            environment: environment,
            environments: aliases,
            realm: tenant,
            homeAccountID: alice,
            requestAuthority: authority,
            resultAuthority: resultAuthority,
            now: now
        )
        save.accessToken = accessToken.map {
            TokenSave.AccessToken(secret: Secret($0), target: "User.Read openid", expiresOn: now + 3600)
        }
        save.refreshToken = refreshToken.map { Secret($0) }
        (save.familyID, save.idToken, save.account) = (family, Secret("fake-id"), account())
        save.redeemedRefreshToken = redeemed
        return save
    }

    static func query(
        _ scopes: String = "user.read",
        realm: String? = tenant,
        alternativeRealms: [String] = [],
        tokenType: String = "Bearer",
        keyID: String? = nil
    ) -> AccessTokenQuery {
        AccessTokenQuery(
            homeAccountID: alice.uppercased(),
            environments: aliases,
            realm: realm,
            alternativeRealms: alternativeRealms,
            scopes: ScopeSet(parsing: scopes),
            tokenType: tokenType,
            keyID: keyID
        )
    }
}

extension TokenStore {
    func put(_ records: CacheRecord...) throws {
        try write(.normal) { (transaction) throws(StoreError) in
            for record in records { try transaction.save(record) }
        }
    }

    func all(_ kind: RecordKind) throws -> [CacheRecord] {
        try read { (store) throws(StoreError) in try store.records(RecordFilter(kind)) }
    }

    /// The secrets of all tokens, sorted.
    func secrets() throws -> [String] {
        try RecordKind.allCases.flatMap { try all($0) }.compactMap { $0.members["secret"]?.string }.sorted()
    }
}
