// Licensed under the MIT License. See LICENSE.

import GRDB
import Glibc

/// The parts of a store that are open: one connection that reads, one that writes, and the keys. One lock guards them.
struct OpenStore: ~Copyable, Sendable {
    /// Grows whenever connections are let go, so that the counters and versions of two files never look alike.
    private(set) var generation: Int64 = 0
    var process = ProcessIdentity.current
    var identity: StoreFile.Identity?
    private(set) var reader: ReadingConnection?
    /// The index of the log that `reader` reads, if that index is in shared memory. See ``LogIndex`` for its life.
    private var log: LogIndex?
    /// Copies of `log`, for calls that need nothing else.
    let views = LogViews()
    /// The tick in which somebody last looked whether the file is still the same.
    private var lookedAt: Int64?
    var writer: DatabaseQueue?
    var ring: KeyRing?
    /// The keys before the present ones: most of them are still right, and need not be fetched again.
    var previous: KeyRing?
    /// Tells other processes that the store is in use.
    var presence = StorePresence()
    /// The last repair of damage by this process.
    var recovered: StoreRecovered?

    /// The connection for reading, with the file that it reads.
    struct Reader: Sendable {
        /// The connection; `nil` while there is no store.
        let connection: ReadingConnection?
        let generation: Int64
        let identity: StoreFile.Identity?
    }

    /// Takes the connection for reading.
    mutating func use(_ reader: ReadingConnection, log: LogIndex?) {
        self.reader = reader
        dropLog()
        self.log = log
    }

    /// Notes that in this tick the file was still the same.
    mutating func noteLook(at tick: Int64) { lookedAt = tick }

    /// A number that differs from the last one if the log shows that anybody committed in between. `nil` where it
    /// takes more to tell: no shared log, another process than before, or a tick in which nobody looked at the file.
    ///
    /// The file is looked at once a tick, which is between one and ten milliseconds, because a look costs more than all
    /// the rest of a hit. It tells only whether the file at the path is still the one that is open. Other files come
    /// there when a damaged store is mended, with the same rows, and when somebody moves or deletes files. Within that
    /// tick a call may still get the token of the replaced file. This library removes tokens by commits alone, and the
    /// log shows a commit at once.
    mutating func changeCounter(at tick: Int64) -> Int64? {
        guard process == ProcessIdentity.current, lookedAt == tick, let counter = changesInLog, let log else {
            return nil
        }
        views.note(log, counter: counter, tick: tick)
        return counter
    }

    /// The change counter, whenever the file was last looked at; `nil` without a shared log.
    var changesInLog: Int64? {
        mutating get {
            log?.look()
            return log.map { generation << 32 + $0.changes }
        }
    }

    /// Lets go of everything that belongs to another file than this one.
    ///
    /// `isMoved`: Whether a connection belongs to another file, whatever was noted of it: then all of them go.
    mutating func leave(for identity: StoreFile.Identity?, isMoved: Bool = false) {
        if process != ProcessIdentity.current {
            // From before a `fork`, they belong to the parent: never used and never closed here
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
        // The order matters. The last connection of all must write the log into the file, and a reading one cannot.
        dropLog()
        lookedAt = nil
        reader = nil
        writer = nil
    }

    /// Lets go of the log's index. Call it before the connection closes, because the index is that connection's memory.
    mutating func dropLog() {
        views.clear()
        log = nil
    }

    /// Makes the next use of the keys read them anew.
    mutating func forgetKeys() {
        previous = ring ?? previous
        ring = nil
    }
}
