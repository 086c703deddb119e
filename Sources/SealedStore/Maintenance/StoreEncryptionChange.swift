// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// Converts a store from plain to sealed rows, or back.
struct StoreEncryptionChange {
    let store: RowStore
    let afterStep: @Sendable (StoreStep) throws(StoreError) -> Void

    private var wrapping: WrappingKeyRotation { WrappingKeyRotation(store: store, afterStep: afterStep) }

    /// Converts every row. The blind indexes also change, so all of it is one transaction.
    ///
    /// `old`: The current keys. `provider`: The new key's provider; `nil` for plain rows.
    func run(from old: KeyRing, to provider: (any KeyProvider)?, keyAccess: KeyAccessOptions) throws(StoreError) {
        try store.withExclusiveAccess { () throws(StoreError) in
            guard let stored = try store.storedKeys(), old.generation == stored.generation else { return }
            let previous = stored.wrapping.provider == .none ? nil : stored.wrapping
            let writer = try store.expectedWriter()
            try wrapping.clearLeftovers(of: stored, mac: old.mac, writer: writer, keyAccess: keyAccess)
            let keys = try futureKeys(of: stored.store, from: provider, writer: writer, keyAccess: keyAccess)
            let mac = keys.wrappingKey?.mac
            try store.changeKeys(of: stored, writer: writer, from: old.mac, to: mac) { db in
                try db.execute(sql: "DELETE FROM lease")
                try RowRewriting(db: db, store: store).run(from: old, to: keys, generation: stored.generation)
                try StoredKeys.setMeta(.arriving, to: nil, in: db)
                try StoredKeys.setMeta(.traces, to: 1, in: db)
                if let previous { try StoredKeys.setMeta(.retiring, to: previous.text, in: db) }
            }
            try afterStep(.rowsRewritten)
            try removeTraces(writer)
            if let previous {
                try wrapping.retire(previous, of: stored.store, mac: mac, writer: writer, keyAccess: keyAccess)
            }
        }
        store.forgetKeys()
    }

    /// Removes plain rows of an earlier conversion that may still be in the log, or in rearranged pages.
    func removeTraces() throws(StoreError) {
        try store.withExclusiveAccess { () throws(StoreError) in try removeTraces(try store.expectedWriter()) }
    }

    /// If another process is reading, or this process exits before it is finished, the next call completes it.
    private func removeTraces(_ writer: DatabaseQueue) throws(StoreError) {
        try store.run(.unwritable) {
            try writer.writeWithoutTransaction { db in
                guard try StoredKeys.meta(.traces, as: Int64.self, in: db) != nil else { return }
                try db.execute(sql: "VACUUM")
                // The first column is 1 if another connection prevented it.
                guard try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
                    throw StoreError(
                        .busy,
                        message: """
                            The token store \(store.location.file) was converted, but another process kept the \
                            previous content in the log. Repeat the command to remove it.
                            """
                    )
                }
                try StoredKeys.setMeta(.traces, to: nil, in: db)
            }
        }
    }

    /// The keys that the store will have.
    private func futureKeys(
        of storeID: String,
        from provider: (any KeyProvider)?,
        writer: DatabaseQueue,
        keyAccess: KeyAccessOptions
    ) throws(StoreError) -> InitialKeys {
        guard let provider else { return .plain(storeID) }
        let name = try wrapping.announceKey(with: provider, of: storeID, writer: writer, keyAccess: keyAccess)
        let keys = try InitialKeys(from: provider, name: name, created: store.seconds, keyAccess: keyAccess)
        try afterStep(.newKeyKept)
        return keys
    }
}

/// Seals every row of a store with other keys, within a transaction. Identities and terms are read from the payloads
/// because they cannot be recovered from their indexes.
struct RowRewriting {
    let db: Database
    let store: RowStore

    /// Gives the store new keys, and rewrites every readable row. Other rows stay unchanged.
    ///
    /// `generation`: The generation of the current keys.
    func run(from old: KeyRing, to keys: InitialKeys, generation: Int64) throws {
        let future = StoredKeys(store: keys.store, wrapping: keys.wrapping, generation: generation, rows: keys.keys)
        try db.execute(sql: "DELETE FROM keys")
        for row in keys.keys { try StoredKeys.insert(row, in: db) }
        try StoredKeys.setMeta(.provider, to: keys.wrapping.provider.rawValue, in: db)
        try StoredKeys.setMeta(.wrappingKey, to: keys.wrapping.id, in: db)
        let ring = try KeyRing(future, key: keys.wrappingKey)
        let transaction = try RowTransaction(db, ring: ring, origin: RowTransaction.Origin(file: store.location.file))
        try moveRows(from: old, to: transaction)
        try moveExtras(from: old, to: transaction)
        try transaction.finish()
    }

    private func moveRows(from old: KeyRing, to transaction: RowTransaction) throws {
        for id in try Data?.fetchAll(db, sql: "SELECT id FROM record ORDER BY modified").compactMap(\.self) {
            let statement = try db.cachedStatement(sql: "SELECT id, kind, key_id, sealed FROM record WHERE id = ?")
            guard let row = try Row.fetchOne(statement, arguments: [id]),
                let kind = try row.decode(Int?.self, forColumn: "kind"),
                let payload = old.open(row, in: .record, kind: kind),
                let plain = store.payloads.row(kind: kind, payload: payload)
            else { continue }
            try db.execute(sql: "DELETE FROM record WHERE id = ?", arguments: [id])
            try transaction.save(plain)
        }
    }

    private func moveExtras(from old: KeyRing, to transaction: RowTransaction) throws {
        for row in try Row.fetchAll(db, sql: "SELECT id, key_id, sealed FROM extra") {
            guard let payload = old.open(row, in: .extra),
                let item = store.payloads.extra(payload: payload)
            else { continue }
            try db.execute(sql: "DELETE FROM extra WHERE id = ?", arguments: [row["id"] as Data])
            try transaction.saveExtra(item)
        }
    }
}
