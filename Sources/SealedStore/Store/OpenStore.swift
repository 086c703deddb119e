// Licensed under the MIT License. See LICENSE.

import GRDB
import Glibc

/// The open resources of a store: a read connection, a write connection, and the keys. One lock guards them.
struct OpenStore: ~Copyable, Sendable {
    /// Increases whenever connections are released, so that the counters and versions of two files never match.
    private(set) var generation: Int64 = 0
    var process = ProcessIdentity.current
    var identity: StoreFile.Identity?
    private(set) var reader: ReadingConnection?
    /// The index of the log that `reader` reads, if that index is in shared memory. See ``WALIndex`` for its lifetime.
    private var log: WALIndex?
    /// Copies of `log`, for calls that need nothing else.
    let views = WALIndexViews()
    /// The tick in which the identity of the file was last checked.
    private var checkedAt: Int64?
    var writer: DatabaseQueue?
    var ring: KeyRing?
    /// The previous keys: most of them are still valid and need not be fetched again.
    var previous: KeyRing?
    /// Shows other processes that the store is in use.
    var presence = StorePresence()
    /// The last repair of damage by this process.
    var recovered: StoreRecoveryReport?

    /// The read connection and the file that it reads.
    struct Reader: Sendable {
        /// The connection; `nil` if no store exists.
        let connection: ReadingConnection?
        let generation: Int64
        let identity: StoreFile.Identity?
    }

    /// Sets the read connection.
    mutating func use(_ reader: ReadingConnection, log: WALIndex?) {
        self.reader = reader
        dropLog()
        self.log = log
    }

    /// Records that the file was still the same in this tick.
    mutating func recordCheck(at tick: Int64) { checkedAt = tick }

    /// A number that differs from the last one if the log shows that any process committed in between. `nil` if that
    /// requires more work: without a shared log, in another process than before, or in a tick in which the file has not
    /// been checked.
    ///
    /// The file is checked once per tick, which is between one and ten milliseconds, because a check costs more than
    /// all the rest of a cache hit. It only determines whether the file at the path is still the open one. It differs
    /// after the repair of a damaged store, with the same rows, and after files were moved or deleted. Within that
    /// tick, a call may still return the token of the replaced file. This library removes tokens only through commits,
    /// which the log shows at once.
    mutating func changeCounter(at tick: Int64) -> Int64? {
        guard process == ProcessIdentity.current, checkedAt == tick, let counter = changesInLog, let log else {
            return nil
        }
        views.note(log, counter: counter, tick: tick)
        return counter
    }

    /// The change counter, regardless of when the file was last checked; `nil` without a shared log.
    var changesInLog: Int64? {
        mutating get {
            log?.refresh()
            return log.map { generation << 32 + $0.changes }
        }
    }

    /// Releases everything that belongs to a file other than this one.
    ///
    /// `isMoved`: Whether a connection belongs to another file, regardless of the recorded identity: all are released
    /// then.
    mutating func leave(for identity: StoreFile.Identity?, isMoved: Bool = false) {
        if process != ProcessIdentity.current {
            // Connections from before a `fork` belong to the parent: they are never used or closed here
            // (docs/reference/Store.md#fork).
            _ = reader.map(Unmanaged.passRetained)
            _ = writer.map(Unmanaged.passRetained)
            process = ProcessIdentity.current
        } else if self.identity == identity, !isMoved {
            return
        } else {
            forgetKeys()
        }
        generation += 1
        self.identity = identity
        // The order matters: the last connection to close must write the log into the file, which a read connection
        // cannot do.
        dropLog()
        checkedAt = nil
        reader = nil
        writer = nil
    }

    /// Drops the log's index. Call it before the connection closes because the index is that connection's memory.
    mutating func dropLog() {
        views.clear()
        log = nil
    }

    /// Makes the next use of the keys read them again.
    mutating func forgetKeys() {
        previous = ring ?? previous
        ring = nil
    }
}
