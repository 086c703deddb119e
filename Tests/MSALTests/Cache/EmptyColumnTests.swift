// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import TestSupport
import Testing

@testable import MSAL

/// One flipped bit in the header of a row empties a column that the schema says is never empty, and SQLite reads it
/// without a complaint (test T7 of token-store-linux.md).
@Suite struct EmptyColumnTests {
    private let keys = HeldKeys()
    private let damaged = Sample.refreshToken("fake-damaged", client: "damaged")

    /// Fills a store, empties a column, and gives a store as a new process would open it.
    private func withStore(
        emptying column: String,
        of table: String,
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
            try empty(column, table, condition, location.file)
            try body(encryptedStore(in: location, keys))
        }
    }

    /// SQL cannot do this to the schema as it is; a bit on the disk can.
    private func empty(_ column: String, _ table: String, _ condition: String, _ file: String) throws {
        let old = try change(file) { db in
            let old = try #require(
                try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = ?", arguments: [table])
            )
            try setSchema(db, table, old.replacing(" NOT NULL", with: ""))
            return old
        }
        try change(file) { db in
            try db.execute(sql: "UPDATE \(table) SET \(column) = NULL WHERE \(condition)")
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
    func `a record without a column is not served, and counted`(column: String) throws {
        try withStore(emptying: column, of: "record", where: isDamaged) { store in
            #expect(try store.secrets() == ["fake-sound"])
            #expect(try store.statistics(now: Sample.now).unreadableRows == 1)

            try store.rotateKeys(KeyPatience())
            #expect(try store.secrets() == ["fake-sound"])
            try store.migrate(to: nil, KeyPatience())
            #expect(try store.secrets() == ["fake-sound"])
        }
    }

    @Test func `an extra item without its payload is not served, and counted`() throws {
        try withStore(emptying: "sealed", of: "extra") { store in
            let extras = try store.read { (store) throws(StoreError) in try store.extras() }
            #expect(extras.isEmpty)
            #expect(try store.statistics(now: Sample.now).unreadableRows == 1)
        }
    }

    @Test(arguments: ["holder", "until"])
    func `a lease without a column holds nobody up`(column: String) throws {
        try withStore(emptying: column, of: "lease") { store in
            let lease = try store.read { (store) throws(StoreError) in try store.lease("L") }
            #expect(lease == nil)
        }
    }

    @Test(arguments: ["wrapped", "state", "created", "since"])
    func `a key without a column is damage, and the store starts anew`(column: String) throws {
        try withStore(emptying: column, of: "keys") { store in
            #expect(try store.secrets().isEmpty)
            #expect(store.recovered != nil)
            try store.put(.refreshToken(Sample.refreshToken("fake-new")))
            #expect(try store.secrets() == ["fake-new"])
        }
    }
}
