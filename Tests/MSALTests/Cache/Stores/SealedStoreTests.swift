// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import GRDB
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import SealedStore

/// What encryption guarantees (docs/reference/Store.md#sealing, #provider-change to #key-memory, #unreadable-rows).
@Suite struct SealedStoreTests {
    private let keys = HeldKeys()

    private func open(_ location: StoreLocation) -> SQLiteStore { encryptedStore(in: location, keys) }

    @Test func `no secret, name, scope or identifier is in any file, even after deletion`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            let store = open(location)
            let cache = TokenCache(store: store, clientID: Sample.client)
            _ = try cache.save(Sample.save(family: "1"))
            try store.write(.normal) { (transaction) throws(StoreError) in
                try transaction.saveExtra(ExtraItem(section: "Fake-Section", name: "fake-name", value: .string("v")))
            }
            let words = [
                "fake-", "fake-at", "fake-rt", "fake-id", "user.read", "User.Read", "alice", "contoso", Sample.alice,
                Sample.client, Sample.tenant, Sample.environment, "Fake-Section",
            ]

            #expect(try found(words, in: location).isEmpty)
            try cache.signOut(homeAccountID: Sample.alice, wipeAccount: true)
            try store.write(.full) { (transaction) throws(StoreError) in try transaction.deleteAll() }
            #expect(try found(words, in: location).isEmpty)
        }
    }

    @Test func `the search for plain text finds it in a plain store`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            let store = SQLiteStore(location: location, keys: SingleKeySource(nil))
            try store.put(.refreshToken(Sample.refreshToken()))

            #expect(try found(["fake-rt"], in: location) == ["fake-rt"])
        }
    }

    @Test func `the key is read once`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try open(location).put(.refreshToken(Sample.refreshToken()))
            let store = open(location)
            let before = keys.fetches

            for _ in 0..<3 { #expect(try store.secrets() == ["fake-rt"]) }
            try store.put(.account(Sample.account()))

            #expect(keys.fetches == before + 1)
        }
    }

    @Test func `sealed rows that were swapped are neither returned nor deleted`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            let store = open(location)
            try store.put(
                .refreshToken(Sample.refreshToken("fake-1")),
                .refreshToken(Sample.refreshToken("fake-2", client: Sample.otherClient)),
                .account(Sample.account())
            )
            try store.sql(
                """
                UPDATE record SET sealed = (SELECT sealed FROM record WHERE kind = 2002 ORDER BY id DESC LIMIT 1)
                WHERE id = (SELECT id FROM record WHERE kind = 2002 ORDER BY id LIMIT 1)
                """
            )

            #expect(try store.secrets().count == 1)
            #expect(try store.all(.account).count == 1)
            let statistics = try store.statistics(now: Sample.now)
            #expect(statistics.unreadableRows == 1)
            #expect(statistics.records[.refreshToken] == 2)
        }
    }

    @Test func `a plain row in an encrypted store is rejected`() throws {
        try withTemporaryDirectory { directory in
            let store = open(try location(in: directory))
            try store.put(.refreshToken(Sample.refreshToken("fake-1")), .account(Sample.account()))
            try store.sql(
                "UPDATE record SET key_id = NULL, sealed = CAST('{\"secret\":\"x\"}' AS BLOB) WHERE kind = 2002"
            )

            #expect(try store.secrets().isEmpty)
        }
    }

    @Test func `a store whose rows all fail reports a wrong key, and writes nothing`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try open(location).put(.refreshToken(Sample.refreshToken()), .account(Sample.account()))
            try open(location).sql("UPDATE record SET sealed = zeroblob(60)")
            let store = open(location)

            let reading = try #require(throws: StoreError.self) { try store.secrets() }
            let writing = try #require(throws: StoreError.self) {
                _ = try TokenCache(store: store, clientID: Sample.client).save(Sample.save())
            }

            #expect(reading.kind == .keyUnavailable)
            #expect(writing.kind == .keyUnavailable)
            #expect(try store.count("record") == 2)
        }
    }

    @Test func `a different key is not tried on the rows`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try open(location).put(.refreshToken(Sample.refreshToken()))
            keys.exchangeAll()

            let error = try #require(throws: StoreError.self) { try open(location).secrets() }

            #expect(error.kind == .keyUnavailable)
            #expect(error.message.contains("The key in the key file is not the one"))
        }
    }

    @Test func `a lost key is an error and is never replaced`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try open(location).put(.refreshToken(Sample.refreshToken()))
            keys.loseAll()
            let store = open(location)

            let reading = try #require(throws: StoreError.self) { try store.secrets() }
            let writing = try #require(throws: StoreError.self) { try store.put(.account(Sample.account())) }

            #expect(reading.kind == .keyUnavailable)
            #expect(writing.kind == .keyUnavailable)
            #expect(keys.names.isEmpty)
        }
    }

    @Test func `a locked provider is an error until it is unlocked`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try open(location).put(.refreshToken(Sample.refreshToken()))
            let store = open(location)
            keys.isLocked = true

            let error = try #require(throws: StoreError.self) { try store.secrets() }
            #expect(error.kind == .keyUnavailable)
            keys.isLocked = false
            #expect(try store.secrets() == ["fake-rt"])
        }
    }

    @Test func `no store is created while its key cannot be stored`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            keys.isLocked = true
            let store = open(location)
            #expect(throws: StoreError.self) { try store.put(.account(Sample.account())) }
            keys.isLocked = false

            #expect(try store.all(.account).isEmpty)
            try store.put(.account(Sample.account()))
            #expect(try store.all(.account).count == 1)
        }
    }

    @Test func `the provider is the one with which the store was created`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try open(location).put(.refreshToken(Sample.refreshToken()))
            let other = SQLiteStore(location: location, keys: SingleKeySource(HeldKeys(.secretService)))
            let none = SQLiteStore(location: location, keys: SingleKeySource(nil))

            for store in [other, none] {
                let error = try #require(throws: StoreError.self) { try store.put(.account(Sample.account())) }
                #expect(error.kind == .keyUnavailable)
            }
            #expect(try open(location).secrets() == ["fake-rt"])
        }
    }

    @Test func `the counts match the stored records`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            let store = open(location)
            #expect(try store.statistics(now: Sample.now).provider == nil)
            try store.put(
                .accessToken(Sample.accessToken(target: "A", life: -10)),
                .accessToken(Sample.accessToken(target: "B")),
                .account(Sample.account())
            )

            let statistics = try store.statistics(now: Sample.now)

            #expect(statistics.records == [.accessToken: 2, .account: 1])
            #expect(statistics.expiredRows == 1)
            #expect(statistics.unreadableRows == 0)
            #expect(statistics.provider == .keyFile)
            #expect(statistics.keys.first { $0.state == .active }?.rows == 3)
            #expect(statistics.journalMode == "wal")
            #expect(statistics.fileSize > 0)
            #expect(statistics.path == location.file)
        }
    }

    @Test func `preparing for reading creates nothing, preparing for writing creates store and key`() throws {
        try withTemporaryDirectory { directory in
            let store = open(try location(in: directory))

            try store.prepare(KeyAccessOptions(), for: .reading)
            #expect(!store.isPrepared)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)

            try store.prepare(KeyAccessOptions(), for: .writing)
            #expect(store.isPrepared)
            #expect(keys.names.count == 1)
            #expect(try store.statistics(now: Sample.now).provider == .keyFile)
        }
    }

    @Test func `a store without its key can be recreated empty`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try open(location).put(.refreshToken(Sample.refreshToken()))
            keys.loseAll()
            let store = open(location)

            try store.reset(KeyAccessOptions())

            #expect(try store.secrets().isEmpty)
            try store.put(.refreshToken(Sample.refreshToken("fake-new")))
            #expect(try open(location).secrets() == ["fake-new"])
        }
    }

    private func found(_ words: [String], in location: StoreLocation) throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: location.directory)
        let files = try names.map { try Data(contentsOf: URL(filePath: location.directory + "/" + $0)) }
        try #require(files.contains { $0.count > 4096 })
        return words.filter { word in files.contains { $0.range(of: Data(word.utf8)) != nil } }
    }
}

extension SQLiteStore {
    /// Runs a transaction on the tables without the store.
    func transaction<R>(_ body: (Database) throws -> R) throws -> R {
        try rows.transaction(try rows.writer(KeyAccessOptions()), durability: .full, body: body)
    }

    /// Changes the file without the store.
    func sql(_ statement: String) throws {
        try transaction { try $0.execute(sql: statement) }
    }

    func count(_ table: String) throws -> Int? {
        try transaction { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") }
    }

    func storedKeys() throws -> StoredKeys? { try rows.storedKeys() }

    func heal(isCertain: Bool) throws { try StoreMaintenance().recover(rows, isCertain: isCertain) }

    func rotateDataKey(_ keyAccess: KeyAccessOptions) throws {
        try StoreMaintenance().dataKeyRotation(of: rows).run(keyAccess)
    }

    @discardableResult
    func resealAll() throws -> Int { try StoreMaintenance().dataKeyRotation(of: rows).resealAll() }

    func emptyLog() { StoreClearing(store: rows).emptyLog() }
}
