// Licensed under the MIT License. See LICENSE.

import GRDB
import GRDBSQLite
import Glibc
import MSALBase
import Synchronization

/// The on-disk store of a group: one SQLite file, shared by all processes of the user, with every row sealed.
///
/// Nothing happens before the first call. If no store exists, reading returns nothing and creates nothing; the first
/// write creates directories (0700), the file (0600), and the key. The first write determines the location of the key,
/// which changes only on request. If the key is unavailable, calls throw `.keyUnavailable` and change nothing
/// (docs/reference/Store.md#provider-change).
///
/// The locks and their order are in ``LockRank``. While a body runs, only the lock of the read connection is held.
package final class RowStore: Sendable {
    package let location: StoreLocation
    let file: StoreFile
    let keys: KeyCheck
    let payloads: any PayloadReader
    let time: any TimeSource
    let care: any StoreMaintaining
    /// The ticks of a monotonic clock.
    private let ticks: @Sendable () -> Int64

    let open: OrderedMutex<OpenStore>
    /// Each thread's last snapshot of the log of the store in `open`.
    private let views: WALIndexViews
    let keyTurn = KeyAccessLock()
    /// Whether the keys are in memory. It is a hint: if it is wrong, a thread waits a little longer.
    let hasKeys = Atomic(false)

    /// `keys`: Selects the provider of the store's key. `payloads`: Interprets the rows. `time`: The clock for the age
    /// of keys. `care`: Repairs and maintains the store. `ticks`: Determines when to check whether the file was
    /// replaced.
    init(
        location: StoreLocation,
        keys: any StoreKeySource,
        payloads: any PayloadReader,
        time: any TimeSource,
        care: any StoreMaintaining,
        ticks: @escaping @Sendable () -> Int64
    ) {
        self.location = location
        self.payloads = payloads
        self.time = time
        self.care = care
        self.ticks = ticks
        self.keys = KeyCheck(location: location, source: keys)
        file = StoreFile(location: location)
        let open = OpenStore()
        views = open.views
        self.open = OrderedMutex(open, rank: .open)
        StoreExitHandler.add(self)
    }

    deinit { close() }

    /// Whether the store is open and its key is in memory. Costs nanoseconds.
    package var isPrepared: Bool { hasKeys.load(ordering: .relaxed) }

    /// Opens the store and fetches its key, which may take as long as `keyAccess` permits. Does nothing if both are
    /// already done.
    package func prepare(_ keyAccess: KeyAccessOptions, for use: StoreUse) throws(StoreError) {
        try repeating(evenIfBusy: false) { () throws(StoreError) in
            switch use {
            case .reading: break
            case .writing: _ = try writer(keyAccess)
            }
            _ = try ring(keyAccess)
        }
    }

    /// A number that differs from the last one if any process committed a change in between. Costs nanoseconds if
    /// processes share the log in memory, otherwise microseconds.
    package func changeCounter() throws(StoreError) -> Int64 {
        let tick = ticks()
        if let counter = views.counter(at: tick) { return counter }
        if let counter = open.withLock({ $0.changeCounter(at: tick) }) { return counter }
        return try repeating(evenIfBusy: false) { () throws(StoreError) -> Int64 in
            let reader = try reader()
            let changes = open.withLock { open in
                open.recordCheck(at: tick)
                return open.changesInLog
            }
            if let changes { return changes }
            guard let connection = reader.connection else { return reader.generation << 32 }
            // `data_version` of one connection changes with each commit of every other connection, of this process or
            // another. The bit keeps these numbers apart from those that count changes of the log.
            return reader.generation << 32 + 1 << 31 + (try run(.unreadable) { try connection.dataVersion() })
        }
    }

    /// Reads rows that belong to one state of the store.
    ///
    /// `body`: Receives `nil` if no store exists.
    package func read<R>(_ body: (RowTransaction?) throws(StoreError) -> R) throws(StoreError) -> R {
        try repeating(evenIfBusy: true) { () throws(StoreError) -> R in
            let reader = try reader()
            guard let connection = reader.connection, let ring = try ring(KeyAccessOptions()) else {
                return try body(nil)
            }
            let origin = RowTransaction.Origin(file: location.file, generation: reader.generation)
            return try run(.unreadable) {
                try connection.read { db in try body(try RowTransaction(db, ring: ring, origin: origin)) }
            }
        }
    }

    /// Runs one transaction: all its changes become visible at once, or none if `body` throws.
    package func write<R>(
        _ durability: Durability,
        body: (RowTransaction) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let (result, done) = try repeating(evenIfBusy: false) { () throws(StoreError) -> (R, RowTransaction) in
            let writer = try writer(KeyAccessOptions())
            guard let ring = try ring(KeyAccessOptions()) else { throw StaleKeysError.error }
            // The origin is read after the connection is made. If the file was replaced in between, the transaction
            // detects that and fails.
            let origin = RowTransaction.Origin(file: location.file, generation: open.withLock { $0.generation })
            return try transaction(writer, durability: durability) { db in
                let transaction = try RowTransaction(db, ring: ring, origin: origin)
                let result = try body(transaction)
                try transaction.finish()
                return (result, transaction)
            }
        }
        if done.hasSwept { care.runMaintenance(self, ring: done.ring, number: done.number) }
        return result
    }

    /// Runs one transaction on the write connection.
    func transaction<R>(
        _ writer: DatabaseQueue,
        durability: Durability,
        body: (Database) throws -> R
    ) throws(StoreError) -> R {
        try run(.unwritable) {
            try writer.writeWithoutTransaction { db in
                // Some file systems always need FULL, so it is not changed there.
                let raises = try durability == .full && db.isSynchronousNormal()
                if raises { try db.runRaw("PRAGMA synchronous = FULL") }
                let result = Result<R, any Error> {
                    try db.inRawTransaction("BEGIN IMMEDIATE") {
                        // Checked under SQLite's lock, which a repairing process holds while it moves the file.
                        if try db.hasMoved() { throw StoreReplacedError.error }
                        return try body(db)
                    }
                }
                if raises { try db.runRaw("PRAGMA synchronous = NORMAL") }
                return try result.get()
            }
        }
    }

    /// Repeats `work` if trying again can help: another process changed the keys or replaced the file meanwhile, a
    /// reader had to wait once, or a damaged file has been repaired. A failed attempt leaves no changes.
    func repeating<R>(evenIfBusy: Bool, work: () throws(StoreError) -> R) throws(StoreError) -> R {
        let endWait = CallTimer.begin(.store)
        defer { endWait() }
        var attempts = 0
        var repairs = 0
        while true {
            do throws(StoreError) {
                return try work()
            } catch {
                attempts += 1
                if error.kind == .corrupt, repairs < 2 {
                    repairs += 1
                    try care.recover(self, isCertain: repairs == 2)
                } else if error.underlying is StaleKeysError, attempts < 5 {
                    forgetKeys()
                } else if error.underlying is StoreReplacedError, attempts < 5 {
                    // The file may have been replaced while it was being opened. Nothing else reveals that.
                    withOpen { $0.leave(for: nil, isMoved: true) }
                } else if error.kind != .busy || !evenIfBusy || attempts > 1 {
                    throw error
                }
            }
        }
    }

    func run<R>(_ kind: StoreError.Kind, work: () throws -> R) throws(StoreError) -> R {
        try StoreError.catching(kind, file: location.file, work: work)
    }

    /// Runs `work` while no other process creates the store or changes its keys.
    func withExclusiveAccess<R>(_ work: () throws(StoreError) -> R) throws(StoreError) -> R {
        try run(.unwritable) { try file.withExclusiveAccess(work) }
    }
}

