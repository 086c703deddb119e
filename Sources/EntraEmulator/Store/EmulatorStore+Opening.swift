// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

extension EmulatorStore {
    /// A database with the current schema, in memory or in a folder.
    ///
    /// - Throws: `PrivateFolder.Failure` if a file cannot be used; the message says what to do.
    static func opened(in folder: PrivateFolder?) throws -> DatabaseQueue {
        guard let folder else {
            let database = try DatabaseQueue()
            try migrator.migrate(database)
            return database
        }
        try folder.createIfMissing(name)
        let file = folder.file(name)
        do {
            let database = try DatabaseQueue(path: file.path)
            // Never write to a damaged file, or to a file of a newer emulator.
            try database.read { db in try checkPages(db, of: file) }
            guard try !database.read(migrator.hasBeenSuperseded) else {
                throw PrivateFolder.Failure(
                    description: "\(file.path) was written by a newer emulator; use that version, or another folder"
                )
            }
            try database.read { db in try checkUsers(db, in: file) }
            try migrator.migrate(database)
            // A single process owns the folder, so a commit survives the end of this process without waiting for the
            // disk.
            try database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
            }
            return database
        } catch let error as DatabaseError where ![.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode) {
            throw PrivateFolder.Failure(description: "cannot use \(file.path): \(error.userMessage)")
        } catch is DatabaseError, is DecodingError {
            throw PrivateFolder.Failure(damaged: file)
        }
    }

    private static let name = "directory.sqlite"

    /// Whether a folder was used by an emulator.
    static func exists(in folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    // Both checks find errors now that a sign-in would run into later. SQLite's own pass over the pages and the JSON of
    // 100,000 users takes a tenth of a second. Decoding each user would take ten times as long.
    private static func checkPages(_ db: Database, of file: URL) throws {
        guard try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok" else {
            throw PrivateFolder.Failure(damaged: file)
        }
    }

    private static func checkUsers(_ db: Database, in file: URL) throws {
        guard try db.tableExists("user") else { return }
        let damaged = """
            SELECT 1 FROM user WHERE CASE WHEN json_valid(CAST(json AS TEXT))
                THEN json_extract(CAST(json AS TEXT), '$.id') IS NOT id ELSE 1 END LIMIT 1
            """
        guard try Bool.fetchOne(db, sql: damaged) == nil else { throw PrivateFolder.Failure(damaged: file) }
        // The same version of the emulator wrote all rows, so a few rows show which members all rows have.
        for json in try Data.fetchAll(db, sql: "SELECT json FROM user LIMIT \(sampleSize)") {
            _ = try JSONDecoder().decode(User.self, from: json)
        }
    }

    private static let sampleSize = 100
}
