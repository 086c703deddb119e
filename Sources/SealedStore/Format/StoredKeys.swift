// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// The keys of a store as stored in the file: the table `keys` and the entries of `meta` about it.
///
/// A data key has one row for each wrapping key that seals it: two while one wrapping key replaces another, otherwise
/// one.
struct StoredKeys: Sendable {
    struct Row: Sendable {
        let id: String
        /// The name of the wrapping key.
        let wrappedBy: String
        /// Empty if the wrapped key was lost.
        let wrapped: Data
        /// `nil` if the purpose of the key is damaged in the row.
        let state: KeyState?
        /// Seconds since 1970.
        let created: Int64
        /// The value of the store's counter when the key was created.
        let since: Int64
    }

    /// A wrapping key and its location.
    struct KeyReference: Sendable, Equatable {
        let provider: KeyLocation
        let id: String
    }

    /// The schema version.
    var schema = StoreSchema.version
    let store: String
    /// The wrapping key in use.
    let wrapping: KeyReference
    /// Increases with every change of `keys`.
    let generation: Int64
    let rows: [Row]
    /// The code that ``StoreMAC`` computes over the other members. Without it, none of them is trusted.
    var mac: Data?

    /// The keys of `meta`.
    enum Meta: String {
        /// The schema version, as in the header.
        case schema
        /// The store's random identifier.
        case store
        case provider, wrappingKey
        case generation
        /// The code that ``StoreMAC`` computes over the keys; none without encryption.
        case mac
        /// The store's counter: the number of rows ever sealed, and the order in which records were saved.
        case counter
        /// The time of the last sweep of expired tokens.
        case purged
        /// A wrapping key that is being created, and one that is being replaced; `provider:id`.
        case arriving, retiring
        /// Set while the file or its log may still contain pages from before a change of format.
        case traces
    }

    /// Reads the key list from the file. Until the MAC is verified with the key, it is only a hint at the key's
    /// location.
    ///
    /// - Throws: `.unverified` if so much is missing that nothing can be verified.
    static func read(_ db: Database, at location: StoreLocation) throws -> StoredKeys {
        guard let schema = try meta(.schema, as: Int32.self, in: db),
            let store = try meta(.store, as: String.self, in: db),
            let generation = try generation(db), let name = try meta(.provider, as: String.self, in: db),
            let provider = KeyLocation(rawValue: name), let id = try meta(.wrappingKey, as: String.self, in: db),
            provider == .none || WrappingKey.isID(id)
        else { throw StoreError.unverified(location) }
        let rows = try GRDB.Row.fetchAll(
            db,
            sql: "SELECT key_id, wrapped_by, wrapped, state, created, since FROM keys ORDER BY created, key_id"
        )
        return StoredKeys(
            schema: schema,
            store: store,
            wrapping: KeyReference(provider: provider, id: id),
            generation: generation,
            rows: rows.map(Row.init(salvaging:)),
            mac: try meta(.mac, as: Data.self, in: db)
        )
    }

    /// Writes the MAC of the current key list. Every change of keys ends with this call.
    ///
    /// `mac`: The MAC of the current wrapping key; `nil` without encryption.
    static func sign(_ db: Database, at location: StoreLocation, mac: StoreMAC?) throws {
        let stored = try read(db, at: location)
        try setMeta(.mac, to: mac?.code(for: stored), in: db)
    }

    static func generation(_ db: Database) throws -> Int64? {
        try meta(.generation, as: Int64.self, in: db)
    }

    /// Checks that the file is the same store and still has the keys of this generation. A store that was deleted and
    /// created again starts with the same number.
    ///
    /// - Throws: ``StaleKeysError`` if the keys differ.
    static func check(_ db: Database, store: String, generation: Int64) throws {
        // A single statement because every transaction begins with it. The casts turn a damaged value into the value
        // that `read` returned for it: when SQLite adds one to the largest integer, it becomes a floating-point number.
        let sql = """
            SELECT (SELECT CAST(v AS INTEGER) FROM meta WHERE k = 'generation'),
                (SELECT CAST(v AS TEXT) FROM meta WHERE k = 'store')
            """
        let isPresent = try RawStatement(sql, in: db).first { $0.integer(0) == generation && $0.text(1) == store }
        guard isPresent == true else { throw StaleKeysError.error }
    }

