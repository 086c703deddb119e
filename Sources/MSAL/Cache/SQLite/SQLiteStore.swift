// Licensed under the MIT License. See LICENSE.

import Dispatch
import GRDB
package import MSALSupport
import Synchronization

/// The store of a group on disk: one SQLite file, shared by all processes of the user, every row sealed.
///
/// Nothing happens before the first call. Reading where no store exists finds nothing and creates nothing; the first
/// write creates directories (0700), file (0600) and key. Where the key lives was decided then and is never changed
/// silently: if it cannot be had, calls fail with `.keyUnavailable` and touch nothing
/// (docs/reference/Store.md#provider-change).
package final class SQLiteStore: TokenStore {
    package let location: StoreLocation
    let file: StoreFile
    let keySource: any StoreKeySource
    let time: any TimeSource
    let cap: Int
    /// Called after each step of a change of keys; tests end the process, or the work, there.
    let faults: @Sendable (StoreStep) throws(StoreError) -> Void

    /// Runs work on another thread, some time.
    let background: @Sendable (@escaping @Sendable () -> Void) -> Void

    let connections = Mutex(Connections())
    /// Set once keys are at hand. A hint: who finds it wrong waits a little longer.
    let hasKeys = Atomic(false)
    /// One thread at a time creates the store or fetches its key, which may take long; nobody else waits for it who
    /// does not need the same.
    let keying = Mutex(())
    /// Whether who holds `keying` may be waiting for the user.
    let isAskingUser = Atomic(false)

    /// Tells other processes that the store is in use.
    let presence = StorePresence()
    /// What was mended last.
    let mended = Mutex<StoreRecovered?>(nil)

    /// Creating and opening are done by one thread of the process at a time: closing a descriptor of a file
    /// drops all POSIX locks that the process holds on it, those of a SQLite connection included.
    static let opening = Mutex(())

    /// `keys`: Where the key of the store is, or will be.
    /// `time`: Tells the age of keys.
    /// `cap`: How many records may stay after a sweep (docs/reference/Store.md#sweep); less than none is none.
    /// `faults`: Called after each step of a change of keys.
    /// `background`: Where upkeep is done.
    package init(
        location: StoreLocation,
        keys: any StoreKeySource,
        time: any TimeSource = SystemTime(),
        cap: Int = MemoryStore.defaultCap,
        faults: @escaping @Sendable (StoreStep) throws(StoreError) -> Void = { _ in },
        background: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = {
            DispatchQueue.global(qos: .utility).async(execute: $0)
        }
    ) {
        self.location = location
        self.time = time
        self.cap = max(0, cap)
        self.faults = faults
        self.background = background
        keySource = keys
        file = StoreFile(location: location)
        StoreEnding.add(self)
    }

    deinit { close() }

    package func changeCounter() throws(StoreError) -> Int64 {
        try repeating(evenIfBusy: false) { () throws(StoreError) -> Int64 in
            let reader = try reader()
            guard let connection = reader.connection else { return reader.generation << 32 }
            // `data_version` of one connection moves with each commit of every other, of this process or another.
            return reader.generation << 32 + (try run(.unreadable) { try connection.dataVersion() })
        }
    }

    package func read<R: Sendable>(
        _ body: (any TokenStoreReading) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try repeating(evenIfBusy: true) { () throws(StoreError) -> R in
            guard let reader = try reader().connection, let ring = try ring(KeyPatience()) else {
                return try body(EmptyReading())
            }
            return try run(.unreadable) {
                try reader.read { db in
                    try body(try SQLiteTransaction(db, ring, file: location.file, cap: cap))
                }
            }
        }
    }

    package func write<R: Sendable>(
        _ durability: Durability,
        _ body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let outcome = try repeating(evenIfBusy: false) { () throws(StoreError) -> (R, SQLiteTransaction) in
            let writer = try writer(KeyPatience())
            guard let ring = try ring(KeyPatience()) else { throw StaleKeys.error }
            return try transaction(writer, durability) { db in
                let transaction = try SQLiteTransaction(db, ring, file: location.file, cap: cap)
                let result = try body(transaction)
                try transaction.finish()
                return (result, transaction)
            }
        }
        keepUp(after: outcome.1)
        return outcome.0
    }

    /// Runs one transaction on the writing connection.
    func transaction<R>(
        _ writer: DatabaseQueue,
        _ durability: Durability,
        _ body: (Database) throws -> R
    ) throws(StoreError) -> R {
        try run(.unwritable) {
            try writer.writeWithoutTransaction { db in
                // Some file systems ask for FULL all the time; that is left alone.
                let raises = try durability == .full && Int.fetchOne(db, sql: "PRAGMA synchronous") == 1
                if raises { try db.execute(sql: "PRAGMA synchronous = FULL") }
                let result = Result<R, any Error> {
                    var result: R?
                    try db.inTransaction(.immediate) {
                        // Looked at under the lock: who mends a damaged store holds it while moving the file.
                        if try db.hasMoved() { throw MovedStore.error }
                        result = try body(db)
                        return .commit
                    }
                    guard let result else { preconditionFailure("A committed transaction has a result.") }
                    return result
                }
                if raises { try db.execute(sql: "PRAGMA synchronous = NORMAL") }
                return try result.get()
            }
        }
    }

    /// Repeats `work` where trying again can help: another process changed the keys meanwhile or replaced the file, or
    /// kept a reader waiting once (docs/reference/Store.md#busy), or the file was damaged and is mended now
    /// (docs/reference/Store.md#recovery). Nothing of the failed attempt is left.
    func repeating<R>(evenIfBusy: Bool, _ work: () throws(StoreError) -> R) throws(StoreError) -> R {
        var attempts = 0
        var healings = 0
        while true {
            do throws(StoreError) {
                return try work()
            } catch {
                attempts += 1
                if error.kind == .corrupt, healings < 2 {
                    healings += 1
                    try heal(isCertain: healings == 2)
                } else if error.underlying is StaleKeys, attempts < 5 {
                    forgetKeys()
                } else if error.underlying is MovedStore, attempts < 5 {
                    // The file may have been replaced while it was opened: then nothing else tells.
                    connections.withLock { leave(&$0, for: nil, isMoved: true) }
                } else if error.kind != .busy || !evenIfBusy || attempts > 1 {
                    throw error
                }
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

/// The keys in hand are not those of the file any more: read them again.
struct StaleKeys: Error {
    static let error = StoreError(
        .busy,
        "Another process changes the token store's keys. Try again.",
        underlying: Self()
    )
}

/// What reading finds where no store is.
private struct EmptyReading: TokenStoreReading {
    func record(_ identity: RecordIdentity) throws(StoreError) -> CacheRecord? { nil }
    func changeNumber(of identity: RecordIdentity) throws(StoreError) -> Int64? { nil }
    func records(_ filter: RecordFilter) throws(StoreError) -> [CacheRecord] { [] }
    func extras() throws(StoreError) -> [ExtraItem] { [] }
    func lease(_ name: String) throws(StoreError) -> RefreshLease? { nil }
}
