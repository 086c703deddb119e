// Licensed under the MIT License. See LICENSE.

import GRDB
import Glibc

/// The tables of a store and the header of its file (docs/reference/Store.md#tables).
enum StoreSchema {
    /// "MSAL" in ASCII, in the header of each store file.
    static let applicationID: Int32 = 0x4D53_414C
    /// The version of this schema. Earlier versions were never released.
    static let version: Int32 = 4

    /// The state of a database file.
    enum State: Equatable {
        case empty
        case ready
    }

    /// Distinguishes an empty file from a store, and throws for any other file.
    ///
    /// The schema version is stored twice, in the header and in `meta`: a file with only a wrong header is one of ours
    /// that is damaged, not a file of another program.
    ///
    /// - Throws: `.tooNew` or `.tooOld` for a schema that this library does not know; `.foreign` for another program's
    ///   file; `.corrupt` if the header is damaged.
    static func state(_ db: Database, file: String) throws -> State {
        let userVersion = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let applicationID = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        if applicationID == 0, userVersion == 0, try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0 {
            return .empty
        }
        // `tableExists` is not used because GRDB reads the whole schema for it: 0.3 ms of a process's first lookup.
        let hasMeta = try Int.fetchOne(db, sql: "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'meta'")
        let noted = try hasMeta == nil ? nil : Int32.fetchOne(db, sql: "SELECT v FROM meta WHERE k = 'schema'")
        guard applicationID == Self.applicationID || noted != nil else {
            throw StoreError(
                .foreign,
                message: "\(file) is not a token store of this library. Move it away to start a new one."
            )
        }
        guard userVersion <= version || noted.map({ $0 < userVersion }) == true else { throw tooNew(file) }
        guard applicationID == Self.applicationID, userVersion == noted, userVersion > 0 else {
            throw StoreError(.corrupt, message: "The header of the token store \(file) is damaged.")
        }
        guard userVersion == version else { throw tooOld(file) }
        return .ready
    }

    /// Checks that a damaged file may have this schema: one of its two version numbers says so, or neither is readable.
    ///
    /// `hasOwnHeader`: Whether the header is the file's original one.
    ///
    /// - Throws: `.tooNew` or `.tooOld` if all readable numbers are versions that this library does not know.
    static func check(damaged db: Database, hasOwnHeader: Bool, file: String) throws(StoreError) {
        // An unreadable number is part of the damage and shows nothing.
        let noted = try? Int32.fetchOne(db, sql: "SELECT v FROM meta WHERE k = 'schema'")
        let userVersion = hasOwnHeader ? try? Int32.fetchOne(db, sql: "PRAGMA user_version") : nil
        let said = [noted, userVersion].compactMap(\.self)
        guard !said.contains(version), !said.isEmpty else { return }
        if said.contains(where: { (1..<version).contains($0) }) { throw tooOld(file) }
        if said.allSatisfy({ $0 > version }) { throw tooNew(file) }
    }

    private static func tooNew(_ file: String) -> StoreError {
        StoreError(
            .tooNew,
            message: "The token store \(file) was written by a newer version of this library. Update this app."
        )
    }

    private static func tooOld(_ file: String) -> StoreError {
        StoreError(
            .tooOld,
            message: """
                The token store \(file) was created by a version of this library that was never released, and is \
                not used. Delete it with: msal cache clear --force, and sign in again.
                """
        )
    }

    /// Creates the tables and the header of a store without keys; inside a transaction.
    static func create(_ db: Database) throws {
        try createTables(db)
        try noteVersion(db)
        try StoredKeys.setMeta(.generation, to: 0, in: db)
    }

