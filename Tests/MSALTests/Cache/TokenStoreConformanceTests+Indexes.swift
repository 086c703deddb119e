// Licensed under the MIT License. See LICENSE.

import Foundation
import SealedStore
import Testing

@testable import MSAL
@testable import MSALBase

/// Lookups by account, client and user name, after changes and after failures.
extension TokenStoreConformanceTests {
    /// The results of the lookups that an index serves.
    private struct Lookups: Equatable {
        var tokensOfClient: [String]
        var tokensOfOtherClient: [String]
        var namedAlice: [String]
        var namedBob: [String]
        var tokensOfAlice: [String]
        var versions: [RecordVersion]
        var extras: [ExtraItem]
        var lease: RefreshLease?

        init(_ store: any TokenStore) throws {
            self = try store.read { (store) throws(StoreError) in try Lookups(store) }
        }

        private init(_ store: any TokenStoreReading) throws(StoreError) {
            func secrets(_ filter: RecordFilter) throws(StoreError) -> [String] {
                try store.records(filter).compactMap { $0.members["secret"]?.string }.sorted()
            }
            func realms(_ username: String) throws(StoreError) -> [String] {
                try store.accountRecords(RecordFilter(.account, username: username)).map(\.realm).sorted()
            }
            tokensOfClient = try secrets(RecordFilter(.accessToken, clientID: Sample.client.uppercased()))
            tokensOfOtherClient = try secrets(RecordFilter(.accessToken, clientID: Sample.otherClient))
            namedAlice = try realms("ALICE@contoso.example")
            namedBob = try realms("bob@contoso.example ")
            tokensOfAlice = try secrets(RecordFilter(.accessToken, homeAccountID: Sample.alice.uppercased()))
            versions = [
                try store.version(ofAccount: Sample.alice), try store.version(ofAccount: "bob"),
                try store.version(ofAccount: nil),
            ]
            extras = try store.extras()
            lease = try store.lease("n")
        }
    }

    /// Two accounts, two clients, and everything that is stored apart from records.
    private func fill(_ store: any TokenStore) throws {
        try store.put(
            .accessToken(Sample.accessToken("fake-1", target: "A")),
            .accessToken(Sample.accessToken("fake-2", client: Sample.otherClient, target: "A")),
            .accessToken(Sample.accessToken("fake-3", account: "bob", target: "A")),
            .account(Sample.account(realm: "a")),
            .account(Sample.account(realm: "b")),
            .appMetadata(AppMetadataRecord(clientID: Sample.client, environment: "h", familyID: ""))
        )
        try store.write(.normal) { (transaction) throws(StoreError) in
            try transaction.saveExtra(ExtraItem(section: "S", name: "x", value: .integer(1)))
            try transaction.saveLease(RefreshLease(name: "n", holder: "h", until: Sample.now))
        }
    }

    /// Changes of every kind.
    private static let changes: @Sendable (any TokenStoreWriting) throws(StoreError) -> Void = { (store) in
        try store.save(.accessToken(Sample.accessToken("fake-1b", target: "A")))
        try store.save(.accessToken(Sample.accessToken("fake-4", account: "carol", target: "A")))
        try store.delete(Sample.accessToken(client: Sample.otherClient, target: "A").identity)
        try store.save(.account(Sample.account(realm: "a", username: "bob@contoso.example")))
        try store.delete(Sample.account(realm: "b").identity)
        try store.save(.account(Sample.account(realm: "b", username: "Bob@contoso.example")))
        try store.save(.appMetadata(AppMetadataRecord(clientID: Sample.client, environment: "h", familyID: "1")))
        try store.saveExtra(ExtraItem(section: "S", name: "x", value: .integer(2)))
        try store.saveExtra(ExtraItem(section: "S", name: "y", value: .null))
        try store.deleteExtra(section: "S", name: "x")
        try store.deleteLease("n")
        try store.purgeAccessTokens(expiredBefore: Sample.now + 99_999)
    }

