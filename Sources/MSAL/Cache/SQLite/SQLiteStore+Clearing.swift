// Licensed under the MIT License. See LICENSE.

import GRDB

extension SQLiteStore {
    package func wipe() throws(StoreError) {
        try deleteAllRecords()
        try StoreRemains(of: location).remove()
    }

    /// Deletes every record and extra item, from the disk as far as SQLite reaches: out of the file and its log.
    ///
    /// Where no store is, none is created.
    package func deleteAllRecords() throws(StoreError) {
        guard try settledIdentity() != nil else { return }
        try write(.full) { (transaction) throws(StoreError) in try transaction.deleteAll() }
        emptyLog()
    }

    /// Has the pages before the last commit overwritten.
    ///
    /// Where another process reads just now, or the disk fails, the log keeps them until the last one closes it.
    func emptyLog() {
        _ = try? presentWriter()?.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    }
}