    /// Creates the empty tables and the header. The order is always the same, so that any two files have the same first
    /// page: the salvage of damaged files relies on it.
    ///
    /// `record` is the only table with row IDs (`rowid`). Without them, SQLite would keep whole rows in the inner pages
    /// of the primary key's index. These rows are large: four fit into a page, and with a hundred thousand accounts it
    /// would be eight pages from the root to a row. Primary keys of records begin with a part of their account's index
    /// (docs/reference/Store.md#row-keys), and so do the indexes of scopes: rows of the same account are stored next to
    /// each other.
    ///
    /// The index over accounts has the client after the kind because some lookups have no client and must not read all
    /// rows of an account. Scopes include the realm for the same reason. The last column of that index shows what
    /// changed in an account, and the last columns of the index over kinds show which accounts have a row of a client
    /// or a family: both are answered by the index without reading the rows, which are large.
    static func createTables(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE meta(k TEXT PRIMARY KEY, v) WITHOUT ROWID;
                CREATE TABLE keys(
                    key_id TEXT NOT NULL, wrapped_by TEXT NOT NULL, wrapped BLOB NOT NULL,
                    state TEXT NOT NULL, created INTEGER NOT NULL, since INTEGER NOT NULL,
                    PRIMARY KEY(key_id, wrapped_by)
                ) WITHOUT ROWID;
                CREATE TABLE record(
                    id BLOB PRIMARY KEY NOT NULL, kind INTEGER NOT NULL,
                    account_ix BLOB, client_ix BLOB, env_ix BLOB, realm_ix BLOB, family_ix BLOB,
                    name_ix BLOB, expires_on INTEGER, cached_at INTEGER, modified INTEGER NOT NULL,
                    key_id TEXT, sealed BLOB NOT NULL
                );
                CREATE INDEX record_ix ON record(account_ix, kind, client_ix, realm_ix, modified);
                CREATE INDEX record_kind_ix ON record(kind, client_ix, family_ix, account_ix);
                CREATE INDEX record_name_ix ON record(name_ix) WHERE name_ix IS NOT NULL;
                CREATE INDEX record_expiry_ix ON record(expires_on) WHERE expires_on IS NOT NULL;
                CREATE TABLE record_scope(
                    scope_ix BLOB NOT NULL,
                    realm_ix BLOB NOT NULL,
                    id BLOB NOT NULL REFERENCES record(id) ON DELETE CASCADE,
                    PRIMARY KEY(scope_ix, realm_ix, id)
                ) WITHOUT ROWID;
                CREATE INDEX record_scope_id ON record_scope(id);
                CREATE TABLE extra(id BLOB PRIMARY KEY, key_id TEXT, sealed BLOB NOT NULL) WITHOUT ROWID;
                CREATE TABLE lease(id BLOB PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
                """
        )
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
        try db.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Checks only the schema version, and the rest only if the version has changed.
    ///
    /// - Throws: The same errors as ``state(_:file:)``.
    static func check(_ db: Database, file: String) throws {
        if try Int32.fetchOne(db, sql: "PRAGMA user_version") != version { _ = try state(db, file: file) }
    }

    /// Writes the schema version to the header and to `meta`.
    static func noteVersion(_ db: Database) throws {
        try db.execute(sql: "PRAGMA user_version = \(version)")
        try StoredKeys.setMeta(.schema, to: version, in: db)
    }

    /// Settings of every connection. The journal mode and `synchronous` are settings of the write connection.
    static func configuration(readonly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.label = readonly ? "MSAL.store.reader" : "MSAL.store.writer"
        configuration.readonly = readonly
        configuration.busyMode = BusyWait.mode
        // Foreign keys are enabled below, which takes a fraction of the time.
        configuration.foreignKeysEnabled = false
        let reading = "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;"
        let writing = "PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON; PRAGMA synchronous = NORMAL;"
        configuration.prepareDatabase { try $0.runRaw(readonly ? reading : reading + writing) }
        return configuration
    }
}

/// Waits for another process's transaction.
///
/// SQLite's own handler sleeps longer each time, up to a tenth of a second. Later processes overtake one that has
/// waited long, and under load some time out. Here, every process tries again after a short random pause.
enum BusyWait {
    /// The average pause is three milliseconds, so this number of tries takes five seconds
    /// (docs/reference/Store.md#busy).
    private static let tries = 1_650

    static let mode = Database.BusyMode.callback { count in
        guard count < tries else { return false }
        usleep(.random(in: 1_000...5_000))
        return true
    }
}