    @Test(arguments: StoreKind.allCases, [false, true])
    func `after a failure every lookup returns what it returned before`(kind: StoreKind, deletesAll: Bool) throws {
        try kind.withStore { store in
            try fill(store)
            let before = try Lookups(store)

            for _ in 0..<2 {
                let counter = try store.changeCounter()
                #expect(throws: StoreError.self) {
                    try store.write(.full) { (transaction) throws(StoreError) in
                        if deletesAll { try transaction.deleteAll() }
                        try Self.changes(transaction)
                        throw StoreError(.full, message: "test")
                    }
                }
                #expect(try Lookups(store) == before)
                #expect(try store.changeCounter() == counter)
            }

            // The sweep of the failed transaction did not count either.
            try store.write(.normal) { (transaction) throws(StoreError) in
                try transaction.purgeAccessTokens(expiredBefore: Sample.now + 99_999)
            }
            #expect(try Lookups(store).tokensOfClient.isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an account is found with few tokens and with many, while tokens come and go`(kind: StoreKind) throws {
        try kind.withStore { store in
            try fill(store)
            var versions: Set<RecordVersion> = []
            let records = (0..<40).map { number in
                CacheRecord.accessToken(Sample.accessToken("fake-\(number)", account: "dora", target: "S\(number)"))
            }
            func check(_ count: Int, _ store: any TokenStoreReading) throws(StoreError) {
                let version = try store.version(ofAccount: "dora")
                #expect(count == 0 || versions.insert(version).inserted)
                let all = RecordFilter(.accessToken, homeAccountID: "dora", clientID: Sample.client)
                #expect(try store.records(all) == Array(records.prefix(count).reversed()))
                #expect(try store.record(records[0].identity) == (count > 0 ? records[0] : nil))
                #expect(try store.record(records[39].identity) == (count == 40 ? records[39] : nil))
                #expect(
                    try store.records(all.with(.containing(["s\(count - 1)"])))
                        == (count > 0 ? [records[count - 1]] : [])
                )
            }

            try store.write(.normal) { (transaction) throws(StoreError) in
                for (number, record) in records.enumerated() {
                    try check(number, transaction)
                    try transaction.save(record)
                }
            }
            try store.read { (store) throws(StoreError) in try check(40, store) }
            try store.write(.normal) { (transaction) throws(StoreError) in
                try transaction.save(records[0])
                for number in (1..<40).reversed() { try transaction.delete(records[number].identity) }
                try check(1, transaction)
                try transaction.delete(records[0].identity)
                try check(0, transaction)
            }
            #expect(try Lookups(store).tokensOfClient == ["fake-1", "fake-3"])
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `lookups see replacements and deletions, in the transaction and after it`(kind: StoreKind) throws {
        try kind.withStore { store in
            try fill(store)
            #expect(try Lookups(store).tokensOfClient == ["fake-1", "fake-3"])
            #expect(try Lookups(store).tokensOfOtherClient == ["fake-2"])
            #expect(try Lookups(store).namedAlice == ["a", "b"])

            let inside = try store.write(.normal) { (transaction) throws(StoreError) -> [Int] in
                try transaction.save(.accessToken(Sample.accessToken("fake-1b", target: "A")))
                try transaction.save(.account(Sample.account(realm: "a", username: "bob@contoso.example")))
                try transaction.delete(Sample.accessToken(client: Sample.otherClient, target: "A").identity)
                return [
                    try transaction.records(RecordFilter(.account, username: "alice@contoso.example")).count,
                    try transaction.records(RecordFilter(.account, username: "bob@contoso.example")).count,
                    try transaction.records(RecordFilter(.accessToken, clientID: Sample.otherClient)).count,
                    try transaction.records(RecordFilter(.accessToken, clientID: Sample.client)).count,
                ]
            }

            #expect(inside == [1, 1, 0, 2])
            let after = try Lookups(store)
            #expect(after.tokensOfClient == ["fake-1b", "fake-3"])
            #expect(after.tokensOfOtherClient.isEmpty)
            #expect((after.namedAlice, after.namedBob) == (["b"], ["a"]))
            #expect(after.tokensOfAlice == ["fake-1b"])

            try store.write(.normal) { (transaction) throws(StoreError) in try transaction.deleteAll() }
            let empty = try Lookups(store)
            #expect(empty.tokensOfClient.isEmpty && empty.namedAlice.isEmpty && empty.namedBob.isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `an account may have many records`(kind: StoreKind) throws {
        try kind.withStore { store in
            let realms = (0..<40).map { "realm-\($0)" }
            func record(_ realm: String) throws -> CacheRecord? {
                let identity = Sample.account(realm: realm).identity
                return try store.read { (store) throws(StoreError) in try store.record(identity) }
            }
            for realm in realms { try store.put(.account(Sample.account(realm: realm))) }

            try store.write(.normal) { (transaction) throws(StoreError) in
                for realm in realms where realm.hasSuffix("3") {
                    try transaction.delete(Sample.account(realm: realm).identity)
                }
                try transaction.save(.account(Sample.account(realm: "realm-0", username: "new@contoso.example")))
            }

            for realm in realms { #expect((try record(realm) == nil) == realm.hasSuffix("3")) }
            #expect(try record("realm-0")?.members["username"]?.string == "new@contoso.example")
            let found = try store.read { (store) throws(StoreError) in
                try store.accountRecords(RecordFilter(.account, homeAccountID: Sample.alice))
            }
            #expect(
                found.map(\.realm) == ["realm-0"] + realms.reversed().filter { !$0.hasSuffix("3") && $0 != "realm-0" }
            )
            try store.write(.normal) { (transaction) throws(StoreError) in
                for realm in realms { try transaction.delete(Sample.account(realm: realm).identity) }
            }
            #expect(try store.all(.account).isEmpty)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `a record is found under each requested name of its cloud, and under no other`(kind: StoreKind) throws {
        try kind.withStore { store in
            try store.put(
                .account(Sample.account(realm: "a")),
                .refreshToken(Sample.refreshToken("fake-rt"))
            )
            func count(_ kind: RecordKind, _ environments: [String]) throws -> Int {
                let filter = RecordFilter(kind, homeAccountID: Sample.alice, environments: environments)
                return try store.read { (store) throws(StoreError) in try store.records(filter) }.count
            }

            for kind in [RecordKind.account, .refreshToken] {
                #expect(try count(kind, Sample.aliases.map { $0.uppercased() }) == 1)
                #expect(try count(kind, ["login.chinacloudapi.cn"]) == 0)
                #expect(try count(kind, []) == 0)
            }
        }
    }
}
