// Licensed under the MIT License. See LICENSE.

package import Foundation
import GRDB

/// Keeps a store small: deletes expired rows once an hour and, above a cap, the oldest other rows of one kind
/// (docs/reference/Store.md#sweep).
package struct StoreSweep: Sendable {
    /// The kind of rows to delete when there are too many.
    private let kind: Int
    /// The maximum number of rows. A negative number counts as zero.
    private let cap: Int

    /// The number of rows that one transaction deletes at most; the next transaction continues. Above the cap, a sweep
    /// examines all rows of the kind, once an hour: an index in their order would cost each save a page.
    private static let most = 200

    package init(droppingKind kind: Int, cap: Int) {
        self.kind = kind
        self.cap = max(0, cap)
    }

    /// Sweeps, unless a process has done so within the hour before `now`.
    package func run(in transaction: RowTransaction, now: Date) throws(StoreError) {
        try transaction.run(.unwritable) { transaction.hasSwept = try sweep(transaction.db, now: now.seconds) }
    }

    /// Returns whether a sweep was due.
    private func sweep(_ db: Database, now: Int64) throws -> Bool {
        // A time in the future comes from a wrong clock.
        let due = max(0, now) - 3600
        if let last = try StoredKeys.meta(.purged, as: Int64.self, in: db), last <= now, last > due { return false }
        try db.execute(
            sql: """
                DELETE FROM record WHERE id IN (
                    SELECT id FROM record INDEXED BY record_expiry_ix WHERE expires_on < ? ORDER BY expires_on LIMIT ?
                )
                """,
            arguments: [now, Self.most]
        )
        let left = Self.most - db.changesCount
        let excess = try (Int.fetchOne(db, sql: "SELECT count(*) FROM record") ?? 0) - cap
        var isDone = left > 0
        if isDone, excess > 0 {
            // The counter, not a clock, determines which row is the oldest.
            try db.execute(
                sql: """
                    DELETE FROM record WHERE id IN (
                        SELECT id FROM record INDEXED BY record_kind_ix WHERE kind = ? ORDER BY modified LIMIT ?
                    )
                    """,
                arguments: [kind, min(left, excess)]
            )
            isDone = excess < left || db.changesCount == 0
        }
        try db.execute(sql: "DELETE FROM lease WHERE until < ?", arguments: [now])
        if isDone { try StoredKeys.setMeta(.purged, to: now, in: db) }
        return true
    }
}
