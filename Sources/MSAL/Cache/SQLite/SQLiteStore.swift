// Licensed under the MIT License. See LICENSE.

import GRDB
import Glibc
import Synchronization

/// The store of a group on disk: one SQLite file, shared by all processes of the user.
///
/// Nothing happens before the first call. Reading where no store exists finds nothing and creates nothing; the first
/// write creates directories (0700) and file (0600). Payloads are plain in this version (provider `none`): the
/// file rights are the only protection. `sealed` and `key_id` are there for encryption.
package final class SQLiteStore: TokenStore {
    package let location: StoreLocation
    let file: StoreFile
    private let connections = Mutex(Connections())

    /// Creating and opening are done by one thread of the process at a time: closing a descriptor of a file
    /// drops all POSIX locks that the process holds on it, those of a SQLite connection included.
    private static let opening = Mutex(())

    package init(location: StoreLocation) {
        self.location = location
        file = StoreFile(location: location)
    }

    package var isPrepared: Bool { connections.withLock { $0.reader != nil } }

    package func prepare(_ patience: KeyPatience) throws(StoreError) {
        _ = try reader()
    }

    package func statistics(now: Date) throws(StoreError) -> StoreStatistics {
        var statistics = StoreStatistics()
        for kind in RecordKind.allCases {
            statistics.records[kind] = try read { (store) throws(StoreError) in
                try store.records(RecordFilter(kind)).count
            }
        }
        statistics.path = location.file
        return statistics
    }

    package func changeCounter() throws(StoreError) -> Int64 {
        let (reader, generation) = try reader()
        guard let reader else { return generation << 32 }
        // `data_version` of one connection moves with each commit of every other, of this process or another.
        let version = try run(.unreadable) {
            try reader.unsafeRead { db in
                try Int64.fetchOne(db.cachedStatement(sql: "PRAGMA data_version"))
            }
        }
        return generation << 32 + (version ?? 0)
    }

    package func read<R: Sendable>(
        _ body: (any TokenStoreReading) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        guard let reader = try reader().queue else { return try body(EmptyReading()) }
        return try run(.unreadable) {
            try reader.read { db in try body(SQLiteTransaction(db: db, file: location.file)) }
        }
    }

    package func write<R: Sendable>(
        _ durability: Durability,
        _ body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let writer = try writer()
        return try run(.unwritable) {
            try writer.writeWithoutTransaction { db in
                let isFull = durability == .full
                if isFull { try db.execute(sql: "PRAGMA synchronous = FULL") }
                let result = Result<R, any Error> {
                    var result: R?
                    try db.inTransaction(.immediate) {
                        result = try body(SQLiteTransaction(db: db, file: location.file))
                        return .commit
                    }
                    guard let result else { preconditionFailure("A committed transaction has a result.") }
                    return result
                }
                if isFull { try db.execute(sql: "PRAGMA synchronous = NORMAL") }
                return try result.get()
            }
        }
    }

    func run<R>(_ kind: StoreError.Kind, _ work: () throws -> R) throws(StoreError) -> R {
        do {
            return try work()
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(error, file: location.file, fallback: kind)
        }
    }
}

extension SQLiteStore {
    private struct Connections {
        /// Grows with every file that is opened, so that counters of two files never look alike.
        var generation: Int64 = 0
        var process = getpid()
        var identity: StoreFile.Identity?
        var reader: DatabaseQueue?
        var writer: DatabaseQueue?
        /// Connections from before a `fork` belong to the parent: never used, never closed here (R13).
        var inherited: [DatabaseQueue] = []

        mutating func leave(for identity: StoreFile.Identity?) {
            if process != getpid() {
                inherited += [reader, writer].compactMap(\.self)
                process = getpid()
            } else if self.identity == identity {
                return
            }
            self.identity = identity
            reader = nil
            writer = nil
        }
    }

    /// The connection for reading, opened if need be; none while there is no store.
    private func reader() throws(StoreError) -> (queue: DatabaseQueue?, generation: Int64) {
        try connections.withLock { (connections) throws(StoreError) -> Opened in
            // Who deletes the file starts anew: the old connections would go on with an unlinked one.
            connections.leave(for: file.identity)
            if connections.reader == nil, connections.identity != nil {
                connections.reader = try Self.opening.withLock { _ throws(StoreError) in try openReader() }
                if connections.reader != nil { connections.generation += 1 }
            }
            return Opened(queue: connections.reader, generation: connections.generation)
        }.both
    }

    private func writer() throws(StoreError) -> DatabaseQueue {
        try connections.withLock { (connections) throws(StoreError) -> DatabaseQueue in
            connections.leave(for: file.identity)
            if let writer = connections.writer { return writer }
            let writer = try Self.opening.withLock { _ throws(StoreError) in try openWriter() }
            connections.leave(for: file.identity)
            connections.writer = writer
            return writer
        }
    }

    private struct Opened: Sendable {
        let queue: DatabaseQueue?
        let generation: Int64
        var both: (queue: DatabaseQueue?, generation: Int64) { (queue, generation) }
    }
}

/// What reading finds where no store is.
private struct EmptyReading: TokenStoreReading {
    func record(_ identity: RecordIdentity) throws(StoreError) -> CacheRecord? { nil }
    func records(_ filter: RecordFilter) throws(StoreError) -> [CacheRecord] { [] }
    func extras() throws(StoreError) -> [ExtraItem] { [] }
    func lease(_ name: String) throws(StoreError) -> RefreshLease? { nil }
}
