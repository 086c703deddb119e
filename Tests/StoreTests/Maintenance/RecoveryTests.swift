// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import StoreWorker
import Synchronization
import Testing

@testable import MSAL
@testable import SealedStore

/// Damaged files and files of other programs (docs/reference/Store.md#recovery, #foreign-files).
@Suite struct RecoveryTests {
    private func fill(_ store: SQLiteStore, _ accounts: Range<Int>) throws {
        let cache = TokenCache(store: store, clientID: Numbered.clientID)
        for account in accounts { _ = try cache.save(Numbered.save(account: account, number: 1, padding: 1000)) }
    }

    private func count(_ store: any TokenStore, _ accounts: Range<Int>) throws -> Int {
        var count = 0
        for account in accounts {
            if try Numbered.numbers(of: account, in: store).refreshToken == 1 { count += 1 }
        }
        return count
    }

    private func overwrite(_ path: String, at offset: UInt64, _ bytes: Data) throws {
        let handle = try FileHandle(forUpdating: URL(filePath: path))
        defer { try? handle.close() }
        try handle.seek(toOffset: offset)
        try handle.write(contentsOf: bytes)
    }

    @Test func `a lost first page loses nothing`() throws {
        try StoreFolder.with { folder in
            try fill(folder.store(), 0..<30)
            try overwrite(folder.location.file, at: 0, Data(repeating: 0xFF, count: 4096))

            let store = folder.store()
            #expect(try store.statistics(now: Numbered.now).records[.refreshToken] == 30)
            #expect(try count(store, 0..<30) == 30)
            let recovered = try #require(store.recovered)
            #expect(recovered.rowsLost == 0)
            #expect(StoreRecoveryReport.history(of: folder.location).count == 1)
            #expect(try store.damage().isEmpty)
        }
    }

    @Test(arguments: [StoreUse.reading, .writing])
    func `damage found while the store is prepared is repaired, too`(use: StoreUse) throws {
        try StoreFolder.with { folder in
            try fill(folder.store(), 0..<3)
            try overwrite(folder.location.file, at: 0, Data(repeating: 0xFF, count: 4096))

            let store = folder.store()
            try store.prepare(KeyAccessOptions(), for: use)
            #expect(store.recovered?.rowsLost == 0)
            #expect(try count(store, 0..<3) == 3)
        }
    }

    @Test func `a lost page in the middle loses only its contents`() throws {
        try StoreFolder.with { folder in
            try fill(folder.store(), 0..<60)
            let size = try #require(StoreFile(location: folder.location).size(of: ""))
            // Tokens fill most pages; this page is far from the tables of keys and settings.
            try overwrite(folder.location.file, at: UInt64(size / 4096 / 2) * 4096, Data(repeating: 0xAA, count: 4096))

            let store = folder.store()
            let cache = TokenCache(store: store, clientID: Numbered.clientID)
            for account in 0..<60 { _ = try cache.hit(account) }
            // If none of these found the damage, a full read does.
            try store.heal(isCertain: false)
            #expect(store.recovered != nil)
            #expect(try count(store, 0..<60) > 50)
            try fill(store, 100..<101)
            #expect(try count(folder.store(), 100..<101) == 1)
            #expect(try store.damage().isEmpty)
        }
    }

