// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

extension SQLiteStore {
    /// Gives a store its keys back where damage took some of them (token-store-linux.md R28): a data key that is lost
    /// costs the rows it closed, a lost key of the indexes costs nothing but the work to make them anew.
    ///
    /// The file as it was is kept beside it. Done once: the keys are of a new generation afterwards.
    ///
    /// `wrappingKey`: The right one, since it opens some of them.
    func mendKeys(_ stored: StoredKeys, _ wrappingKey: WrappingKey) throws(StoreError) {
        guard let writer = try presentWriter() else { throw StaleKeys.error }
        // Named by who is alone with the file: what another process put aside meanwhile is that one's.
        var created: Quarantine?
        let report: StoreRecovered
        do throws(StoreError) {
            report = try transaction(writer, .full) { db in
                try StoredKeys.check(db, store: stored.store, generation: stored.generation)
                let quarantine = Quarantine.new(in: location.directory, at: time.now)
                try quarantine.create(isNew: true)
                created = quarantine
                try file.copy(to: quarantine.path + "/" + StoreLocation.fileName)
                return try mend(db, stored, wrappingKey, quarantine)
            }
        } catch {
            if let created { try? FileManager.default.removeItem(atPath: created.path) }
            throw error
        }
        if let created { finish(report, created) }
    }

    private func mend(
        _ db: Database,
        _ stored: StoredKeys,
        _ wrappingKey: WrappingKey,
        _ quarantine: Quarantine
    ) throws -> StoreRecovered {
        let number = try StoredKeys.counter(db)
        var keys = try SalvagedKeys(stored, wrappingKey, usedBy: db).keys
        let hasIndex = keys.contains { $0.row.state == .index }
        for state in [KeyState.active, .index] where !keys.contains(where: { $0.row.state == state }) {
            keys.append(try SalvagedKeys.Key(newFor: state, wrappingKey, created: seconds, since: number))
        }
        try db.execute(sql: "DELETE FROM keys")
        for key in keys { try StoredKeys.insert(db, key.row) }
        try StoredKeys.advance(db)
        let lost = try deleteRows(db, otherThanOf: keys.map(\.row.id))

        if !hasIndex {
            try db.execute(sql: "DELETE FROM lease")
            let future = StoredKeys(
                store: stored.store,
                wrapping: stored.wrapping,
                generation: try StoredKeys.generation(db) ?? 0,
                rows: keys.map(\.row)
            )
            var ring = KeyRing(future)
            for key in keys { try ring.add(key.row, key.root) }
            let transaction = try SQLiteTransaction(db, ring, file: location.file, cap: cap)
            try transaction.move(to: transaction)
            try transaction.finish()
        }
        return StoreRecovered(
            time: time.now,
            rowsKept: try Int.fetchOne(db, sql: "SELECT count(*) FROM record") ?? 0,
            rowsLost: lost,
            quarantine: quarantine.path
        )
    }

    /// Deletes what no key opens any more; returns how many records that were.
    private func deleteRows(_ db: Database, otherThanOf keys: [String]) throws -> Int {
        let condition = "key_id NOT IN (\(keys.map { _ in "?" }.joined(separator: ", ")))"
        let arguments = StatementArguments(keys)
        try db.execute(sql: "DELETE FROM extra WHERE \(condition)", arguments: arguments)
        try db.execute(sql: "DELETE FROM record WHERE \(condition)", arguments: arguments)
        return db.changesCount
    }
}

/// What can be had of the keys in a damaged table. A guess does no harm: what opens is right.
private struct SalvagedKeys {
    struct Key {
        let row: StoredKeys.Row
        let root: KeyMaterial
    }

    private(set) var keys: [Key] = []

    init(_ stored: StoredKeys, _ wrappingKey: WrappingKey, usedBy db: Database) throws {
        let used = try Set(String?.fetchAll(db, sql: "SELECT key_id FROM record UNION SELECT key_id FROM extra"))
        let nameless = used.compactMap(\.self).filter { id in !stored.rows.contains { $0.id == id } }
        for row in stored.rows {
            for id in [row.id] + nameless {
                guard let root = wrappingKey.unwrap(row.wrapped, id: id) else { continue }
                // A key that says nothing of itself and closed nothing is missed by nobody: that of the indexes is made
                // anew.
                guard let state = row.state ?? (used.contains(id) ? .retiring : nil) else { break }
                let mended = StoredKeys.Row(
                    id: id,
                    wrappedBy: wrappingKey.id,
                    wrapped: row.wrapped,
                    state: state,
                    created: row.created,
                    since: row.since
                )
                keys.append(Key(row: mended, root: root))
                break
            }
        }
    }
}

extension SalvagedKeys.Key {
    init(newFor state: KeyState, _ wrappingKey: WrappingKey, created: Int64, since: Int64) throws(StoreError) {
        row = try StoredKeys.Row(newKeyFor: state, wrappingKey, created: created, since: since)
        guard let root = wrappingKey.unwrap(row.wrapped, id: row.id) else { throw WrappingKey.outOfMemory }
        self.root = root
    }
}
