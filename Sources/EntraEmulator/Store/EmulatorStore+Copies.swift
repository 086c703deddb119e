// Licensed under the MIT License. See LICENSE.

import GRDB

/// Copying and restoring the entire store.
extension EmulatorStore {
    /// An in-memory copy with the same rows. Like the store, they contain only digests of secrets.
    struct Copy: Sendable {
        fileprivate let database: DatabaseQueue
    }

    /// The tables of the schema.
    static let tables = ["user", "object_id", "consent", "session", "code", "refresh_token", "revoked", "directory"]

    /// A copy of everything. SQLite copies whole pages, which is much faster than copying rows.
    func copy() throws -> Copy {
        let copy = Copy(database: try DatabaseQueue())
        try read { db in try copy.database.writeWithoutTransaction { try db.backup(to: $0) } }
        return copy
    }

    /// Replaces the current contents with a copy, either completely or not at all.
    func restore(_ copy: Copy) throws {
        try change { db in try copy.database.read { try $0.backup(to: db) } }
        byTenant.forget()
    }
}
