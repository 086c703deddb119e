// Licensed under the MIT License. See LICENSE.

import GRDB

/// Keeps a store small: expired access tokens go once an hour, and above the cap the oldest others
/// (docs/reference/Store.md#sweep).
struct StoreSweep {
    let db: Database
    let cap: Int

    /// What one transaction deletes at most, so that no save takes long. If more is to do, the next save goes on.
    private static let most = 200

    /// `now`: Seconds since 1970.
    ///
    /// - Returns: Whether a sweep was due.
    func run(_ now: Int64) throws -> Bool {
        // A note from the future is one of a wrong clock.
        let due = max(0, now) - 3600
        if let last = try StoredKeys.meta(db, .purged, Int64.self), last <= now, last > due { return false }
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
            // The running number, not a clock, tells which is the oldest (docs/reference/Store.md#clock).
            try db.execute(
                sql: """
                    DELETE FROM record WHERE id IN (
                        SELECT id FROM record INDEXED BY record_kind_ix WHERE kind = ? ORDER BY modified LIMIT ?
                    )
                    """,
                arguments: [RecordKind.accessToken.rawValue, min(left, excess)]
            )
            isDone = excess < left || db.changesCount == 0
        }
        try db.execute(sql: "DELETE FROM lease WHERE until < ?", arguments: [now])
        if isDone { try StoredKeys.setMeta(db, .purged, now) }
        return true
    }
}
