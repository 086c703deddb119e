// Licensed under the MIT License. See LICENSE.

import GRDB
import GRDBSQLite

/// A read connection. It detects cheaply whether another connection, of this process or another, has committed.
///
/// Every public call checks this where the log's index cannot be read (``WALIndex``), so the check uses SQLite
/// directly: GRDB's queue and cursor take several times as long. The gate keeps the two uses of the connection apart.
final class ReadingConnection: Sendable {
    private let queue: DatabaseQueue
    // Proof for `nonisolated(unsafe)`: used only by a thread that holds `gate`, and when no other reference to the
    // object exists.
    private nonisolated(unsafe) var versionStatement: OpaquePointer?
    /// Whether the connection is permanently closed.
    private let gate = OrderedMutex(false, rank: .reading)

    /// The failure of a thread that still runs while the process exits.
    private static let closed = DatabaseError(resultCode: .SQLITE_MISUSE, message: "The process ends.")

    init(_ queue: DatabaseQueue) { self.queue = queue }

    deinit {
        // The statement must be finalized before the queue closes its connection.
        sqlite3_finalize(versionStatement)
    }

    /// Closes the underlying connection, unless it is in use, and keeps this object in memory. For a process that is
    /// exiting.
    ///
    /// Releasing a queue first searches Foundation for observers, which takes longer than closing it.
    func closeAtExit() {
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

    /// Runs `body` in a read transaction, in which it sees one state of the store.
    func read<R>(_ body: (Database) throws -> R) throws -> R {
        var result: R?
        try gate.withLock { isClosed in
            guard !isClosed else { throw Self.closed }
            // GRDB's own read transaction is not used because it takes several times as long as a short body.
            result = try queue.unsafeRead { db in try db.inRawTransaction("BEGIN") { try body(db) } }
        }
        guard let result else { preconditionFailure("A body that did not throw has a result.") }
        return result
    }
}
