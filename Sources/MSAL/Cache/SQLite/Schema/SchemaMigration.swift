// Licensed under the MIT License. See LICENSE.

import GRDB

/// Brings a file of an earlier version up to date (token-store-linux.md R6).
///
/// All in one transaction: a process that dies leaves the file as it was, and others wait. What was there before stays
/// beside it, as `tokens.db.v<N>`.
struct SchemaMigration {
    let file: StoreFile
    let schema: StoreSchema

    /// `queue`: Connected to the file, and able to write.
    func run(_ queue: DatabaseQueue) throws {
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.inTransaction(.immediate) {
                if try db.hasMoved() { throw MovedStore.error }
                // Another process may have been first.
                if case .outdated(let version) = try schema.state(db, file: file.location.file) {
                    try file.copy(to: file.location.file + ".v\(version)")
                    try schema.migrate(db, from: version)
                    // Who has the file open looks at its version again, and stops if it does not know it.
                    try StoredKeys.advance(db)
                }
                return .commit
            }
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
        }
    }
}
