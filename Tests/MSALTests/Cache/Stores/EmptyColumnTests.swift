// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import GRDB
import SealedStore
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase

/// One flipped bit in the header of a row empties a column that is never empty by its schema, and SQLite reads it
/// without an error (docs/reference/Store.md#torture-damage).
@Suite struct EmptyColumnTests {
    private let keys = HeldKeys()
    private let damaged = Sample.refreshToken("fake-damaged", client: "damaged")

    /// Fills a store, empties a column, and returns the store as a new process would open it.
    private func withStore(
        emptying columns: [String] = [],
        of table: String = "",
        where condition: String = "true",
        _ body: (SQLiteStore) throws -> Void
    ) throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try encryptedStore(in: location, keys).write(.full) { (transaction) throws(StoreError) in
                try transaction.save(.refreshToken(damaged))
                try transaction.save(.refreshToken(Sample.refreshToken("fake-sound")))
                try transaction.saveExtra(ExtraItem(section: "S", name: "N", value: .integer(1)))
                try transaction.saveLease(RefreshLease(name: "L", holder: "H", until: Sample.now))
            }
            if !columns.isEmpty { try empty(columns, table, condition, location.file) }
            try body(encryptedStore(in: location, keys))
        }
    }

    /// SQL cannot do this with the unchanged schema; a bit on the disk can.
    private func empty(_ columns: [String], _ table: String, _ condition: String, _ file: String) throws {
        let old = try change(file) { db in
            let old = try #require(
                try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = ?", arguments: [table])
            )
            try setSchema(db, table, old.replacing(" NOT NULL", with: ""))
            return old
        }
        try change(file) { db in
            let changes = columns.map { "\($0) = NULL" }.joined(separator: ", ")
            try db.execute(sql: "UPDATE \(table) SET \(changes) WHERE \(condition)")
            #expect(db.changesCount > 0)
            try setSchema(db, table, old)
        }
    }

    private func change<R>(_ file: String, _ body: (Database) throws -> R) throws -> R {
        let queue = try DatabaseQueue(path: file)
        defer { try? queue.close() }
        return try queue.writeWithoutTransaction(body)
    }

    private func setSchema(_ db: Database, _ table: String, _ sql: String) throws {
        try db.execute(sql: "PRAGMA writable_schema = ON")
        try db.execute(sql: "UPDATE sqlite_schema SET sql = ? WHERE name = ?", arguments: [sql, table])
        try db.execute(sql: "PRAGMA writable_schema = OFF")
    }

    private var isDamaged: String {
        "modified = (SELECT min(modified) FROM record)"
    }

    @Test(arguments: ["sealed", "kind"])
    func `a record with an empty column is skipped and counted`(column: String) throws {
        try withStore(emptying: [column], of: "record", where: isDamaged) { store in
            #expect(try store.secrets() == ["fake-sound"])
            #expect(try store.statistics(now: Sample.now).unreadableRows == 1)

            try store.rotateKeys(KeyAccessOptions())
            #expect(try store.secrets() == ["fake-sound"])
            try store.moveKey(to: nil, keyAccess: KeyAccessOptions())
            let plain = SQLiteStore(location: store.location, keys: SingleKeySource(nil))
            #expect(try plain.secrets() == ["fake-sound"])
        }
    }

    @Test func `an extra item without its payload is skipped and counted`() throws {
        try withStore(emptying: ["sealed"], of: "extra") { store in
            let extras = try store.read { (store) throws(StoreError) in try store.extras() }
            #expect(extras.isEmpty)
            #expect(try store.statistics(now: Sample.now).unreadableRows == 1)
        }
    }

    @Test(arguments: ["holder", "until"])
    func `a lease with an empty column blocks no process`(column: String) throws {
        try withStore(emptying: [column], of: "lease") { store in
            let lease = try store.read { (store) throws(StoreError) in try store.lease("L") }
            #expect(lease == nil)
        }
    }

    /// No statement about the keys may be changed, because damage cannot be distinguished from an attack.
    private func expectRefusal(_ store: SQLiteStore) throws {
        let directory = store.location.directory
        let before = try FileManager.default.contentsOfDirectory(atPath: directory)
        let bytes = try Data(contentsOf: URL(filePath: store.location.file))

        for _ in 0..<2 {
            let reading = #expect(throws: StoreError.self) { try store.secrets() }
            let writing = #expect(throws: StoreError.self) { try store.put(.refreshToken(damaged)) }
            let rotating = #expect(throws: StoreError.self) { try store.rotateKeys(KeyAccessOptions()) }
            for error in [reading, writing, rotating] {
                #expect(error?.kind == .unverified)
                #expect(error?.message.contains("msal cache repair --group group") == true)
            }
        }

        let after = try FileManager.default.contentsOfDirectory(atPath: directory)
        // Locks and the working files of SQLite are not changes of the store.
        let others: Set = [".recovery", ".users", "tokens.db-wal", "tokens.db-shm"]
        #expect(Set(after).subtracting(others) == Set(before).subtracting(others))
        #expect(try Data(contentsOf: URL(filePath: store.location.file)) == bytes)
    }

    @Test(arguments: [["state"], ["since", "state"], ["created"]])
    func `keys with an empty column keep the store closed until it is repaired, without loss of rows`(
        columns: [String]
    ) throws {
        try withStore { store in
            try empty(columns, "keys", "true", store.location.file)
            let other = encryptedStore(in: store.location, keys)
            try expectRefusal(other)

            let reports = try other.repair(KeyAccessOptions())

            #expect(reports.allSatisfy { $0.rowsLost == 0 })
            #expect(try other.secrets() == ["fake-damaged", "fake-sound"])
            let single = try other.read { (store) throws(StoreError) in try store.record(damaged.identity) }
            let extras = try other.read { (store) throws(StoreError) in try store.extras() }
            #expect(single == .refreshToken(damaged))
            #expect(extras.count == 1)
            try other.put(.refreshToken(damaged))
            try other.rotateKeys(KeyAccessOptions())
            #expect(try encryptedStore(in: store.location, keys).secrets() == ["fake-damaged", "fake-sound"])
            #expect(try other.repair(KeyAccessOptions()).isEmpty)
        }
    }

    @Test(arguments: [
        "key_id = 'x' WHERE state = 'active'", "key_id = 'x' WHERE state = 'index'", "wrapped_by = 'x'",
        "state = 'x'", "created = 'x', since = x'00'", "created = \(Int64.min), since = \(Int64.min)",
        "wrapped = zeroblob(61) WHERE state = 'index'",
        "state = CASE state WHEN 'active' THEN 'index' ELSE 'active' END",
    ])
    func `a key with an invalid column keeps the store closed, and a repair loses no row`(
        change: String
    ) throws {
        try withStore { store in
            try store.sql("UPDATE keys SET \(change)")
            let other = encryptedStore(in: store.location, keys)
            try expectRefusal(other)

            let reports = try other.repair(KeyAccessOptions())

            #expect(reports.count == 1 && reports.first?.rowsLost == 0)
            #expect(try other.secrets() == ["fake-damaged", "fake-sound"])
            let single = try other.read { (store) throws(StoreError) in try store.record(damaged.identity) }
            #expect(single == .refreshToken(damaged))
            try other.put(.refreshToken(damaged))
            #expect(try other.secrets() == ["fake-damaged", "fake-sound"])
            #expect(try other.statistics(now: Sample.now).unreadableRows == 0)
            #expect(other.recovered == reports.first)
            #expect(StoreRecoveryReport.history(of: store.location).count == 1)
        }
    }

    @Test(arguments: [Int64.max, .min])
    func `an invalid sequence number blocks no process`(number: Int64) throws {
        try withStore { store in
            try store.sql("UPDATE meta SET v = \(number) WHERE k IN ('counter', 'purged', 'generation')")
            try store.put(.refreshToken(damaged))
            try store.write(.full) { (store) throws(StoreError) in
                try store.purgeAccessTokens(expiredBefore: Sample.now)
            }
            try store.rotateKeys(KeyAccessOptions())
            try store.sql("UPDATE keys SET state = 'x'")
            let other = encryptedStore(in: store.location, keys)
            _ = try other.repair(KeyAccessOptions())
            #expect(try other.secrets() == ["fake-damaged", "fake-sound"])
        }
    }

    @Test func `a lost data key loses the rows that it sealed, and these are set aside`() throws {
        try withStore { store in
            try store.rotateDataKey(KeyAccessOptions())
            try store.put(.refreshToken(Sample.refreshToken("fake-lost", client: "lost")))
            try store.sql("UPDATE keys SET wrapped = zeroblob(61) WHERE state = 'active'")
            let other = encryptedStore(in: store.location, keys)
            try expectRefusal(other)

            let reports = try other.repair(KeyAccessOptions())

            #expect(try other.secrets() == ["fake-damaged", "fake-sound"])
            let report = try #require(reports.first)
            #expect(report.rowsKept == 2)
            #expect(report.rowsLost == 1)
            #expect(StoreRecoveryReport.history(of: store.location).count == 1)
            #expect(FileManager.default.fileExists(atPath: report.quarantine + "/tokens.db"))
            // Another process that had the keys continues with the remaining rows.
            #expect(try store.secrets() == ["fake-damaged", "fake-sound"])
            try store.put(.refreshToken(Sample.refreshToken("fake-new", client: "new")))
            #expect(try other.secrets() == ["fake-damaged", "fake-new", "fake-sound"])
        }
    }

    @Test(arguments: ["DELETE FROM keys", "UPDATE keys SET wrapped = x''", "DELETE FROM meta WHERE k = 'store'"])
    func `a store whose keys cannot be verified is recreated empty by a repair`(change: String) throws {
        try withStore { store in
            try store.sql(change)
            // Without its log, the file would still have the old content.
            store.emptyLog()
            let other = encryptedStore(in: store.location, keys)
            try expectRefusal(other)

            let report = try #require(try other.repair(KeyAccessOptions()).last)

            #expect(report.rowsKept == 0)
            #expect(FileManager.default.fileExists(atPath: report.quarantine + "/tokens.db"))
            #expect(try other.secrets().isEmpty)
            try other.put(.refreshToken(Sample.refreshToken("fake-new")))
            #expect(try other.secrets() == ["fake-new"])
        }
    }
}
