// Licensed under the MIT License. See LICENSE.

import GRDB
import GRDBSQLite

/// A connection that reads. It notices cheaply whether another connection, of this process or another, committed.
///
/// The question is asked before every public call where the log cannot be looked at (``LogIndex``). So it goes to SQLite
/// directly: through GRDB's queue and cursor it takes several times as long. The gate keeps the two ways of using the
/// connection apart.
final class ReadingConnection: Sendable {
    private let queue: DatabaseQueue
    // Proof for `nonisolated(unsafe)`: used only by a thread that holds `gate`, and when nobody else has the object.
    private nonisolated(unsafe) var versionStatement: OpaquePointer?
    /// Whether the connection is closed for good.
    private let gate = OrderedMutex(false, rank: .reading)

    /// The failure of a thread that outlives the end of the process by a moment.
    private static let closed = DatabaseError(resultCode: .SQLITE_MISUSE, message: "The process ends.")

    init(_ queue: DatabaseQueue) {
        self.queue = queue
    }

    deinit {
        // The statement must end before its connection, which the queue closes.
        sqlite3_finalize(versionStatement)
    }

    /// Closes the connection beneath, unless it is in use, and keeps this object in memory. It is meant for a process
    /// that ends.
    ///
    /// A queue that is released looks in Foundation for observers first, which takes longer than to close it.
    func closeForGood() {
        gate.withLockIfAvailable { isClosed in
            guard !isClosed else { return }
            isClosed = true
            sqlite3_finalize(versionStatement)
            versionStatement = nil
            // The kernel closes the rest.
            try? queue.close()
            _ = Unmanaged.passRetained(self)
        }
    }

    /// A number that differs from the last one if another connection committed in between.
    func dataVersion() throws -> Int64 {
        try gate.withLock { isClosed in
            guard !isClosed else { throw Self.closed }
            let statement = try prepared()
            let code = sqlite3_step(statement)
            let version = sqlite3_column_int64(statement, 0)
            sqlite3_reset(statement)
            guard code == SQLITE_ROW else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
            return version
        }
    }

    private func prepared() throws -> OpaquePointer {
        if let versionStatement { return versionStatement }
        let statement = try queue.unsafeRead { db in
            var statement: OpaquePointer?
            let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
            let code = sqlite3_prepare_v3(db.sqliteConnection, "PRAGMA data_version", -1, flags, &statement, nil)
            guard code == SQLITE_OK, let statement else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
            return statement
        }
        versionStatement = statement
        return statement
    }

    /// Runs `body` in a reading transaction: it sees one state of the store.
    func read<R>(_ body: (Database) throws -> R) throws -> R {
        var result: R?
        try gate.withLock { isClosed in
            guard !isClosed else { throw Self.closed }
            // GRDB's own reading transaction is not used, because it takes several times as long as a short body.
            result = try queue.unsafeRead { db in try db.inRawTransaction("BEGIN") { try body(db) } }
        }
        guard let result else { preconditionFailure("A body that did not throw has a result.") }
        return result
    }
}