    @Test func `a lost page of scopes loses no token`() throws {
        try StoreFolder.with { folder in
            try fill(folder.store(), 0..<30)
            let database = try DatabaseQueue(path: folder.location.file)
            let root = try database.read {
                try UInt64.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'record_scope'")
            }
            try database.close()
            let offset = (try #require(root) - 1) * 4096
            try overwrite(folder.location.file, at: offset, Data(repeating: 0xAA, count: 4096))

            let store = folder.store()
            try store.heal(isCertain: false)
            let recovered = try #require(store.recovered)
            #expect(recovered.rowsLost == 0)
            for account in 0..<30 { #expect(try Numbered.numbers(of: account, in: store).accessToken == 1) }
            // The next token of an account replaces the one that lost its scopes.
            let cache = TokenCache(store: store, clientID: Numbered.clientID)
            _ = try cache.save(Numbered.save(account: 7, number: 2, padding: 1000))
            #expect(try Numbered.numbers(of: 7, in: store).accessToken == 2)
            #expect(try store.statistics(now: Numbered.now).records[.accessToken] == 30)
        }
    }

    @Test func `another process that has the damaged file open continues with the new one`() throws {
        try StoreFolder.with { folder in
            let first = folder.store()
            try fill(first, 0..<10)
            let second = folder.store()
            #expect(try count(second, 0..<10) == 10)
            try first.heal(isCertain: true)
            #expect(first.recovered != nil)

            try fill(second, 20..<21)
            #expect(try count(first, 0..<30) == 11)
            #expect(try count(second, 0..<30) == 11)
            #expect(second.recovered == nil)
        }
    }

    @Test func `a writing connection to a replaced file is closed`() throws {
        try StoreFolder.with { folder in
            let store = folder.store()
            try fill(store, 0..<1)
            let late = store.rows.open.withLock { $0.writer }
            try folder.store().heal(isCertain: true)
            #expect(try count(store, 0..<1) == 1)
            store.rows.open.withLock { $0.writer = late }

            try fill(store, 1..<2)
            #expect(try count(folder.store(), 0..<2) == 2)
        }
    }

    @Test func `an intact store is not changed`() throws {
        try StoreFolder.with { folder in
            let store = folder.store()
            try fill(store, 0..<3)
            let before = StoreFile(location: folder.location).identity
            try store.heal(isCertain: false)

            #expect(store.recovered == nil)
            #expect(StoreFile(location: folder.location).identity == before)
            #expect(try count(store, 0..<3) == 3)
        }
    }

    @Test func `an interrupted recovery is finished by the next one`() throws {
        try StoreFolder.with { folder in
            try fill(folder.store(), 0..<10)
            // The state after a process died when it had moved the file.
            let quarantine = Quarantine(group: folder.location.directory, name: "corrupt-20260101T000000Z-1")
            try quarantine.create()
            try RecoveryLock.take(in: folder.location, creating: true)?.note(quarantine.name)
            try FileManager.default.moveItem(atPath: folder.location.file, toPath: quarantine.path + "/tokens.db")

            let store = folder.store()
            #expect(try count(store, 0..<10) == 10)
            #expect(store.recovered?.rowsLost == 0)
            let unfinished = try RecoveryLock.take(in: folder.location, creating: false)?.unfinished
            #expect(unfinished == nil)
        }
    }

    @Test func `a recovery does not continue outside the store's directory`() throws {
        try StoreFolder.with { folder in
            try fill(folder.store(), 0..<1)
            let outside = folder.directory.path + "/outside"
            try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: false)
            try FileManager.default.moveItem(atPath: folder.location.file, toPath: outside + "/tokens.db")
            try RecoveryLock.take(in: folder.location, creating: true)?.note("../../outside")

            let store = folder.store()
            #expect(try count(store, 0..<1) == 0)
            #expect(store.recovered == nil)
            try fill(store, 1..<2)
            #expect(try count(store, 0..<2) == 1)
        }
    }

    @Test func `three damaged files are kept`() throws {
        try StoreFolder.with { folder in
            let store = folder.store()
            try fill(store, 0..<2)
            for _ in 0..<5 { try store.heal(isCertain: true) }

            let kept = Quarantine.all(in: folder.location.directory)
            #expect(kept.count == Quarantine.limit)
            #expect(try count(store, 0..<2) == 2)
            for quarantine in kept { #expect(try folder.mode(quarantine.path) == 0o700) }
        }
    }

    @Test func `an unreadable file is moved aside and a new store created`() throws {
        try StoreFolder.with { folder in
            try fill(folder.store(), 0..<1)
            let rubbish = Data(repeating: 0x2A, count: 8192)
            try rubbish.write(to: URL(filePath: folder.location.file))

            let store = folder.store()
            #expect(try count(store, 0..<1) == 0)
            try fill(store, 0..<1)
            #expect(try count(store, 0..<1) == 1)
            let kept = try #require(Quarantine.all(in: folder.location.directory).first)
            #expect(try Data(contentsOf: URL(filePath: kept.path + "/tokens.db")) == rubbish)
        }
    }

    /// Runs SQL on the store's file, bypassing the library.
    private func change(_ folder: StoreFolder, _ sql: String) throws {
        try DatabaseQueue(path: folder.location.file).writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    @Test(arguments: [
        ("CREATE TABLE recipes(name); PRAGMA application_id = 7", true, StoreError.Kind.foreign),
        ("PRAGMA user_version = 5; UPDATE meta SET v = 5 WHERE k = 'schema'", false, .tooNew),
        ("PRAGMA user_version = 3; UPDATE meta SET v = 3 WHERE k = 'schema'", false, .tooOld),
        ("PRAGMA user_version = 2; UPDATE meta SET v = 2 WHERE k = 'schema'", false, .tooOld),
        ("PRAGMA user_version = 1; UPDATE meta SET v = 1 WHERE k = 'schema'", false, .tooOld),
    ])
    func `a database of another program or version is rejected and not changed`(
        sql: String,
        isNew: Bool,
        kind: StoreError.Kind
    ) throws {
        try StoreFolder.with { folder in
            try fill(folder.store(), 0..<1)
            if isNew { try FileManager.default.removeItem(atPath: folder.location.file) }
            try change(folder, sql)
            let before = try Data(contentsOf: URL(filePath: folder.location.file))

            let writing = #expect(throws: StoreError.self) { try fill(folder.store(), 0..<1) }
            let reading = #expect(throws: StoreError.self) { try count(folder.store(), 0..<1) }
            let repairing = #expect(throws: StoreError.self) { try folder.store().repair(KeyAccessOptions()) }
            let healing = #expect(throws: StoreError.self) { try folder.store().heal(isCertain: true) }
            for error in [writing, reading, repairing, healing] { #expect(error?.kind == kind) }
            if kind == .tooOld { #expect(reading?.message.contains("sign in again") == true) }
            #expect(try Data(contentsOf: URL(filePath: folder.location.file)) == before)
            #expect(Quarantine.all(in: folder.location.directory).isEmpty)
        }
    }

    @Test(arguments: [5, 3, 2, 1])
    func `a damaged file of another version is left for that version`(version: Int) throws {
        try StoreFolder.with { folder in
            try fill(folder.store(), 0..<5)
            try change(folder, "UPDATE meta SET v = \(version) WHERE k = 'schema'; PRAGMA wal_checkpoint(TRUNCATE)")
            try overwrite(folder.location.file, at: 0, Data(repeating: 0xFF, count: 4096))
            let before = StoreFile(location: folder.location).identity

            for _ in 0..<2 {
                let error = #expect(throws: StoreError.self) { try count(folder.store(), 0..<5) }
                #expect(error?.kind == (version == 5 ? .tooNew : .tooOld))
            }

            #expect(StoreFile(location: folder.location).identity == before)
            #expect(Quarantine.all(in: folder.location.directory).isEmpty)
        }
    }

    @Test(arguments: [
        "PRAGMA user_version = 77", "PRAGMA application_id = 77",
        "PRAGMA user_version = 0; UPDATE meta SET v = 0 WHERE k = 'schema'",
    ])
    func `a header that contradicts the tables is damage, and loses nothing`(sql: String) throws {
        try StoreFolder.with { folder in
            try fill(folder.store(), 0..<5)
            try change(folder, sql)

            let store = folder.store()
            #expect(try count(store, 0..<5) == 5)
            #expect(store.recovered?.rowsLost == 0)
        }
    }
}
