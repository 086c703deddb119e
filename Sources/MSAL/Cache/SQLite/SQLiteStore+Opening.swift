// Licensed under the MIT License. See LICENSE.

import GRDB
import Glibc

extension SQLiteStore {
    /// `nil` if there is no file, or one that its creator has not filled yet.
    func openReader() throws(StoreError) -> DatabaseQueue? {
        guard try file.check() else { return nil }
        return try run(.unreadable) {
            try prepareJournal()
            do {
                return try openReader(file.connect)
            } catch let error as DatabaseError where error.isRefusal {
                // In a directory where nothing can be created, or on a full disk, SQLite finds no place for the memory
                // it shares with other processes. As long as there is no log, the file may be read without.
                guard file.isComplete else { throw refusal(error) }
                let queue = try openReader(file.connectToImmutable)
                file.noteImmutable()
                return queue
            }
        }
    }

    /// The connection for writing; `nil` if the file is missing or empty and `founding` does not say how to fill it.
    ///
    /// A caller with a founding holds the lock of ``StoreFile/whileAlone(_:)``.
    func openWriter(_ founding: StoreFounding?) throws(StoreError) -> DatabaseQueue? {
        if try !file.check() {
            guard founding != nil else {
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
                try queue.inDatabase(checkAfterCrash)
            case .empty:
                guard let founding else { return nil }
                try fill(queue, founding)
            }
            try queue.inDatabase(keepJournal)
            return queue
        }
    }

    /// A log that cannot be read here: whoever has memory does without the file.
    private func refusal(_ error: DatabaseError) -> any Error {
        // Where files can be created it is something else, such as too many open ones.
        guard error.resultCode == .SQLITE_CANTOPEN, !file.takesCompanions else { return error }
        return StoreFile.failure(.unwritable, "open the log of", location.file, EACCES)
    }

    private func openReader(_ connect: (Configuration) throws -> DatabaseQueue) throws -> DatabaseQueue? {
        let queue = try connect(StoreSchema.configuration(readonly: true))
        switch try queue.read({ try StoreSchema.state($0, file: location.file) }) {
        case .ready:
            try queue.inDatabase(checkAfterCrash)
            return queue
        case .empty: return nil
        }
    }

    private func fill(_ queue: DatabaseQueue, _ founding: StoreFounding) throws {
        // The journal mode is kept in the header and cannot change inside a transaction.
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_mode = \(file.fileSystem.journalMode)")
            try db.inTransaction(.immediate) {
                // Another process may have been first.
                if try StoreSchema.state(db, file: location.file) == .empty {
                    try StoreSchema.create(db, founding, location)
                }
                return .commit
            }
        }
    }

    /// A log that nobody uses was left by a process or machine that ended suddenly. SQLite replays it; this looks
    /// whether the disk kept its promises (docs/reference/Store.md#recovery). Costs about 15 ms with 10,000 tokens, and
    /// nothing after a clean end.
    private func checkAfterCrash(_ db: Database) throws {
        let hadLog = (file.size(of: "-wal") ?? 0) > 0
        guard presence.begin(at: location), hadLog else { return }
        guard try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok" else {
            throw StoreError(.corrupt, "The token store \(location.file) was damaged when it was last in use.")
        }
    }
}

// MARK: - Journals

extension SQLiteStore {
    /// The journal mode is kept in the header: whoever has the file keeps to it. Only a write-ahead log on a file
    /// system of several machines, as in a copied home, is given up before anybody relies on it
    /// (docs/reference/Store.md#network-file-systems).
    private func prepareJournal() throws {
        guard case .shared = file.fileSystem, (file.size(of: "") ?? 0) > 0 else { return }
        var configuration = StoreSchema.configuration(readonly: false)
        // Before the first access, so that no shared memory is used for this.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") }
        let queue = try file.connect(configuration)
        try queue.inDatabase { db in
            guard try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal" else { return }
            try db.execute(sql: "PRAGMA journal_mode = TRUNCATE")
        }
        try queue.close()
    }

    /// Without a write-ahead log every commit is on disk when it returns, and the journal's file stays.
    private func keepJournal(_ db: Database) throws {
        guard try String.fetchOne(db, sql: "PRAGMA journal_mode") != "wal" else { return }
        try db.execute(sql: "PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL")
    }
}

extension DatabaseError {
    /// Whether the file system said no, as opposed to a fault of the file.
    fileprivate var isRefusal: Bool {
        switch resultCode {
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: true
        default: lacksSharedMemory
        }
    }
}
