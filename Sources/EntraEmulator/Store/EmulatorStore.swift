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
    func close() throws { try database.close() }

    /// Removes everything and stores these users.
    func reset(users: [User]) async throws {
        try write { db in
            for table in Self.tables { try db.run("DELETE FROM \(table)") }
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
    static func encode(_ value: some Encodable) throws -> Data { try JSONEncoder().encode(value) }

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

/// Copying and restoring the entire store.
extension EmulatorStore {
    /// An in-memory copy with the same rows. Like the store, they contain only digests of secrets.
    struct Copy: Sendable {
        fileprivate let database: DatabaseQueue
    }

    /// The tables of the schema.
    static let tables = ["user", "object_id", "consent", "session", "code", "refresh_token", "revoked", "directory"]

    /// A copy of everything. SQLite copies whole pages, which is much faster than copying rows.
    func copy() throws -> Copy {
        let copy = Copy(database: try DatabaseQueue())
        try read { db in try copy.database.writeWithoutTransaction { try db.backup(to: $0) } }
        return copy
    }

    /// Replaces the current contents with a copy, either completely or not at all.
    func restore(_ copy: Copy) throws {
        try change { db in try copy.database.read { try $0.backup(to: db) } }
        byTenant.forget()
    }
}

/// The directory as changed at runtime, and the queries about users that changes require.
extension EmulatorStore {
    /// The directory without its users, if it was changed.
    ///
    /// - Throws: `DecodingError` if it cannot be decoded.
    func keptDirectory() throws -> EmulatorDirectory? {
        try read { db in try db.json("SELECT json FROM directory") }.map(Self.decode)
    }

    /// Stores the directory without its users for the next start. An in-memory store does nothing.
    func keep(_ directory: EmulatorDirectory) throws {
        guard isInFile else { return }
        var directory = directory
        directory.users = []
        let json = try Self.encode(directory)
        try change { db in try db.run("INSERT OR REPLACE INTO directory (id, json) VALUES (1, ?)", with: [json]) }
    }

    /// Users sorted by name, starting after a name.
    func users(after name: String, limit: Int) throws -> [User] {
        let name = name.lowercased()
        return try read { db in
            try db.allJSON("SELECT json FROM user WHERE name > ? ORDER BY name LIMIT ?", with: [name, limit])
        }
        .map(Self.decode)
    }

    /// As `users(after:limit:)`, but only users whose name or display name contains a term, regardless of case.
    func users(after name: String, matching term: String?, limit: Int) throws -> [User] {
        guard let term else { return try users(after: name, limit: limit) }
        return try Array(users(after: name, limit: .max).lazy.filter { $0.matches(term) }.prefix(limit))
    }

    /// The user with a user principal name or object ID, regardless of case.
    func user(_ nameOrID: String) throws -> User? {
        try read { db in
            try db.json("SELECT json FROM user WHERE name = ?1 OR id = ?1", with: [nameOrID.lowercased()])
        }
        .map(Self.decode)
    }

    /// The number of members and guests of a tenant.
    func countOfUsers(in tenantID: String) throws -> Int {
        try read { db in try db.value("SELECT count(*) FROM object_id WHERE tenant = ?", with: [tenantID]) } ?? 0
    }

    /// The name or the object ID of this account that another account already uses.
    func conflict(with account: User) throws -> String? {
        let name = account.userPrincipalName.lowercased()
        let ids = account.guestObjectIDs.merging([account.homeTenantID: account.id]) { $1 }
        return try read { db in
            let sameName = "SELECT name FROM user WHERE name = ? AND id <> ?"
            if let taken: String = try db.value(sameName, with: [name, account.id]) { return taken }
            let sameID = "SELECT id FROM object_id WHERE tenant = ? AND id = ? AND user <> ?"
            for (tenant, id) in ids.sorted(by: { $0.key < $1.key }) {
                if let taken: String = try db.value(sameID, with: [tenant, id, account.id]) { return taken }
            }
            return nil
        }
    }

    /// Adds users or replaces those with the same IDs, and removes others, in one transaction. Tokens that were issued
    /// to a removed user remain stored, but are rejected.
    func save(_ users: [User], removing ids: [String]) throws {
        try write { db in
            for id in ids {
                try db.run("DELETE FROM user WHERE id = ?", with: [id])
                try db.run("DELETE FROM object_id WHERE user = ?", with: [id])
            }
            for user in users { try Self.insert(user, in: db) }
        }
    }

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

    /// The schema. Released migrations are never edited; changes require a new one.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE user (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, json BLOB NOT NULL);
                    CREATE TABLE consent (user TEXT NOT NULL, client TEXT NOT NULL, audience TEXT NOT NULL,
                        scope TEXT NOT NULL, PRIMARY KEY (user, client, audience, scope)) WITHOUT ROWID;
                    CREATE TABLE session (cookie TEXT NOT NULL, user TEXT NOT NULL, json BLOB NOT NULL,
                        PRIMARY KEY (cookie, user));
                    CREATE TABLE code (digest TEXT PRIMARY KEY, spent INTEGER NOT NULL, json BLOB NOT NULL);
                    CREATE TABLE refresh_token (digest TEXT PRIMARY KEY, used INTEGER NOT NULL, json BLOB NOT NULL);
                    CREATE TABLE revoked (family TEXT PRIMARY KEY) WITHOUT ROWID;
                    """
            )
        }
        migrator.registerMigration("2") { db in
            // A token identifies its user by object ID and tenant. Without this table, finding a user would read all of
            // them.
            try db.execute(
                sql: """
                    CREATE TABLE object_id (tenant TEXT NOT NULL, id TEXT NOT NULL, user TEXT NOT NULL,
                        PRIMARY KEY (tenant, id)) WITHOUT ROWID;
                    CREATE INDEX object_id_user ON object_id (user);
                    INSERT OR IGNORE INTO object_id (tenant, id, user)
                        SELECT json_extract(CAST(json AS TEXT), '$.homeTenantID'), id, id FROM user ORDER BY name;
                    INSERT OR IGNORE INTO object_id (tenant, id, user)
                        SELECT guest.key, guest.value, user.id
                        FROM user, json_each(CAST(user.json AS TEXT), '$.guestObjectIDs') AS guest ORDER BY user.name;
                    """
            )
        }
        migrator.registerMigration("3") { db in
            // The order in which the refresh tokens of a sign-in were issued or used.
            try db.execute(
                sql: """
                    ALTER TABLE refresh_token ADD COLUMN family TEXT NOT NULL DEFAULT '';
                    ALTER TABLE refresh_token ADD COLUMN age INTEGER NOT NULL DEFAULT 0;
                    UPDATE refresh_token SET family = json_extract(CAST(json AS TEXT), '$.entitlement.family');
                    UPDATE refresh_token SET age = ranked.place
                        FROM (SELECT digest AS token, row_number() OVER (PARTITION BY family ORDER BY rowid) AS place
                            FROM refresh_token) AS ranked
                        WHERE ranked.token = refresh_token.digest;
                    CREATE INDEX refresh_token_age ON refresh_token (family, age);
                    """
            )
        }
        migrator.registerMigration("directory") { db in
            // The directory as changed at runtime, without its users.
            try db.execute(sql: "CREATE TABLE directory (id INTEGER PRIMARY KEY CHECK (id = 1), json BLOB NOT NULL)")
        }
        return migrator
    }
}
