// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// The persistent part of the emulator: users, consents, browser sessions, codes, refresh tokens, and revocations.
///
/// Both modes use the same schema: an in-memory database, or a file that survives a restart (`--data`). Secrets are
/// stored as digests.
struct EmulatorStore: Sendable {
    private let database: DatabaseQueue
    /// Whether the store survives the end of the process.
    let isInFile: Bool
    /// The cache of decoded users.
    let decoded = DecodedUsers()
    /// All users by tenant.
    let byTenant = TenantUsers()

    /// Opens the store.
    ///
    /// `folder`: The folder of the database file; `nil` keeps everything in memory.
    /// `users`: The users to store if there are none yet.
    /// - Throws: `PrivateFolder.Failure` if a file cannot be used; the message says what to do.
    init(in folder: PrivateFolder?, users: [User]) throws {
        database = try Self.opened(in: folder)
        isInFile = folder != nil
        try database.write { db in
            guard try Int.fetchOne(db, sql: "SELECT count(*) FROM user") == 0 else { return }
            for user in users { try Self.insert(user, in: db) }
        }
    }

    /// Closes the file; later calls fail.
    func close() throws {
        try database.close()
    }

    /// Removes everything and stores these users.
    func reset(users: [User]) async throws {
        try write { db in
            for table in Self.tables {
                try db.run("DELETE FROM \(table)")
            }
            for user in users { try Self.insert(user, in: db) }
        }
    }

    // MARK: Access

    // These three methods block. A statement takes microseconds, in memory and in the file, whose commits do not wait
    // for the disk. Switching to the database's own thread and back takes longer than that, several times for each
    // token.

    /// Reads with statements that do not have to be consistent with each other.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try database.unsafeRead(body)
    }

    /// Performs a change with a single statement.
    func change<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try database.writeWithoutTransaction(body)
    }

    /// Performs several changes in one transaction.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try database.write(body)
    }

    /// The JSON of a row.
    static func encode(_ value: some Encodable) throws -> Data {
        try JSONEncoder().encode(value)
    }

    /// The value of a row.
    static func decode<Value: Decodable>(_ json: Data) throws -> Value {
        try JSONDecoder().decode(Value.self, from: json)
    }
}

extension Database {
    /// Runs a statement, which is only compiled at its first use.
    func run(_ sql: String, with arguments: StatementArguments = []) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    /// The first row of a statement, which is only compiled at its first use.
    func row(_ sql: String, with arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    /// The value in the first row of a statement, which is only compiled at its first use.
    func value<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ sql: String,
        with arguments: StatementArguments
    ) throws -> Value? {
        try Value.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    /// The JSON in the first row of a statement, which is only compiled at its first use.
    func json(_ sql: String, with arguments: StatementArguments = []) throws -> Data? {
        try value(sql, with: arguments)
    }

    /// The JSON in each row of a statement, which is only compiled at its first use.
    func allJSON(_ sql: String, with arguments: StatementArguments = []) throws -> [Data] {
        try Data.fetchAll(cachedStatement(sql: sql), arguments: arguments)
    }
}
