// Licensed under the MIT License. See LICENSE.

import GRDB

extension SQLiteStore {
    /// `nil` if there is no file, or one that its creator has not filled yet.
    func openReader() throws(StoreError) -> DatabaseQueue? {
        guard try file.check() else { return nil }
        return try run(.unreadable) {
            let queue = try DatabaseQueue(
                path: location.file,
                configuration: StoreSchema.configuration(readonly: true)
            )
            switch try queue.read({ try StoreSchema.state($0, file: location.file) }) {
            case .ready: return queue
            case .empty: return nil
            }
        }
    }

    func openWriter() throws(StoreError) -> DatabaseQueue {
        if try !file.check() { try file.create() }
        return try run(.unwritable) {
            let queue = try DatabaseQueue(
                path: location.file,
                configuration: StoreSchema.configuration(readonly: false)
            )
            switch try queue.read({ try StoreSchema.state($0, file: location.file) }) {
            case .ready: break
            case .empty: try file.whileAlone { try fill(queue) }
            }
            return queue
        }
    }

    private func fill(_ queue: DatabaseQueue) throws {
        // The journal mode is kept in the header and cannot change inside a transaction.
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            try db.inTransaction(.immediate) {
                // Another process may have been first.
                if try StoreSchema.state(db, file: location.file) == .empty { try StoreSchema.create(db) }
                return .commit
            }
        }
    }
}
