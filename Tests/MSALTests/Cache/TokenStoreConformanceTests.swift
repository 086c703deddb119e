// Licensed under the MIT License. See LICENSE.

import Foundation
import SealedStore
import Testing

@testable import MSAL
@testable import MSALBase

/// The behavior that every token store must have.
@Suite struct TokenStoreConformanceTests {
    @Test(arguments: StoreKind.allCases)
    func `a new store is empty`(kind: StoreKind) throws {
        let secrets = try kind.withStore { try $0.secrets() }

        #expect(secrets.isEmpty)
    }

    @Test(arguments: StoreKind.allCases)
    func `each kind of record is read as it was saved`(kind: StoreKind) throws {
        var token = Sample.accessToken(extended: 7200, refresh: 1800, requestedClaims: "{}")
        token.additional = ["ext_cache_key": .string("x"), "wam": .object(["a": .integer(1)])]
        let metadata = AccountMetadataRecord(
            clientID: Sample.client,
            principalUsername: "alice",
            accounts: [
                Sample.alice: AccountMetadata(signInState: .signedIn, authorityMap: ["a": Sample.resultAuthority])
            ]
        )
        let records: [CacheRecord] = [
            .accessToken(token),
            .refreshToken(Sample.refreshToken(family: "1")),
            .idToken(
                IDTokenRecord(
                    homeAccountID: Sample.alice,
                    environment: Sample.environment,
                    clientID: Sample.client,
                    realm: Sample.tenant,
                    secret: Secret("fake-id")
                )
            ),
            .account(Sample.account()),
            .appMetadata(AppMetadataRecord(clientID: Sample.client, environment: "h", familyID: "")),
            .accountMetadata(metadata),
        ]

        try kind.withStore { store in
            for record in records { try store.put(record) }

            for record in records {
                let found = try store.read { (store) throws(StoreError) in try store.record(record.identity) }
                #expect(found == record)
                #expect(try store.all(record.kind) == [record])
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a failing transaction has no effect`(kind: StoreKind) throws {
        try kind.withStore { store in
            try store.put(.refreshToken(Sample.refreshToken("fake-old")))

            #expect(throws: StoreError.self) {
                try store.write(.full) { (transaction) throws(StoreError) in
                    try transaction.deleteAll()
                    try transaction.save(.refreshToken(Sample.refreshToken("fake-new")))
                    throw StoreError(.full, message: "test")
                }
            }

            #expect(try store.secrets() == ["fake-old"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the change counter advances with each commit and only then`(kind: StoreKind) throws {
        try kind.withStore { store in
            let empty = try store.changeCounter()
            try store.put(.account(Sample.account()))
            let first = try store.changeCounter()
            let again = try store.changeCounter()
            try store.put(.account(Sample.account(realm: Sample.guestTenant)))
            let second = try store.changeCounter()

            #expect(empty != first)
            #expect(first == again)
            #expect(first != second)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `filters narrow by account, client, host, realm, family and scopes`(kind: StoreKind) throws {
        try kind.withStore { store in
            try store.put(
                .accessToken(Sample.accessToken("fake-1", target: "A.Read B.Read")),
                .accessToken(Sample.accessToken("fake-2", client: Sample.otherClient, target: "A.Read")),
                .accessToken(Sample.accessToken("fake-3", environment: "other.example", target: "A.Read")),
                .accessToken(Sample.accessToken("fake-4", realm: Sample.guestTenant, target: "A.Read")),
                .accessToken(Sample.accessToken("fake-5", account: "bob", target: "A.Read")),
                .refreshToken(Sample.refreshToken("fake-6")),
                .refreshToken(Sample.refreshToken("fake-7", family: "1"))
            )
            func secrets(_ filter: RecordFilter) throws -> [String] {
                try store.read { (store) throws(StoreError) in try store.records(filter) }
                    .compactMap { $0.members["secret"]?.string }.sorted()
            }
            func tokens(_ scopes: RecordFilter.Scopes) -> RecordFilter {
                RecordFilter(
                    .accessToken,
                    homeAccountID: Sample.alice,
                    clientID: Sample.client,
                    environments: Sample.aliases,
                    realms: [Sample.tenant.uppercased()]
                )
                .with(scopes)
            }

            #expect(try secrets(tokens(.containing(["a.read", "b.read"]))) == ["fake-1"])
            #expect(try secrets(tokens(.containing(["a.read", "c.read"]))).isEmpty)
            #expect(try secrets(tokens(.sharing(["b.read", "c.read"]))) == ["fake-1"])
            #expect(try secrets(tokens(.sharing([]))).isEmpty)
            #expect(try secrets(RecordFilter(.accessToken, clientID: Sample.otherClient)) == ["fake-2"])
            #expect(try secrets(RecordFilter(.refreshToken, familyID: "1")) == ["fake-7"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `expired access tokens are swept at most once an hour`(kind: StoreKind) throws {
        func sweep(_ store: any TokenStore, _ date: Date) throws {
            try store.write(.normal) { (transaction) throws(StoreError) in
                try transaction.purgeAccessTokens(expiredBefore: date)
            }
        }
        try kind.withStore { store in
            try store.put(
                .accessToken(Sample.accessToken("fake-old", target: "A", life: -10)),
                .accessToken(Sample.accessToken("fake-extended", target: "B", life: -10, extended: 9000)),
                .accessToken(Sample.accessToken("fake-new", target: "C", life: 60))
            )

            try sweep(store, Sample.now)
            #expect(try store.secrets() == ["fake-extended", "fake-new"])
            try sweep(store, Sample.now + 3599)
            #expect(try store.secrets() == ["fake-extended", "fake-new"])
            try sweep(store, Sample.now + 3600)
            #expect(try store.secrets() == ["fake-extended"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `records of one account are sorted by their last change, newest first`(kind: StoreKind) throws {
        try kind.withStore { store in
            for realm in ["c", "a", "b", "a"] { try store.put(.account(Sample.account(realm: realm))) }

            let found = try store.read { (store) throws(StoreError) in
                try store.accountRecords(RecordFilter(.account, homeAccountID: Sample.alice))
            }

            #expect(found.map(\.realm) == ["a", "b", "c"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `extra items are returned in order and replaced by name`(kind: StoreKind) throws {
        func item(_ section: String, _ name: String, _ value: JSONValue) -> ExtraItem {
            ExtraItem(section: section, name: name, value: value)
        }
        try kind.withStore { store in
            try store.write(.normal) { (transaction) throws(StoreError) in
                try transaction.saveExtra(item("B", "x", .integer(1)))
                try transaction.saveExtra(item("A", "y", .object(["k": .array([.null, .bool(true)])])))
                try transaction.saveExtra(item("B", "x", .integer(2)))
                try transaction.saveExtra(item("B", "z", .null))
                try transaction.deleteExtra(section: "B", name: "z")
                try transaction.deleteExtra(section: "B", name: "unknown")
            }
            func extras() throws -> [ExtraItem] {
                try store.read { (store) throws(StoreError) in try store.extras() }
            }

            #expect(
                try extras() == [
                    item("A", "y", .object(["k": .array([.null, .bool(true)])])), item("B", "x", .integer(2)),
                ]
            )
            try store.write(.full) { (transaction) throws(StoreError) in try transaction.deleteAll() }
            #expect(try extras().isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a lease exists until it is released`(kind: StoreKind) throws {
        let lease = RefreshLease(name: "n", holder: "h", until: Sample.now)
        let next = RefreshLease(name: "n", holder: "i", until: Sample.now + 30)
        try kind.withStore { store in
            func held() throws -> RefreshLease? {
                try store.read { (store) throws(StoreError) in try store.lease("n") }
            }
            try store.write(.normal) { (transaction) throws(StoreError) in try transaction.saveLease(lease) }
            #expect(try held() == lease)
            try store.write(.normal) { (transaction) throws(StoreError) in try transaction.saveLease(next) }
            #expect(try held() == next)
            try store.write(.normal) { (transaction) throws(StoreError) in try transaction.deleteLease("n") }
            #expect(try held() == nil)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `above its limit a store drops the oldest access tokens and nothing else`(kind: StoreKind) throws {
        try kind.withStore(cap: 4) { store in
            try store.put(.refreshToken(Sample.refreshToken()), .account(Sample.account()))
            for name in ["c", "a", "b", "d"] {
                try store.put(.accessToken(Sample.accessToken("fake-\(name)", target: name)))
            }

            try store.write(.normal) { (transaction) throws(StoreError) in
                try transaction.purgeAccessTokens(expiredBefore: Sample.now)
            }

            #expect(try store.secrets() == ["fake-b", "fake-d", "fake-rt"])
            #expect(try store.all(.account).count == 1)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `expired leases and pauses are swept`(kind: StoreKind) throws {
        try kind.withStore { store in
            try store.write(.normal) { (transaction) throws(StoreError) in
                try transaction.saveLease(RefreshLease(name: "over", holder: "h", until: Sample.now - 1))
                try transaction.saveLease(RefreshLease(name: "valid", holder: "h", until: Sample.now + 1))
                try transaction.purgeAccessTokens(expiredBefore: Sample.now)
            }

            let holders = try store.read { (store) throws(StoreError) in
                [try store.lease("over")?.holder, try store.lease("valid")?.holder]
            }
            #expect(holders == [nil, "h"])
        }
    }

    @Test(arguments: StoreKind.allCases, [-1, Int.min])
    func `a negative limit keeps no access token`(kind: StoreKind, cap: Int) throws {
        try kind.withStore(cap: cap) { store in
            try store.put(.refreshToken(Sample.refreshToken()), .accessToken(Sample.accessToken("fake-a")))

            try store.write(.normal) { (transaction) throws(StoreError) in
                try transaction.purgeAccessTokens(expiredBefore: Sample.now)
            }

            #expect(try store.secrets() == ["fake-rt"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the version of an account changes with each change of its records, and with no other`(kind: StoreKind) throws
    {
        try kind.withStore { store in
            func versions() throws -> [RecordVersion] {
                try store.read { (store) throws(StoreError) in
                    [try store.version(ofAccount: Sample.alice.uppercased()), try store.version(ofAccount: nil)]
                }
            }
            let family = AppMetadataRecord(clientID: Sample.client, environment: "h", familyID: "")
            let token = Sample.refreshToken("fake-1")
            let changes: [(name: String, isOfAlice: Bool, make: (any TokenStoreWriting) throws(StoreError) -> Void)] = [
                ("new", true, { (store) throws(StoreError) in try store.save(.refreshToken(token)) }),
                ("unchanged", true, { (store) throws(StoreError) in try store.save(.refreshToken(token)) }),
                ("second", true, { (store) throws(StoreError) in try store.save(.account(Sample.account())) }),
                ("metadata", false, { (store) throws(StoreError) in try store.save(.appMetadata(family)) }),
                (
                    "one for another", true,
                    { (store) throws(StoreError) in
                        try store.delete(token.identity)
                        try store.save(.account(Sample.account(realm: Sample.guestTenant)))
                    }
                ),
                ("deleted", true, { (store) throws(StoreError) in try store.delete(Sample.account().identity) }),
                ("metadata deleted", false, { (store) throws(StoreError) in try store.delete(family.identity) }),
            ]
            try store.put(.accessToken(Sample.accessToken(account: "bob")))
            var seen = try versions().map { [$0] }

            for change in changes {
                try store.write(.normal) { (transaction) throws(StoreError) in
                    try transaction.save(.accessToken(Sample.accessToken(account: "bob")))
                    try change.make(transaction)
                }

                let now = try versions()
                let (changed, other) = change.isOfAlice ? (0, 1) : (1, 0)
                #expect(now[other] == seen[other].last, "\(change.name)")
                #expect(now[changed] != seen[changed].last, "\(change.name)")
                seen[changed].append(now[changed])
                #expect(try versions() == now)
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a user name finds its accounts, in any spelling, and only while they have it`(kind: StoreKind) throws {
        try kind.withStore { store in
            func found(_ name: String, account: String? = nil) throws -> [String] {
                try store.read { (store) throws(StoreError) in
                    try store.accountRecords(RecordFilter(.account, homeAccountID: account, username: name))
                }.map(\.realm).sorted()
            }
            var nameless = Sample.account(realm: "c")
            nameless.username = nil
            try store.put(
                .account(Sample.account(realm: "a")),
                .account(Sample.account(realm: "b", username: " ALICE@contoso.example")),
                .account(nameless),
                .refreshToken(Sample.refreshToken())
            )

            #expect(try found("Alice@Contoso.example ") == ["a", "b"])
            #expect(try found("alice@contoso.example", account: Sample.alice) == ["a", "b"])
            #expect(try found("alice@contoso.example", account: "bob").isEmpty)
            #expect(try found("nobody@contoso.example").isEmpty)

            try store.put(.account(Sample.account(realm: "a", username: "alicia@contoso.example")))
            #expect(try found("alice@contoso.example") == ["b"])
            #expect(try found("alicia@contoso.example") == ["a"])
            try store.write(.normal) { (transaction) throws(StoreError) in
                try transaction.delete(Sample.account(realm: "a").identity)
            }
            #expect(try found("alicia@contoso.example").isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases, [0, 40])
    func `accounts with refresh tokens of a client or a family are known`(kind: StoreKind, others: Int) throws {
        try kind.withStore { store in
            func token(_ account: String, client: String = Sample.client, family: String? = nil) -> CacheRecord {
                .refreshToken(
                    RefreshTokenRecord(
                        homeAccountID: account,
                        environment: Sample.environment,
                        clientID: client,
                        secret: Secret("fake"),
                        familyID: family
                    )
                )
            }
            func accounts(_ owner: RefreshTokenOwner) throws -> [String] {
                let asked = ["OWN", "other", "family", "none"] + (0..<others).map { "unknown-\($0)" }
                return try store.read { (store) throws(StoreError) in
                    try store.accounts(asked, withRefreshTokenOf: owner)
                }.sorted()
            }
            try store.put(
                token("own"),
                token("other", client: Sample.otherClient),
                token("family", family: "1"),
                .accessToken(Sample.accessToken(account: "none")),
                token("not asked for")
            )

            #expect(try accounts(.client(Sample.client.uppercased())) == ["OWN"])
            #expect(try accounts(.client(Sample.otherClient)) == ["other"])
            #expect(try accounts(.family("1")) == ["family"])
            #expect(try accounts(.family("2")).isEmpty)
        }
    }
}
