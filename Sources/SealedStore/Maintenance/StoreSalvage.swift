// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import Glibc
import MSALBase

/// Copies the readable rows of a damaged store to a new file. The rows are not changed: sealed ones stay sealed.
struct StoreSalvage {
    /// The location of the damaged store.
    enum Source {
        /// The store is at its usual path.
        case inPlace
        /// A process that died before it was finished had moved the files aside.
        case moved(Quarantine)
    }

    /// The rows that were saved.
    struct Outcome {
        /// The new database; `nil` if nothing could be saved, so that the next save creates a new store.
        var path: String?
        /// The key list of the database; `nil` if it is lost.
        var keys: StoredKeys?
        var rowsKept = 0
        /// `nil` if unknown.
        var rowsLost: Int?
        /// Whether not a single row of any table could be read.
        var isNothing = true
        /// Whether every table was read to its end.
        fileprivate var isComplete = false

        /// Deletes the new database, which is not needed.
        func discard() {
            guard let path else { return }
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
        }
    }

    /// The working directory next to the store.
    static let folder = ".salvage"

    let file: StoreFile

    /// Does not change the source; the work is done on copies, which are deleted afterward.
    ///
    /// - Throws: `.tooNew` or `.tooOld` for a file that another version of this library wrote.
    func run(_ source: Source) throws -> Outcome {
        let work = file.location.directory + "/" + Self.folder
        try? FileManager.default.removeItem(atPath: work)
        guard PrivateFile.createDirectory(work) else {
            throw StoreFile.failure(.unwritable, to: "create", at: work, code: errno)
        }
        defer { try? FileManager.default.removeItem(atPath: work) }
        var best = try findBest(of: try original(source, in: work), in: work)
        if let path = best.path {
            // The result is moved out of the working directory, which is deleted now.
            let mended = file.location.directory + "/.mended.db"
            guard rename(path, mended) == 0 else {
                throw StoreFile.failure(.unwritable, to: "create", at: mended, code: errno)
            }
            best.path = mended
        }
        return best
    }

    /// The path of the damaged database, with its companions next to it.
    private func original(_ source: Source, in work: String) throws -> String {
        switch source {
        case .moved(let quarantine): return quarantine.path + "/" + StoreLocation.fileName
        case .inPlace:
            let path = work + "/original.db"
            try file.copyBytes(to: path)
            for suffix in ["-wal", "-journal"] where access(file.location.file + suffix, F_OK) == 0 {
                try DamagedCopy.copy(file.location.file + suffix, to: path + suffix)
            }
            return path
        }
    }

    private func findBest(of original: String, in work: String) throws -> Outcome {
        var best = Outcome()
        for (number, copy) in DamagedCopy.all(of: original, in: work).enumerated() {
            let target = "\(work)/mended-\(number).db"
            guard let source = try copy.open() else { continue }
            defer { try? source.close() }
            try source.inDatabase { db in
                try StoreSchema.check(damaged: db, hasOwnHeader: copy.hasOwnFirstPage, file: file.location.file)
            }
            var outcome = try transfer(from: source, to: target)
            outcome.isNothing = outcome.isNothing && best.isNothing
            best.isNothing = outcome.isNothing
            if outcome.path != nil, best.path == nil || outcome.rowsKept > best.rowsKept { best = outcome }
            if best.path != nil, best.isComplete || best.rowsKept > 0 { break }
        }
        return best
    }

    private func transfer(from source: DatabaseQueue, to path: String) throws -> Outcome {
        try StoreFile.createEmpty(path)
        let target = try DatabaseQueue(path: path, configuration: StoreSchema.configuration(readonly: false))
        var outcome = try target.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA journal_mode = TRUNCATE")
            var outcome = Outcome()
            try db.inTransaction(.immediate) {
                try StoreSchema.createTables(db)
                outcome.isComplete = try source.inDatabase { try Self.copy(from: $0, to: db) }
                let tables = ["meta", "keys", "record"]
                outcome.isNothing = try tables.allSatisfy { try !db.hasRows($0) }
                try StoreSchema.noteVersion(db)
                outcome.rowsKept = try Int.fetchOne(db, sql: "SELECT count(*) FROM record") ?? 0
                let count = source.inDatabase(Self.recordCount)
                outcome.rowsLost = count.map { max(0, $0 - outcome.rowsKept) }
                return .commit
            }
            // This is the last step: until then, all content is in one file.
            try db.execute(sql: "PRAGMA journal_mode = \(file.fileSystem.journalMode)")
            return outcome
        }
        // Keys that cannot be read are lost.
        outcome.keys = target.inDatabase { try? StoredKeys.read($0, at: file.location) }
        try target.close()
        if outcome.keys?.openSomething == true {
            outcome.path = path
        } else {
            // Without its keys, no row can ever be opened.
            outcome.rowsLost = outcome.rowsLost.map { $0 + outcome.rowsKept }
            outcome.rowsKept = 0
        }
        return outcome
    }

    /// Returns whether every table was read to its end.
    private static func copy(from source: Database, to target: Database) throws -> Bool {
        var isComplete = true
        let tables = try String.fetchAll(
            target,
            sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid"
        )
        // Leases matter only for seconds, so they are not copied.
        for name in tables where name != "lease" && !name.hasPrefix("sqlite_") {
            let isWhole = try SalvagedTable(name, of: target, in: source)?.copy(from: source, to: target) ?? false
            isComplete = isComplete && isWhole
        }
        return isComplete
    }

    /// The number of rows before the damage, estimated as the largest number that any of the indexes still reports.
    private static func recordCount(_ db: Database) -> Int? {
        ["record_ix", "record_kind_ix"].compactMap { index in
            // An unreadable index reports no number. `sum` is used because `count` would always read the smallest
            // index.
            try? Int.fetchOne(db, sql: "SELECT coalesce(sum(1), 0) FROM record INDEXED BY \(index)")
        }.max()
    }
}

extension StoredKeys {
    /// Whether some rows can be opened: the store is not encrypted, or at least one key was saved.
    fileprivate var openSomething: Bool { wrapping.provider == .none || rows.contains { !$0.wrapped.isEmpty } }
}

extension Database {
    fileprivate func hasRows(_ table: String) throws -> Bool {
        try Bool.fetchOne(self, sql: "SELECT EXISTS (SELECT 1 FROM \(table))") ?? false
    }
}
