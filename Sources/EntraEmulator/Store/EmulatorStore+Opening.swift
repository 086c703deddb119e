// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

extension EmulatorStore {
    /// A database with today's schema, in memory or in a folder.
    ///
    /// - Throws: `PrivateFolder.Failure` for a file that cannot be used; its text says what to do.
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
            guard try !database.read(migrator.hasBeenSuperseded) else {
                throw PrivateFolder.Failure(
                    description: "\(file.path) was written by a newer emulator; use that one, or another folder"
                )
            }
            try migrator.migrate(database)
            // Without this check, an unreadable user would be noticed at sign-in only.
            try database.read(checkUsers)
            return database
        } catch let error as DatabaseError where ![.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode) {
            throw PrivateFolder.Failure(description: "cannot use \(file.path): \(error.message ?? error.description)")
        } catch is DatabaseError, is DecodingError {
            throw PrivateFolder.Failure(damaged: file)
        }
    }

    private static let name = "directory.sqlite"

    private static func checkUsers(_ db: Database) throws {
        for json in try Data.fetchAll(db, sql: "SELECT json FROM user") {
            _ = try JSONDecoder().decode(User.self, from: json)
        }
    }
}
