// Licensed under the MIT License. See LICENSE.

import GRDB
import Glibc

/// Opens the connections of a store, and fills a new file.
struct StoreOpening: Sendable {
    let file: StoreFile

    /// Lets one thread of the process at a time open a file. Closing a descriptor of a file drops all POSIX locks that
    /// the process holds on it, including those of another SQLite connection.
    private static let turn = OrderedMutex((), rank: .opening)

    private var location: StoreLocation { file.location }

    /// The read connection; `nil` if there is no file, or its creator has not filled it yet.
    func reader(_ presence: inout StorePresence) throws(StoreError) -> DatabaseQueue? {
        try Self.turn.withLock { _ throws(StoreError) -> DatabaseQueue? in
            guard try file.check() else { return nil }
            return try run(.unreadable) {
                try prepareJournal()
                do {
                    return try connectReader(&presence, by: file.connect)
                } catch let error as DatabaseError where error.isRefusal {
                    // In a directory where files cannot be created, or on a full disk, SQLite cannot create the memory
                    // that it shares with other processes. As long as there is no log, the file may be read without it.
                    guard file.isComplete else { throw refusal(error) }
                    let queue = try connectReader(&presence, by: file.connectToImmutable)
                    file.noteImmutable()
                    return queue
                }
            }
        }
    }

    /// The write connection; `nil` if the file is missing or empty and there are no keys to fill it with.
    ///
    /// A caller with keys must have exclusive access to the directory: see ``StoreFile/withExclusiveAccess(_:)``.
    func writer(creatingWith keys: InitialKeys?, presence: inout StorePresence) throws(StoreError) -> DatabaseQueue? {
        try Self.turn.withLock { _ throws(StoreError) in try openWriter(creatingWith: keys, presence: &presence) }
    }

    /// Makes SQLite write the log into the database, although this process has only read the store. A connection that
    /// can write does so when it is the last one to close.
    ///
    /// Stops after a tenth of a second: a log that stays is harmless because the next process reads it.
    func writeLog(_ presence: inout StorePresence) {
        for _ in 0..<100 {
            // Another thread opens its store within milliseconds.
            let isDone: Void? = Self.turn.withLockIfAvailable { _ in
                _ = try? openWriter(creatingWith: nil, presence: &presence)
            }
            if isDone != nil { return }
            usleep(1000)
        }
    }

    private func openWriter(
        creatingWith keys: InitialKeys?,
        presence: inout StorePresence
    ) throws(StoreError) -> DatabaseQueue? {
        if try !file.check() {
            guard keys != nil else {
                try file.prepareDirectory()
                return nil
            }
            try file.create()
        }
        return try run(.unwritable) {
            try prepareJournal()
            let queue = try file.connect(StoreSchema.configuration(readonly: false))
            switch try queue.read({ try StoreSchema.state($0, file: location.file) }) {
            case .ready:
                try queue.inDatabase { try checkAfterCrash($0, presence: &presence) }
            case .empty:
                guard let keys else { return nil }
                try fill(queue, with: keys)
            }
            try queue.inDatabase(keepJournal)
            return queue
        }
    }

    private func run<R>(_ kind: StoreError.Kind, work: () throws -> R) throws(StoreError) -> R {
        try StoreError.catching(kind, file: location.file, work: work)
    }

    /// The error if the log cannot be read here. It permits the use of tokens in memory without the file.
    private func refusal(_ error: DatabaseError) -> any Error {
        // If files can be created in the directory, the reason is a different one, such as too many open files.
        guard error.resultCode == .SQLITE_CANTOPEN, !file.takesCompanions else { return error }
        return StoreFile.failure(.unwritable, to: "open the log of", at: location.file, code: EACCES)
    }

    private func connectReader(
        _ presence: inout StorePresence,
        by connect: (Configuration) throws -> DatabaseQueue
    ) throws -> DatabaseQueue? {
        let queue = try connect(StoreSchema.configuration(readonly: true))
        switch try queue.read({ try StoreSchema.state($0, file: location.file) }) {
        case .ready:
            try queue.inDatabase { try checkAfterCrash($0, presence: &presence) }
            return queue
        case .empty: return nil
        }
    }

    private func fill(_ queue: DatabaseQueue, with keys: InitialKeys) throws {
        // The journal mode is kept in the header and cannot change inside a transaction.
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = \(file.fileSystem.journalMode)")
            try db.inTransaction(.immediate) {
                // Another process may have created the tables first.
                if try StoreSchema.state(db, file: location.file) == .empty {
                    try StoreSchema.create(db)
                    try keys.write(to: db, at: location)
                }
                return .commit
            }
        }
    }

    /// Checks the file after a process or the machine stopped abruptly because the disk may not have honored its
    /// guarantees. The sign is a log that no process uses, which SQLite replays. Takes about 15 ms with 10,000 rows,
    /// and no time after a clean exit.
    private func checkAfterCrash(_ db: Database, presence: inout StorePresence) throws {
        let hadLog = (file.size(of: "-wal") ?? 0) > 0
        guard presence.begin(at: location), hadLog else { return }
        guard try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok" else {
            throw StoreError(.corrupt, message: "The token store \(location.file) was damaged when it was last in use.")
        }
    }
}

// MARK: - Journals

extension StoreOpening {
    /// The journal mode is kept in the header, and every process follows it. The exception is a write-ahead log on a
    /// file system that machines share, as in a copied home directory. Such a log is discarded before any process
    /// relies on it.
    private func prepareJournal() throws {
        guard case .shared = file.fileSystem, (file.size(of: "") ?? 0) > 0 else { return }
        var configuration = StoreSchema.configuration(readonly: false)
        // Set before the first access, so that no shared memory is used.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
        let queue = try file.connect(configuration)
        try queue.inDatabase { db in
            guard try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal" else { return }
            try db.execute(sql: "PRAGMA journal_mode = TRUNCATE")
        }
        try queue.close()
    }

    /// Without a write-ahead log, every commit is on disk when it returns, and the journal's file is kept.
    private func keepJournal(_ db: Database) throws {
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode") != "wal" else { return }
        try db.execute(sql: "PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL")
    }
}

extension DatabaseError {
    /// Whether the file system refused access, as opposed to damage in the file.
    fileprivate var isRefusal: Bool {
        switch resultCode {
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: true
        default: lacksSharedMemory
        }
    }
}
