// Licensed under the MIT License. See LICENSE.

import GRDB
import MSALBase

/// Empties a store.
struct StoreClearing {
    let store: RowStore

    /// Deletes every row and extra item, and keeps the key. Does not create a store if none exists.
    func deleteRows() throws(StoreError) {
        guard try store.exists() else { return }
        try store.write(.full) { (transaction) throws(StoreError) in try transaction.deleteAll() }
        emptyLog()
    }

    /// Deletes everything and starts with a new key.
    func reset(_ keyAccess: KeyAccessOptions) throws(StoreError) {
        try store.withExclusiveAccess { () throws(StoreError) in
            guard let stored = try store.storedKeys() else { return }
            let keys = try store.keys.initialKeys(
                keyID: WrappingKey.newID(),
                created: store.seconds,
                keyAccess: keyAccess
            )
            try store.transaction(try store.expectedWriter(), durability: .full) { db in
                for table in ["record_scope", "record", "extra", "lease", "keys"] {
                    try db.execute(sql: "DELETE FROM \(table)")
                }
                try keys.write(to: db, at: store.location)
                try StoredKeys.setMeta(.purged, to: nil, in: db)
                try StoredKeys.setMeta(.arriving, to: nil, in: db)
                try StoredKeys.setMeta(.retiring, to: nil, in: db)
                try StoredKeys.setMeta(.generation, to: stored.generation &+ 1, in: db)
            }
            do throws(StoreError) {
                let name = store.keys.keyName(stored.wrapping.id, store: stored.store)
                try store.keys.source.provider(stored.wrapping.provider)?.forget(name, keyAccess: keyAccess)
            } catch {
                // The old key no longer opens anything, so it may stay.
                Log.warning("The old key of the token store was not deleted: \(error.message)")
            }
        }
        emptyLog()
        store.forgetKeys()
    }

    /// Overwrites the pages from before the last commit.
    ///
    /// If another process is reading, or the disk fails, the log keeps the rows until the last process closes it.
    func emptyLog() {
        let writer = try? store.presentWriter()
        try? writer?.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    }
}
