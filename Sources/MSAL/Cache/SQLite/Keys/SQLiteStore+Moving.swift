// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import MSALSupport

extension SQLiteStore {
    /// Replaces the key-encryption key and the data key, and seals every row anew.
    ///
    /// Nothing happens in a store without encryption, or where there is no store.
    package func rotateKeys(_ patience: KeyPatience) throws(StoreError) {
        // Damage is mended first.
        try prepare(patience, for: .reading)
        try rotateWrappingKey(to: nil, patience)
        try renewData(patience)
    }

    /// Moves the store's key to another provider; the one way in which it ever changes
    /// (docs/reference/Store.md#provider-change).
    ///
    /// Where the key is with such a provider already, all keys are replaced as by ``rotateKeys(_:)``: who says where the
    /// new key belongs may do so because the old one is known to others. Another credential file takes the place of the
    /// one in use.
    ///
    /// `provider`: Where the key will be; `nil` decrypts the store. The store's own source of keys has the present key;
    /// it must know this provider, or the store cannot be opened with it afterwards.
    package func migrate(to provider: (any KeyProvider)?, _ patience: KeyPatience) throws(StoreError) {
        try prepare(patience, for: .reading)
        guard let present = try ring(patience)?.provider else { return }
        try whileAlone { () throws(StoreError) in try removeTraces(try writer(patience)) }
        guard let provider, present != .none else {
            guard present != provider?.kind ?? .none else { return }
            try whileAlone { () throws(StoreError) in try rewrite(for: provider, patience) }
            return forgetKeys()
        }
        try rotateWrappingKey(to: provider, patience)
        // This store's source may know another credential file than the one that counts now.
        if present == provider.kind { try withKey(of: provider).renewData(patience) }
    }

    /// Seals every row with a new data key.
    private func renewData(_ patience: KeyPatience) throws(StoreError) {
        try rotateDataKey(patience)
        try resealAll()
    }

    /// The same file for whoever has its key from `provider`.
    private func withKey(of provider: any KeyProvider) -> SQLiteStore {
        SQLiteStore(
            location: location,
            keys: SingleKeySource(provider),
            time: time,
            cap: cap,
            faults: faults,
            background: background
        )
    }

    /// Deletes everything and starts with a new key; needs neither the old one nor its provider. For a store whose key
    /// is lost, where nothing that was in it can be read again.
    package func reset(_ patience: KeyPatience) throws(StoreError) {
        try whileAlone { () throws(StoreError) in
            guard let stored = try storedKeys() else { return }
            let founding = try found(patience, keyID: WrappingKey.newID())
            try transaction(try writer(patience), .full) { db in
                for table in ["record_scope", "record", "extra", "lease", "keys"] {
                    try db.execute(sql: "DELETE FROM \(table)")
                }
                try founding.write(db, location)
                try StoredKeys.setMeta(db, .purged, nil)
                try StoredKeys.setMeta(db, .arriving, nil)
                try StoredKeys.setMeta(db, .retiring, nil)
                try StoredKeys.setMeta(db, .generation, stored.generation &+ 1)
            }
            do throws(StoreError) {
                try keySource.provider(stored.wrapping.provider)?
                    .forget(keyName(store: stored.store, id: stored.wrapping.id), patience)
            } catch {
                // Nothing needs it any more.
                Log.warning("The old key of the token store was left where it is: \(error.message)")
            }
        }
        emptyLog()
        forgetKeys()
    }

    /// From plain to sealed or back. The blind indexes change, too, so all of it is one transaction.
    private func rewrite(for provider: (any KeyProvider)?, _ patience: KeyPatience) throws(StoreError) {
        guard let stored = try storedKeys(), let old = try ring(patience), old.generation == stored.generation else {
            return
        }
        let writer = try writer(patience)
        try clearLeftovers(of: stored, old.mac, writer, patience)
        let founding = try futureKeys(of: stored.store, provider, writer, patience)
        try changeKeys(of: stored, writer, from: old.mac, to: founding.wrappingKey?.mac) { db in
            try db.execute(sql: "DELETE FROM lease")
            try rewrite(db, from: old, to: founding, generation: stored.generation)
            try StoredKeys.setMeta(db, .arriving, nil)
            try StoredKeys.setMeta(db, .traces, 1)
            if stored.wrapping.provider != .none { try StoredKeys.setMeta(db, .retiring, stored.wrapping.text) }
        }
        try faults(.rowsRewritten)
        try removeTraces(writer)
        if stored.wrapping.provider != .none {
            try retire(stored.wrapping, of: stored.store, founding.wrappingKey?.mac, writer, patience)
        }
    }