    /// The store's counter. A damaged value that leaves no room to increase is replaced.
    static func counter(_ db: Database) throws -> Int64 {
        let value = try RawStatement("SELECT v FROM meta WHERE k = 'counter'", in: db).first { $0.integer(0) }
        return min(max(0, value ?? 0), .max / 2)
    }

    static func meta<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ name: Meta,
        as type: Value.Type,
        in db: Database
    ) throws -> Value? {
        try Value.fetchOne(db.cachedStatement(sql: "SELECT v FROM meta WHERE k = ?"), arguments: [name.rawValue])
    }

    /// Writes the store's counter.
    static func setCounter(to number: Int64, in db: Database) throws {
        try RawStatement("INSERT OR REPLACE INTO meta(k, v) VALUES ('counter', ?)", in: db).run([.integer(number)])
    }

    /// Writes an entry of `meta`; `nil` deletes it.
    static func setMeta(_ name: Meta, to value: (any DatabaseValueConvertible)?, in db: Database) throws {
        if let value {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO meta(k, v) VALUES (?, ?)")
                .execute(arguments: [name.rawValue, value])
        } else {
            try db.cachedStatement(sql: "DELETE FROM meta WHERE k = ?").execute(arguments: [name.rawValue])
        }
    }

    /// Makes every process that has loaded the keys read them again.
    static func advance(_ db: Database) throws {
        try db.execute(sql: "UPDATE meta SET v = v + 1 WHERE k = ?", arguments: [Meta.generation.rawValue])
    }

    static func insert(_ row: Row, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO keys(key_id, wrapped_by, wrapped, state, created, since)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [row.id, row.wrappedBy, row.wrapped, row.state?.rawValue, row.created, row.since])
    }

    /// Deletes the data keys that this wrapping key wrapped.
    static func deleteRows(_ db: Database, wrappedBy key: KeyReference) throws {
        try db.execute(sql: "DELETE FROM keys WHERE wrapped_by = ?", arguments: [key.id])
    }
}

extension StoredKeys.Row {
    /// Reads the columns that are readable. A damaged column must not cost the key. A key of unknown age counts as old
    /// and is replaced soon.
    fileprivate init(salvaging row: GRDB.Row) {
        func value<Value: DatabaseValueConvertible>(_ column: String) -> Value? {
            try? row.decode(Value?.self, forColumn: column)
        }
        id = value("key_id") ?? ""
        wrappedBy = value("wrapped_by") ?? ""
        wrapped = value("wrapped") ?? Data()
        state = value("state").flatMap { KeyState(rawValue: $0) }
        created = max(0, value("created") ?? 0)
        since = max(0, value("since") ?? 0)
    }
}

extension StoredKeys.KeyReference {
    /// Parses `provider:id`, as stored in `meta`.
    init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let provider = KeyLocation(rawValue: parts[0]), WrappingKey.isID(parts[1]) else {
            return nil
        }
        self.init(provider: provider, id: parts[1])
    }

    var text: String { provider.rawValue + ":" + id }
}

/// The state of a key for the store's rows.
package enum KeyState: String, Sendable, Hashable {
    /// The key seals new rows.
    case active
    /// Rows sealed with it are waiting to be resealed; then it is deleted.
    case retiring
    /// The key computes the blind indexes, for the lifetime of the store.
    case index
}

/// The keys in memory differ from those in the file and must be read again.
struct StaleKeysError: Error {
    static let error = StoreError(
        .busy,
        message: "Another process changes the token store's keys. Try again.",
        underlying: Self()
    )
}

extension StoreError {
    /// The key is correct, but the file was changed without it.
    static func unverified(_ location: StoreLocation) -> StoreError {
        StoreError(
            .unverified,
            message: """
                The list of keys in the token store \(location.file) was damaged, or a program other than this library \
                changed it. The store stays closed, and nothing was changed. If you do not know why, someone else may \
                have written to the file. To keep the rows that its key still opens: \
                msal cache repair --group \(location.groupName)
                """
        )
    }
}
