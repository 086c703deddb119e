// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// Adds a new data key to a store, and reseals the rows of old ones.
struct DataKeyRotation {
    /// The number of rows that one transaction of the background pass reseals, which limits how long other writers
    /// wait.
    private static let rowsPerPass = 200
    /// A data key is used for a year or for this number of rows, far below the limit of random nonces (2^32).
    private static let rowsPerKey: Int64 = 1 << 30
    private static let keyLife: Int64 = 365 * 24 * 3600

    let store: RowStore
    let afterStep: @Sendable (StoreStep) throws(StoreError) -> Void

    /// Adds a new data key for new rows. Old rows keep theirs until they are written again, or ``resealAll()`` reseals
    /// them.
    ///
    /// Does nothing for a store without encryption, or if no store exists.
    func run(_ keyAccess: KeyAccessOptions) throws(StoreError) { try run(keyAccess) { _ in true } }

    /// Replaces a data key that is due, and reseals the rows of old ones. If another process has added a new key
    /// meanwhile, that key stays.
    ///
    /// `number`: The value of the store's counter, if it is known.
    func runIfDue(_ keyAccess: KeyAccessOptions, number: Int64?) throws(StoreError) {
        if isDue(try store.ring(keyAccess)?.activeRow, number: number) {
            try run(keyAccess) { isDue($0, number: number) }
        }
        try resealAll()
    }

    /// Whether a data key has been used for a year or has sealed its maximum number of rows.
    ///
    /// `number`: The value of the store's counter, if it is known.
    func isDue(_ row: StoredKeys.Row?, number: Int64?) -> Bool {
        guard let row else { return false }
        return store.seconds - row.created >= Self.keyLife || (number ?? row.since) - row.since >= Self.rowsPerKey
    }

    private func run(
        _ keyAccess: KeyAccessOptions,
        where isWanted: (_ active: StoredKeys.Row) -> Bool
    ) throws(StoreError) {
        try store.withExclusiveAccess { () throws(StoreError) in
            guard let stored = try store.storedKeys(), let key = try store.keys.verify(stored, keyAccess: keyAccess),
                let active = stored.rows.first(where: { $0.state == .active }), isWanted(active)
            else { return }
            let writer = try store.expectedWriter()
            try store.changeKeys(of: stored, writer: writer, from: key.mac, to: key.mac) { db in
                let number = try StoredKeys.counter(db)
                let row = try StoredKeys.Row(newKeyFor: .active, wrappedBy: key, created: store.seconds, since: number)
                try db.execute(
                    sql: "UPDATE keys SET state = ? WHERE state = ?",
                    arguments: [KeyState.retiring.rawValue, KeyState.active.rawValue]
                )
                try StoredKeys.insert(row, in: db)
            }
            try afterStep(.dataKeyAdded)
        }
        store.forgetKeys()
    }

    /// Reseals all rows of retiring keys, at most ``rowsPerPass`` in a transaction, and deletes keys without rows.
    ///
    /// - Returns: The number of rows that cannot be opened and therefore stay unchanged; their keys stay, too.
    @discardableResult
    func resealAll() throws(StoreError) -> Int {
        guard let ring = try store.ring(KeyAccessOptions()), !ring.retiring.isEmpty else { return 0 }
        var left = 0
        for pass in [ResealPass(table: .record), ResealPass(table: .extra)] {
            var pass = pass
            while !pass.isDone {
                pass = try reseal(pass)
                try afterStep(.rowsResealed)
            }
            left += pass.unreadable
        }
        try dropUnusedKeys()
        return left
    }

    private func reseal(_ pass: ResealPass) throws(StoreError) -> ResealPass {
        try withPresentRing { (ring) throws(StoreError) in
            try store.transaction(try store.expectedWriter(), durability: .normal) { db in
                try StoredKeys.check(db, store: ring.store, generation: ring.generation)
                return try pass.next(db, ring: ring, limit: Self.rowsPerPass)
            }
        }
    }

    private func dropUnusedKeys() throws(StoreError) {
        try withPresentRing { (ring) throws(StoreError) in
            guard let stored = try store.storedKeys(), stored.generation == ring.generation else {
                throw StaleKeysError.error
            }
            let writer = try store.expectedWriter()
            try store.changeKeys(of: stored, writer: writer, from: ring.mac, to: ring.mac) { db in
                try db.execute(
                    sql: """
                        DELETE FROM keys WHERE state = ?
                            AND key_id NOT IN (SELECT key_id FROM record WHERE key_id IS NOT NULL)
                            AND key_id NOT IN (SELECT key_id FROM extra WHERE key_id IS NOT NULL)
                        """,
                    arguments: [KeyState.retiring.rawValue]
                )
            }
        }
        try afterStep(.dataKeyDropped)
        store.forgetKeys()
    }

    /// Runs `work` with the current keys. Repeats it if another process has changed them meanwhile.
    private func withPresentRing<R>(_ work: (KeyRing) throws(StoreError) -> R) throws(StoreError) -> R {
        while true {
            guard let ring = try store.ring(KeyAccessOptions()) else { throw StaleKeysError.error }
            do throws(StoreError) {
                return try work(ring)
            } catch {
                guard error.underlying is StaleKeysError else { throw error }
                store.forgetKeys()
            }
        }
    }
}

/// The pass over one table that reseals old rows. It can stop after a number of rows and continue from there.
private struct ResealPass: Sendable {
    let table: SealContext.Table
    var isDone = false
    var unreadable = 0
    /// The last row examined.
    var position = Data()

    /// Returns the pass after up to `limit` more rows.
    func next(_ db: Database, ring: KeyRing, limit: Int) throws -> ResealPass {
        var pass = self
        guard let active = ring.active else {
            pass.isDone = true
            return pass
        }
        let kind = table == .record ? "kind" : "0 AS kind"
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id, \(kind), key_id, sealed FROM \(table.rawValue)
                    WHERE id > ? AND key_id IS NOT ? ORDER BY id LIMIT ?
                    """
            ),
            arguments: [position, active.id, limit]
        )
        var sealed: Int64 = 0
        for row in rows {
            guard let id = try? row.decode(Data.self, forColumn: "id") else {
                pass.unreadable += 1
                continue
            }
            pass.position = id
            guard let kind = try? row.decode(Int.self, forColumn: "kind"),
                let plain = ring.open(row, in: table, kind: kind)
            else {
                pass.unreadable += 1
                continue
            }
            let payload = try ring.seal(plain, in: table, row: id, kind: kind)
            try db.cachedStatement(sql: "UPDATE \(table.rawValue) SET key_id = ?, sealed = ? WHERE id = ?")
                .execute(arguments: [payload.keyID, payload.sealed, id])
            sealed += 1
        }
        // These rows count toward the key's limit like all others.
        try StoredKeys.setMeta(.counter, to: StoredKeys.counter(db) + sealed, in: db)
        // The pass cannot continue from rows without an identifier.
        pass.isDone = rows.count < limit || pass.position == position
        return pass
    }
}
