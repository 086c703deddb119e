// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

extension SQLiteStore {
    /// Opens every row; at a hundred thousand of them this takes a second.
    package func statistics(now: Date) throws(StoreError) -> StoreStatistics {
        try repeating(evenIfBusy: true) { () throws(StoreError) in try counted(now) }
    }

    private func counted(_ now: Date) throws(StoreError) -> StoreStatistics {
        var statistics = StoreStatistics()
        statistics.path = location.file
        guard let reader = try reader().connection, let stored = try storedKeys(),
            let ring = try ring(KeyPatience())
        else { return statistics }
        statistics.storeID = stored.store
        statistics.provider = stored.wrapping.provider
        for suffix in ["", "-wal", "-shm", "-journal"] { statistics.fileSize += file.size(of: suffix) ?? 0 }
        try run(.unreadable) {
            try reader.read { db in
                try count(db, ring, now: now.seconds, into: &statistics)
                statistics.keys = try stored.rows.compactMap { row in
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
        return statistics
    }

    private func count(_ db: Database, _ ring: KeyRing, now: Int64, into statistics: inout StoreStatistics) throws {
        statistics.schemaVersion = try Int.fetchOne(db, sql: "PRAGMA user_version")
        statistics.journalMode = try String.fetchOne(db, sql: "PRAGMA journal_mode")
        statistics.lastSweep = try StoredKeys.meta(db, .purged, Int64.self).map {
            Date(timeIntervalSince1970: TimeInterval($0))
        }
        let records = try Row.fetchCursor(db, sql: "SELECT id, kind, expires_on, key_id, sealed FROM record")
        while let row = try records.next() {
            let expiry = try row.decode(Int64?.self, forColumn: "expires_on")
            if let expiry, expiry < now { statistics.expiredAccessTokens += 1 }
            let kind = try row.decode(Int?.self, forColumn: "kind").flatMap(RecordKind.init(rawValue:))
            guard let kind else {
                statistics.unreadableRows += 1
                continue
            }
            statistics.records[kind, default: 0] += 1
            if ring.open(row, .record, kind: kind.rawValue).isUnreadable { statistics.unreadableRows += 1 }
        }
        let extras = try Row.fetchCursor(db, sql: "SELECT id, key_id, sealed FROM extra")
        while let row = try extras.next() {
            statistics.extraItems += 1
            if ring.open(row, .extra).isUnreadable { statistics.unreadableRows += 1 }
        }
    }
}

extension KeyRing.Opened {
    fileprivate var isUnreadable: Bool {
        switch self {
        case .plain: false
        case .unreadable: true
        }
    }
}
