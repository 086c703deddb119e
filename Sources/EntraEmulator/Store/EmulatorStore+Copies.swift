// Licensed under the MIT License. See LICENSE.

import GRDB

/// Everything that the store holds, and the way back to it.
extension EmulatorStore {
    /// The rows of a store. They hold digests of secrets, as the store does.
    struct Copy: Sendable {
        fileprivate let rows: [String: [[DatabaseValue]]]
    }

    /// The tables of the schema.
    static let tables = ["user", "object_id", "consent", "session", "code", "refresh_token", "revoked", "directory"]
    /// Those of them that are `WITHOUT ROWID`.
    private static let tablesWithoutRowID: Set = ["object_id", "consent", "revoked"]

    /// A copy of everything.
    func copy() throws -> Copy {
        try write { db in
            var rows: [String: [[DatabaseValue]]] = [:]
            for table in Self.tables {
                // Where there are too many codes or sessions, those with the lowest rowid go. The copy keeps the order.
                let order = Self.tablesWithoutRowID.contains(table) ? "" : "ORDER BY rowid"
                rows[table] = try Row.fetchAll(db, sql: "SELECT * FROM \(table) \(order)")
                    .map { Array($0.databaseValues) }
            }
            return Copy(rows: rows)
        }
    }

    /// Returns to a copy, as a whole or not at all.
    func restore(_ copy: Copy) throws {
        try write { db in
            for table in Self.tables {
                try db.execute(sql: "DELETE FROM \(table)")
                for row in copy.rows[table] ?? [] {
                    try db.run(
                        "INSERT INTO \(table) VALUES (\(databaseQuestionMarks(count: row.count)))",
                        with: StatementArguments(row)
                    )
                }
            }
        }
    }
}
