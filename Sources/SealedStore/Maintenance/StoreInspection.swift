// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// Examines a store as a whole without changing it.
struct StoreInspection {
    let store: RowStore

    /// Counts the content of the store. Opens every row.
    func statistics(now: Date) throws(StoreError) -> StoreStatistics {
        try store.repeating(evenIfBusy: true) { () throws(StoreError) in try counted(now) }
    }

    /// The faults that SQLite finds in the file, one per element.
    func damage() throws(StoreError) -> [String] {
        guard let connection = try store.reader().connection else { return [] }
        let lines = try store.run(.unreadable) {
            try connection.read { try String.fetchAll($0, sql: "PRAGMA integrity_check(20)") }
        }
        return lines == ["ok"] ? [] : lines
    }

    private func counted(_ now: Date) throws(StoreError) -> StoreStatistics {
        var statistics = StoreStatistics()
        statistics.path = store.location.file
        guard let reader = try store.reader().connection, let stored = try store.storedKeys(),
            let ring = try store.ring(KeyAccessOptions())
        else { return statistics }
        statistics.storeID = stored.store
        statistics.provider = stored.wrapping.provider
        for suffix in ["", "-wal", "-shm", "-journal"] { statistics.fileSize += store.file.size(of: suffix) ?? 0 }
        try store.run(.unreadable) {
            try reader.read { db in
                statistics.schemaVersion = try Int.fetchOne(db, sql: "PRAGMA user_version")
                statistics.journalMode = try String.fetchOne(db, sql: "PRAGMA journal_mode")
                statistics.lastSweep = try StoredKeys.meta(.purged, as: Int64.self, in: db).map {
                    Date(timeIntervalSince1970: TimeInterval($0))
                }
                try countRows(db, ring: ring, now: now.seconds, into: &statistics)
                try countExtras(db, ring: ring, into: &statistics)
                statistics.keys = try keys(of: stored, in: db)
            }
        }
        return statistics
    }

    private func countRows(_ db: Database, ring: KeyRing, now: Int64, into statistics: inout StoreStatistics) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT id, kind, expires_on, key_id, sealed FROM record")
        while let row = try rows.next() {
            let expiry = try row.decode(Int64?.self, forColumn: "expires_on")
            if let expiry, expiry < now { statistics.expiredRows += 1 }
            guard let kind = try row.decode(Int?.self, forColumn: "kind"), store.payloads.knows(kind: kind) else {
                statistics.unreadableRows += 1
                continue
            }
            statistics.rows[kind, default: 0] += 1
            if ring.open(row, in: .record, kind: kind) == nil { statistics.unreadableRows += 1 }
        }
    }

    private func countExtras(_ db: Database, ring: KeyRing, into statistics: inout StoreStatistics) throws {
        let extras = try Row.fetchCursor(db, sql: "SELECT id, key_id, sealed FROM extra")
        while let row = try extras.next() {
            statistics.extraItems += 1
            if ring.open(row, in: .extra) == nil { statistics.unreadableRows += 1 }
        }
    }

    private func keys(of stored: StoredKeys, in db: Database) throws -> [StoreStatistics.Key] {
        try stored.rows.compactMap { row in
            guard row.wrappedBy == stored.wrapping.id, let state = row.state else { return nil }
            let rows = try Int.fetchOne(
                db,
                sql: "SELECT (SELECT count(*) FROM record WHERE key_id = ?1) + "
                    + "(SELECT count(*) FROM extra WHERE key_id = ?1)",
                arguments: [row.id]
            )
            return StoreStatistics.Key(
                id: row.id,
                state: state,
                created: Date(timeIntervalSince1970: TimeInterval(row.created)),
                rows: rows ?? 0
            )
        }
    }
}
