// Licensed under the MIT License. See LICENSE.

import GRDB
import GRDBSQLite
import Glibc
import MSALSupport
import Synchronization

/// The store of a group on disk: one SQLite file, shared by all processes of the user, every row sealed.
///
/// Nothing happens before the first call. Reading where no store exists finds nothing and creates nothing; the first
/// write creates directories (0700), file (0600) and key. The place of the key was decided then and is never changed
/// silently: if the key cannot be had, calls fail with `.keyUnavailable` and touch nothing
/// (docs/reference/Store.md#provider-change).
///
/// The locks and their order are in ``LockRank``. No lock is held while a body runs, but the one of the reading
/// connection.
package final class RowStore: Sendable {
    package let location: StoreLocation
    let file: StoreFile
    let keys: KeyCheck
    let payloads: any PayloadReader
    let time: any TimeSource
    let care: any StoreCare

    let open = OrderedMutex(OpenStore(), rank: .open)
    private let keyTurn = KeyTurn()
    /// Set once keys are at hand. A hint: a thread that finds it wrong waits a little longer.
    private let hasKeys = Atomic(false)

    /// `keys`: Gives the provider of the store's key.
    /// `payloads`: Knows the rows.
    /// `time`: Tells the age of keys.
    /// `care`: Mends the store and keeps it up.
    init(
        location: StoreLocation,
        keys: any StoreKeySource,
        payloads: any PayloadReader,
        time: any TimeSource,
        care: any StoreCare
    ) {
        self.location = location
        self.payloads = payloads
        self.time = time
        self.care = care
        self.keys = KeyCheck(location: location, source: keys)
        file = StoreFile(location: location)
        StoreEnding.add(self)
    }

    deinit { close() }

    /// Whether calls will find the store open and its key at hand. Costs nanoseconds.
    package var isPrepared: Bool { hasKeys.load(ordering: .relaxed) }

    /// Opens the store and fetches its key, which may take as long as `patience` allows; nothing if that is done.
    package func prepare(_ patience: KeyPatience, for use: StoreUse) throws(StoreError) {
        try repeating(evenIfBusy: false) { () throws(StoreError) in
            switch use {
            case .reading: break
            case .writing: _ = try writer(patience)
            }
            _ = try ring(patience)
        }
    }

    /// A number that differs from the last one if any process committed a change in between. Costs microseconds.
    package func changeCounter() throws(StoreError) -> Int64 {
        try repeating(evenIfBusy: false) { () throws(StoreError) -> Int64 in
            let reader = try reader()
            guard let connection = reader.connection else { return reader.generation << 32 }
            // `data_version` of one connection moves with each commit of every other, of this process or another.
            return reader.generation << 32 + (try run(.unreadable) { try connection.dataVersion() })
        }
    }

    /// Reads rows that belong to one state of the store.
    ///
    /// `body`: Gets `nil` where no store is.
    package func read<R>(_ body: (RowTransaction?) throws(StoreError) -> R) throws(StoreError) -> R {
        try repeating(evenIfBusy: true) { () throws(StoreError) -> R in
            guard let reader = try reader().connection, let ring = try ring(KeyPatience()) else {
                return try body(nil)
            }
            return try run(.unreadable) {
                try reader.read { db in try body(try RowTransaction(db, ring: ring, file: location.file)) }
            }
        }
    }

    /// Runs one transaction: all its changes become visible at once, or none if `body` throws.
    package func write<R>(
        _ durability: Durability,
        body: (RowTransaction) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let (result, done) = try repeating(evenIfBusy: false) { () throws(StoreError) -> (R, RowTransaction) in
            let writer = try writer(KeyPatience())
            guard let ring = try ring(KeyPatience()) else { throw StaleKeys.error }
            return try transaction(writer, durability: durability) { db in
                let transaction = try RowTransaction(db, ring: ring, file: location.file)
                let result = try body(transaction)
                try transaction.finish()
                return (result, transaction)
            }
        }
        if done.hasSwept { care.keepUp(self, ring: done.ring, number: done.number) }
        return result
    }

    /// Runs one transaction on the writing connection.
    func transaction<R>(
        _ writer: DatabaseQueue,
        durability: Durability,
        body: (Database) throws -> R
    ) throws(StoreError) -> R {
        try run(.unwritable) {
            try writer.writeWithoutTransaction { db in
                // Some file systems ask for FULL all the time; that is left alone.
                let raises = try durability == .full && Int.fetchOne(db, sql: "PRAGMA synchronous") == 1
                if raises { try db.execute(sql: "PRAGMA synchronous = FULL") }
                let result = Result<R, any Error> {
                    var result: R?
                    try db.inTransaction(.immediate) {
                        // Looked at under SQLite's lock: a process that mends the file holds it while it moves the file.
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

    /// Repeats `work` where trying again can help: another process changed the keys meanwhile or replaced the file,
    /// or kept a reader waiting once, or the file was damaged and is mended now. Nothing of the failed attempt is left.
    func repeating<R>(evenIfBusy: Bool, work: () throws(StoreError) -> R) throws(StoreError) -> R {
        var attempts = 0
        var repairs = 0
        while true {
            do throws(StoreError) {
                return try work()
            } catch {
                attempts += 1
                if error.kind == .corrupt, repairs < 2 {
                    repairs += 1
                    try care.mend(self, isCertain: repairs == 2)
                } else if error.underlying is StaleKeys, attempts < 5 {
                    forgetKeys()
                } else if error.underlying is MovedStore, attempts < 5 {
                    // The file may have been replaced while it was opened: then nothing else tells.
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
    func whileAlone<R>(_ work: () throws(StoreError) -> R) throws(StoreError) -> R {
        var result: R?
        try run(.unwritable) {
            try file.whileAlone { result = try work() }
        }
        guard let result else { preconditionFailure("Work that did not throw has a result.") }
        return result
    }
}

// MARK: - Connections

extension RowStore {
    /// The connection for reading, opened if need be; none while there is no store.
    func reader() throws(StoreError) -> OpenStore.Reader {
        try withOpen { (open) throws(StoreError) -> OpenStore.Reader in
            // A file that was deleted begins anew: the old connections would go on with an unlinked one.
            open.leave(for: try settledIdentity(&open))
            if open.reader == nil, open.identity != nil, let queue = try opening.reader(&open.presence) {
                open.reader = try run(.unreadable) { try ReadingConnection(queue) }
                open.generation += 1
            }
            return OpenStore.Reader(connection: open.reader, generation: open.generation, identity: open.identity)
        }
    }

    /// The connection for writing. Creates the store, its directories and its key where there are none.
    ///
    /// Not to be called by a thread that is alone with the directory: it may have to wait for its turn.
    func writer(_ patience: KeyPatience) throws(StoreError) -> DatabaseQueue {
        if let present = try presentWriter() { return present }
        // There is no store. Its key may be a while in coming: only threads that want to write wait for that.
        return try keyTurn.take(patience, file: location.file) { () throws(StoreError) -> DatabaseQueue in
            try whileAlone { () throws(StoreError) -> DatabaseQueue in
                // Another thread or process may have been faster.
                if let late = try openWriter(creatingWith: nil) { return late }
                let keys = try keys.initialKeys(created: seconds, patience: patience)
                guard let writer = try openWriter(creatingWith: keys) else {
                    throw StoreError(.unwritable, "The token store \(location.file) could not be created. Try again.")
                }
                return writer
            }
        }
    }

    /// The connection for writing to a store that is there; `nil` if none is.
    func presentWriter() throws(StoreError) -> DatabaseQueue? {
        try withOpen { (open) throws(StoreError) -> DatabaseQueue? in
            open.leave(for: try settledIdentity(&open))
            return try writer(&open, creatingWith: nil)
        }
    }

    /// The connection for writing to a store of which this thread has just seen that it is there.
    ///
    /// - Throws: `.busy` if it was deleted meanwhile.
    func expectedWriter() throws(StoreError) -> DatabaseQueue {
        guard let writer = try presentWriter() else { throw MovedStore.error }
        return writer
    }

    /// Whether there is a store.
    func exists() throws(StoreError) -> Bool {
        try withOpen { (open) throws(StoreError) -> Bool in try settledIdentity(&open) != nil }
    }

    /// What this process mended of the store last; `nil` normally.
    package var recovered: StoreRecovered? { open.withLock { $0.recovered } }

    /// Has what is open used by one thread at a time. The hint that keys are at hand follows.
    func withOpen<R, Failure: Error>(
        _ body: (inout OpenStore) throws(Failure) -> R
    ) throws(Failure) -> R {
        try open.withLock { (open) throws(Failure) -> R in
            defer { hasKeys.store(open.ring != nil, ordering: .relaxed) }
            return try body(&open)
        }
    }

    /// Lets go of the connections. Work that is under way keeps its own until it is done; a later call opens new ones.
    ///
    /// The last connection to go, of those of all processes, has SQLite write the log into the file, which is then
    /// complete by itself. Nothing is waited for that may take long: a connection that is in use stays open.
    ///
    /// `forGood`: The process ends, and nothing is to be used again.
    func close(forGood: Bool = false) {
        open.withLockIfAvailable { open in
            // A connection that only reads cannot write the log into the file.
            let hasOnlyRead = open.reader != nil && open.writer == nil && open.process == getpid()
            if forGood, open.process == getpid() { open.reader?.closeForGood() }
            open.leave(for: nil)
            hasKeys.store(false, ordering: .relaxed)
            guard hasOnlyRead, !file.isComplete, file.takesCompanions else { return }
            opening.writeLog(&open.presence)
        }
    }

    private var opening: StoreOpening { StoreOpening(file: file) }

    private func openWriter(creatingWith keys: InitialKeys?) throws(StoreError) -> DatabaseQueue? {
        try withOpen { (open) throws(StoreError) -> DatabaseQueue? in try writer(&open, creatingWith: keys) }
    }

    private func writer(_ open: inout OpenStore, creatingWith keys: InitialKeys?) throws(StoreError) -> DatabaseQueue? {
        if let writer = open.writer { return writer }
        let writer = try opening.writer(creatingWith: keys, presence: &open.presence)
        open.leave(for: file.identity)
        open.writer = writer
        return writer
    }

    /// The file that is there; waits while another process mends it.
    private func settledIdentity(_ open: inout OpenStore) throws(StoreError) -> StoreFile.Identity? {
        if let identity = try file.look() { return identity }
        if let report = try care.settle(file) { open.recovered = report }
        return try file.look()
    }
}

// MARK: - Keys

extension RowStore {
    /// The store's keys, fetched if need be; `nil` while there is no store.
    func ring(_ patience: KeyPatience) throws(StoreError) -> KeyRing? {
        if let ring = open.withLock({ $0.ring }) { return ring }
        return try keyTurn.take(patience, file: location.file) { () throws(StoreError) -> KeyRing? in
            while true {
                let (present, former) = open.withLock { ($0.ring, $0.former) }
                if let present { return present }
                guard let loaded = try loadRing(reusing: former, patience: patience) else { return nil }
                // Fetching a key may take long; meanwhile the file may have been replaced by another.
                let isPresent = withOpen { open in
                    guard open.identity == loaded.file else { return false }
                    open.ring = loaded.ring
                    return true
                }
                if isPresent { return loaded.ring }
            }
        }
    }

    /// Has the keys read anew before the next transaction.
    func forgetKeys() {
        withOpen { $0.forgetKeys() }
    }

    /// The keys and how they are wrapped, as the file has them now: to be believed after ``KeyCheck/verify(_:patience:)``
    /// only. `nil` while there is no store.
    func storedKeys() throws(StoreError) -> StoredKeys? {
        try storedKeys(try reader())
    }

    private func storedKeys(_ reader: OpenStore.Reader) throws(StoreError) -> StoredKeys? {
        guard let connection = reader.connection else { return nil }
        return try run(.unreadable) {
            try connection.read { db in
                // Another version of this library may have replaced the file since it was opened.
                try StoreSchema.check(db, file: location.file)
                return try StoredKeys.read(db, at: location)
            }
        }
    }

    /// `former`: Keys that were right before; they are still, unless new ones were added.
    private func loadRing(
        reusing former: KeyRing?,
        patience: KeyPatience
    ) throws(StoreError) -> (ring: KeyRing, file: StoreFile.Identity?)? {
        while true {
            let reader = try reader()
            guard let stored = try storedKeys(reader) else { return nil }
            if let former, let ring = former.renewed(stored) { return (ring, reader.identity) }
            do throws(StoreError) {
                return (try keys.ring(stored, patience: patience), reader.identity)
            } catch {
                // Another process may have changed the key just when it was asked for.
                let later = try storedKeys()
                guard later?.generation != stored.generation || later?.store != stored.store else { throw error }
            }
        }
    }

    /// Changes the keys of a store in one transaction, and nothing if they are not those of `stored` any more.
    ///
    /// `old`: The MAC of the key-encryption key that vouches for the present keys; `new`: of the one that vouches for the
    /// changed ones.
    func changeKeys(
        of stored: StoredKeys,
        writer: DatabaseQueue,
        from old: StoreMAC?,
        to new: StoreMAC?,
        change: (Database) throws -> Void
    ) throws(StoreError) {
        try transaction(writer, durability: .full) { db in
            try StoredKeys.check(db, store: stored.store, generation: stored.generation)
            // The keys that were checked when the store was opened may have been changed since: a new signature would make
            // changed ones ours.
            if let old, try !old.vouches(for: StoredKeys.read(db, at: location)) {
                throw StoreError.unverified(location)
            }
            try change(db)
            try StoredKeys.advance(db)
            try StoredKeys.sign(db, at: location, mac: new)
        }
    }

    /// Now, in seconds since 1970.
    var seconds: Int64 { time.now.seconds }
}

extension Database {
    /// Whether the file of this connection is no longer the one at its path: changes made here would be lost.
    func hasMoved() throws -> Bool {
        var moved: Int32 = 0
        let code = sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return moved != 0
    }
}

/// The store was replaced while this process waited to write to it: do it again with the new one.
struct MovedStore: Error {
    static let error = StoreError(
        .busy,
        "The token store was replaced by another process. Try again.",
        underlying: Self()
    )
}