extension Database {
    /// The statement is compiled each time because a cached one returns the value from when it was compiled.
    fileprivate func isSynchronousNormal() throws -> Bool {
        var isNormal = false
        let code = sqlite3_exec(
            sqliteConnection,
            "PRAGMA synchronous",
            { result, _, values, _ in
                result?.assumingMemoryBound(to: Bool.self).pointee = values?[0].map { $0[0] == 0x31 } ?? false
                return 0
            },
            &isNormal,
            nil
        )
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return isNormal
    }

    /// Whether the file of this connection is no longer the one at its path, so that changes made here would be lost.
    func hasMoved() throws -> Bool {
        var moved: Int32 = 0
        let code = sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return moved != 0
    }
}

/// The store was replaced while this process waited to write to it. The caller repeats the work with the new one.
struct StoreReplacedError: Error {
    static let error = StoreError(
        .busy,
        message: "The token store was replaced by another process. Try again.",
        underlying: Self()
    )
}

/// Closes the stores when the process exits because few programs release all their objects first.
///
/// A process that is killed leaves its log behind, which does no harm (docs/reference/Store.md#log-left-behind).
///
/// Stores are also closed before a `fork`. While the parent holds a connection, SQLite assumes that the child already
/// has its lock; but the lock belongs to the parent process and is released with it, so the log that the child writes
/// would be deleted.
enum StoreExitHandler {
    private struct Entry {
        weak var store: RowStore?
    }

    private static let stores = OrderedMutex<[Entry]>([], rank: .ending)
    /// Whether the handlers are registered, which the first access does. If that fails, the log is left behind.
    private static let isRegistered =
        atexit { closeAll(forGood: true) } == 0 && pthread_atfork({ closeAll(forGood: false) }, nil, nil) == 0

    /// Closes `store` when the process exits, if it still exists then.
    static func add(_ store: RowStore) {
        guard isRegistered else { return }
        stores.withLock { stores in
            stores.removeAll { $0.store == nil }
            stores.append(Entry(store: store))
        }
    }

    private static func closeAll(forGood: Bool) {
        let left = stores.withLockIfAvailable { $0.compactMap(\.store) }
        for store in left ?? [] { store.close(forGood: forGood) }
    }
}