    /// Gives the store new keys and every row that can be opened the form that these make; within a transaction.
    ///
    /// `generation`: That of the keys which are there.
    func rewrite(_ db: Database, from old: KeyRing, to founding: StoreFounding, generation: Int64) throws {
        let future = StoredKeys(
            store: founding.store,
            wrapping: founding.wrapping,
            generation: generation,
            rows: founding.keys
        )
        let ring = try KeyRing(future, founding.wrappingKey)
        try db.execute(sql: "DELETE FROM keys")
        for row in founding.keys { try StoredKeys.insert(db, row) }
        try StoredKeys.setMeta(db, .provider, founding.wrapping.provider.rawValue)
        try StoredKeys.setMeta(db, .wrappingKey, founding.wrapping.id)
        let before = try SQLiteTransaction(db, old, file: location.file, cap: cap)
        let after = try SQLiteTransaction(db, ring, file: location.file, cap: cap)
        try before.move(to: after)
        try after.finish()
    }

    /// What was plain must not stay behind, neither in the log nor where pages were rearranged. A crash, or a process
    /// that reads, leaves this to be done by the next call.
    private func removeTraces(_ writer: DatabaseQueue) throws(StoreError) {
        try run(.unwritable) {
            try writer.writeWithoutTransaction { db in
                guard try StoredKeys.meta(db, .traces, Int64.self) != nil else { return }
                try db.execute(sql: "VACUUM")
                // The answer's first column is 1 if another connection stood in the way.
                guard try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
                    throw StoreError(
                        .busy,
                        """
                        The token store \(location.file) has its new form, but another process kept what was there \
                        before in the log. Do the same again to remove it.
                        """
                    )
                }
                try StoredKeys.setMeta(db, .traces, nil)
            }
        }
    }

    /// The keys a store will have.
    private func futureKeys(
        of store: String,
        _ provider: (any KeyProvider)?,
        _ writer: DatabaseQueue,
        _ patience: KeyPatience
    ) throws(StoreError) -> StoreFounding {
        guard let provider else { return .plain(store) }
        let name = try announceKey(with: provider, of: store, writer, patience)
        let founding = try StoreFounding(provider, name, created: seconds, patience)
        try faults(.newKeyKept)
        return founding
    }
}

extension SQLiteTransaction {
    /// Moves every row that can be opened to another form of the store. Others stay as they are.
    func move(to other: SQLiteTransaction) throws {
        for id in try Data?.fetchAll(db, sql: "SELECT id FROM record ORDER BY modified").compactMap(\.self) {
            let statement = try db.cachedStatement(sql: "SELECT id, kind, key_id, sealed FROM record WHERE id = ?")
            guard let row = try Row.fetchOne(statement, arguments: [id]),
                let kind = try row.decode(Int?.self, forColumn: "kind").flatMap(RecordKind.init(rawValue:)),
                case .plain(let plain) = ring.open(row, .record, kind: kind.rawValue),
                let members = RecordMembers(parsing: plain),
                let record = CacheRecord(kind: kind, members)
            else { continue }
            try db.execute(sql: "DELETE FROM record WHERE id = ?", arguments: [id])
            try other.save(record)
        }
        let extras = try Row.fetchAll(db, sql: "SELECT id, key_id, sealed FROM extra")
        for row in extras {
            guard case .plain(let plain) = ring.open(row, .extra), let item = ExtraItem(payload: plain) else {
                continue
            }
            try db.execute(sql: "DELETE FROM extra WHERE id = ?", arguments: [row["id"] as Data])
            try other.saveExtra(item)
        }
    }
}
