// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import Glibc

/// Reads what can be read of a damaged store into a new file. Rows are copied as they are: sealed ones stay sealed.
struct StoreSalvage {
    /// What came of it.
    struct Found {
        /// The new database; `nil` if there is nothing to go on with, and the next save founds a new store.
        var path: String?
        var rowsKept = 0
        /// `nil` if unknown.
        var rowsLost: Int?
        /// Whether every table was read to its end.
        fileprivate var isComplete = false
    }

    /// The directory beside the store in which the work is done.
    static let folder = ".salvage"

    let quarantine: Quarantine
    let file: StoreFile
    let schema: StoreSchema

    /// Nothing in the quarantine is changed; the work is done on copies beside it, which are removed afterwards.
    ///
    /// Throws `.tooNew` for a file that only a newer version of this library understands; it can go on from here.
    func run() throws -> Found {
        let work = file.location.directory + "/" + Self.folder
        try? FileManager.default.removeItem(atPath: work)
        try FileManager.default.createDirectory(
            atPath: work,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(atPath: work) }

        var best = Found()
        for (number, copy) in DamagedCopy.all(of: quarantine, in: work, schema).enumerated() {
            let target = "\(work)/mended-\(number).db"
            guard let source = try copy.open() else { continue }
            defer { try? source.close() }
            let version = try source.inDatabase { db in
                try schema.version(ofDamaged: db, hasOwnHeader: copy.hasOwnFirstPage, file: file.location.file)
            }
            guard copy.fits(version) else { continue }
            let found = try transfer(from: source, version, to: target)
            if found.path != nil, best.path == nil || found.rowsKept > best.rowsKept { best = found }
            if best.path != nil, best.isComplete || best.rowsKept > 0 { break }
        }
        if let path = best.path {
            // Out of the directory that goes away now.
            let mended = file.location.directory + "/.mended.db"
            guard rename(path, mended) == 0 else { throw StoreFile.failure(.unwritable, "create", mended, errno) }
            best.path = mended
        }
        return best
    }

    private func transfer(from source: DatabaseQueue, _ version: Int32, to path: String) throws -> Found {
        try StoreFile.createEmpty(path)
        let target = try DatabaseQueue(path: path, configuration: StoreSchema.configuration(readonly: false))
        var found = try target.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA journal_mode = TRUNCATE")
            var found = Found()
            try db.inTransaction(.immediate) {
                // In the form that the rows have, and then as any older store is brought up to date.
                try schema.createTables(db, version: version)
                found.isComplete = try source.inDatabase { try Self.copy(from: $0, to: db) }
                try schema.migrate(db, from: version)
                if !found.isComplete { try Self.dropTokensWithoutScopes(db) }
                found.rowsKept = try Int.fetchOne(db, sql: "SELECT count(*) FROM record") ?? 0
                let count = source.inDatabase(Self.recordCount)
                found.rowsLost = count.map { max(0, $0 - found.rowsKept) }
                return .commit
            }
            // Last of all, so that until then everything is in one file.
            try db.execute(sql: "PRAGMA journal_mode = \(file.fileSystem.journalMode)")
            return found
        }
        let isUsable = try target.inDatabase { try Self.isUsable($0, file: file.location.file) }
        try target.close()
        if isUsable {
            found.path = path
        } else {
            // Without its keys no row can ever be opened.
            found.rowsLost = found.rowsLost.map { $0 + found.rowsKept }
            found.rowsKept = 0
        }
        return found
    }

    /// Whether rows that are there can be opened, given the key that wraps the others. Who opens the store makes what
    /// keys it lacks.
    private static func isUsable(_ db: Database, file: String) throws -> Bool {
        // Damage is what this is about; there is no other answer to it here.
        guard let keys = try? StoredKeys.read(db, file: file) else { return false }
        return keys.wrapping.provider == .none || keys.rows.contains { !$0.wrapped.isEmpty }
    }

    /// Returns whether every table was read to its end.
    private static func copy(from source: Database, to target: Database) throws -> Bool {
        var isComplete = true
        let tables = try String.fetchAll(
            target,
            sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid"
        )
        // Leases are worth seconds.
        for name in tables where name != "lease" && !name.hasPrefix("sqlite_") {
            let isWhole = try SalvagedTable(name, of: target, in: source)?.copy(from: source, to: target) ?? false
            isComplete = isComplete && isWhole
        }
        return isComplete
    }

    /// No lookup finds an access token whose scopes are gone, nor does one replace it: it would only lie there.
    private static func dropTokensWithoutScopes(_ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM record WHERE kind = ? AND id NOT IN (SELECT id FROM record_scope)",
            arguments: [RecordKind.accessToken.rawValue]
        )
    }

    /// How many records there were, by the largest number that any of the indexes still gives.
    private static func recordCount(_ db: Database) -> Int? {
        ["record_ix", "record_kind_ix"].compactMap { index in
            // An index that cannot be read says nothing. Not `count`: that takes whichever index is the smallest.
            try? Int.fetchOne(db, sql: "SELECT coalesce(sum(1), 0) FROM record INDEXED BY \(index)")
        }.max()
    }
}
