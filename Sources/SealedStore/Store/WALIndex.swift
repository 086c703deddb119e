// Licensed under the MIT License. See LICENSE.

import GRDB
import GRDBSQLite
import Glibc
import MSALBase
import Synchronization

/// The header of a write-ahead log's index, in the memory that all processes with the open store share. It reveals in a
/// few nanoseconds whether any process committed (sqlite.org/walformat.html, "The WAL-Index Header").
///
/// Why it cannot miss a commit:
/// - The memory contains the header twice, 48 bytes each. A commit writes the second copy, then the first, before the
///   committing call returns. If the two differ, a commit is in progress, or its process died during it. That counts as
///   a change each time, so the caller reads, and SQLite itself waits or recovers.
/// - Equal headers mean equal content. The header has the number of valid frames of the log, the checksum over all of
///   them, and two salts, one of which is random for each restart of the log. So it differs from every earlier one,
///   with one exception: the header that SQLite writes when it recovers the index of an empty log is always the same.
///   It recurs if, between two checks, a process commits, the log is emptied, and a second process is killed between
///   writing the two copies of the header. SQLite compares the same 48 bytes before it trusts the pages in its memory,
///   so a read would not find the change either.
/// - A checkpoint moves content from the log into the file and changes neither the content nor the header. When the log
///   restarts, the header changes. That counts as a change, although no process has committed.
/// - While this connection is open, all processes use the same log and index. The connection holds SQLite's lock on the
///   file and on the index, which prevents other processes from deleting or truncating them and from changing the mode.
///   If a program deletes or replaces files regardless, the identity of the file reveals it; SQLite itself would not.
///
/// Why the memory address stays valid: SQLite maps the index region by region, never moves a region, and unmaps them
/// with the last connection of the process (`xShmUnmap`, which it calls when it closes a connection, or when a
/// connection leaves the mode, which ours never do). ``OpenStore`` keeps this value with its connection, under the lock
/// `open`, and ``WALIndexViews`` has copies. The thread that closes or releases that connection holds the lock. In the same
/// step it clears the copies, each under its own lock, and drops this value: ``OpenStore/leave(for:isMoved:)``.
struct WALIndex: @unchecked Sendable {
    // Proof for `@unchecked Sendable`: the memory is read only under the lock `open`, or that of a copy, as above.
    // Other processes write it at any time, and a mixture of two states counts as a change.
    private let header: UnsafeRawPointer
    /// The header at the last check; `nil` before the first check, and if its two copies differed.
    private var last: HeaderWords?
    /// The number of changes detected.
    private(set) var changes: Int64 = 0

    /// The 48 bytes of the header.
    private typealias HeaderWords = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    /// The layout of the header that this code knows (SQLite since 3.7.0).
    private static let version: UInt32 = 3_007_000

    /// The index of the log that this connection reads; `nil` if it is not in shared memory.
    ///
    /// The connection must have read from the file. Without a log, SQLite would create an index for it.
    init?(_ db: Database) throws {
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal" else { return nil }
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &pointer) == SQLITE_OK,
            let file = pointer, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
            let map = methods.pointee.xShmMap
        else { return nil }
        var region: UnsafeMutableRawPointer?
        // The first region is already mapped. Zero means that it is not created otherwise.
        guard map(file, 0, Self.regionSize, 0, &region) == SQLITE_OK, let region,
            region.load(as: UInt32.self) == Self.version
        else { return nil }
        header = UnsafeRawPointer(region)
    }

    /// The size of a region of the index, as SQLite asks for it.
    private static let regionSize: Int32 = 32_768

    /// Compares the header with the last one. If it has changed, a process has committed, and the counter increases.
    mutating func refresh() {
        let first = words(at: 0)
        let second = words(at: 48)
        // Rows read after this check are at least as new as the header.
        atomicMemoryFence(ordering: .acquiring)
        guard first == second else {
            last = nil
            changes += 1
            return
        }
        if let last, last == first { return }
        last = first
        changes += 1
    }

    /// Whether no process has committed since ``refresh()``.
    var isUnchanged: Bool {
        let first = words(at: 0)
        let isWhole = first == words(at: 48)
        // Rows read after this check are at least as new as the header.
        atomicMemoryFence(ordering: .acquiring)
        guard isWhole, let last else { return false }
        return last == first
    }

    private func words(at offset: Int) -> HeaderWords {
        func word(_ index: Int) -> UInt64 { header.load(fromByteOffset: offset + index * 8, as: UInt64.self) }
        return (word(0), word(1), word(2), word(3), word(4), word(5))
    }
}

/// Each thread's last snapshot of the log's index, so that concurrent calls do not write shared memory. The values are
/// copies of those in ``OpenStore``.
///
/// Only a thread that holds the lock `open` sets or clears a snapshot. None outlives the connection whose memory it
/// reads because ``OpenStore`` clears the snapshots before it releases that connection.
final class WALIndexViews: Sendable {
    private struct View {
        let log: WALIndex
        let counter: Int64
        /// The tick in which the identity of the file was last checked.
        let tick: Int64
        let process: pid_t
    }

    private let views = Striped { OrderedMutex<View?>(nil, rank: .view) }

    /// The stored counter, if the log has not changed since and the tick is still the same.
    func counter(at tick: Int64) -> Int64? {
        views.withOwn { view in
            view.withLock { view in
                guard let view, view.tick == tick, view.process == ProcessIdentity.current, view.log.isUnchanged else {
                    return nil
                }
                return view.counter
            }
        }
    }

    /// Stores the snapshot for this thread. The caller holds the lock `open`.
    ///
    /// `log`: Its state when `counter` was determined.
    func note(_ log: WALIndex, counter: Int64, tick: Int64) {
        let view = View(log: log, counter: counter, tick: tick, process: ProcessIdentity.current)
        views.withOwn { place in place.withLock { $0 = view } }
    }

    /// Clears all snapshots, and waits for threads that are using one. The caller holds the lock `open`.
    func clear() { views.forEach { place in place.withLock { $0 = nil } } }
}
