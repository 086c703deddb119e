// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// The keys of a store as the file holds them: the table `keys`, and what `meta` says of it.
///
/// A data key has one row for each key-encryption key that wraps it: two while one replaces the other, else one
/// (docs/reference/Store.md#rotation).
struct StoredKeys: Sendable {
    struct Row: Sendable {
        let id: String
        /// The name of the key-encryption key.
        let wrappedBy: String
        /// Empty if it is lost.
        let wrapped: Data
        /// `nil` if the row does not say any more what the key is for.
        let state: KeyState?
        /// Seconds since 1970.
        let created: Int64
        /// The store's running number when the key was made.
        let since: Int64
    }

    /// A key-encryption key with the place it lives in.
    struct WrappingKey: Sendable, Equatable {
        let provider: KeyProviderKind
        let id: String
    }

    /// The number of the schema.
    var schema = StoreSchema.version
    let store: String
    /// The key-encryption key in use.
    let wrapping: WrappingKey
    /// Grows with every change of `keys`.
    let generation: Int64
    let rows: [Row]
    /// The code that ``StoreMAC`` makes of the others; without it nothing here is to be believed.
    var mac: Data?

    /// The names in `meta`.
    enum Meta: String {
        /// The number of the schema, as in the header.
        case schema
        /// The store's random identifier.
        case store
        case provider, wrappingKey
        case generation
        /// What ``StoreMAC`` makes of the keys; none without encryption.
        case mac
        /// The store's running number: how many rows were ever sealed, and the order in which records were saved.
        case counter
        /// When expired tokens were swept out last.
        case purged
        /// A key-encryption key that is being made, and one that is going; `provider:id`.
        case arriving, retiring
        /// Set while pages from before a change of form may still be in the file or its log.
        case traces
    }

    /// What the file says. It is a hint at where the key is, and no more, until the key's MAC was checked.
    ///
    /// - Throws: `.unverified` if so much is missing that there is nothing to check.
    static func read(_ db: Database, _ location: StoreLocation) throws -> StoredKeys {
        guard let schema = try meta(db, .schema, Int32.self), let store = try meta(db, .store, String.self),
            let generation = try generation(db), let name = try meta(db, .provider, String.self),
            let provider = KeyProviderKind(rawValue: name), let id = try meta(db, .wrappingKey, String.self),
            provider == .none || KeyName.isID(id)
        else { throw StoreError.unverified(location) }
        let rows = try GRDB.Row.fetchAll(
            db,
            sql: "SELECT key_id, wrapped_by, wrapped, state, created, since FROM keys ORDER BY created, key_id"
        )
        return StoredKeys(
            schema: schema,
            store: store,
            wrapping: WrappingKey(provider: provider, id: id),
            generation: generation,
            rows: rows.map(Row.init(salvaging:)),
            mac: try meta(db, .mac, Data.self)
        )
    }

    /// Writes the MAC of what the file says now; the last act of every change of keys.
    ///
    /// `mac`: That of the key-encryption key in use; `nil` without encryption.
    static func sign(_ db: Database, _ location: StoreLocation, _ mac: StoreMAC?) throws {
        let stored = try read(db, location)
        try setMeta(db, .mac, mac?.code(for: stored))
    }

    static func generation(_ db: Database) throws -> Int64? {
        try meta(db, .generation, Int64.self)
    }

    /// Whether the file still has the keys of this generation, and is the same store: one that was deleted and founded
    /// anew begins with the same number.
    ///
    /// - Throws: ``StaleKeys`` if not.
    static func check(_ db: Database, store: String, generation: Int64) throws {
        guard try Self.generation(db) == generation, try meta(db, .store, String.self) == store else {
            throw StaleKeys.error
        }
    }

    /// The store's running number; one that damage made absurd becomes one that can be counted on from.
    static func counter(_ db: Database) throws -> Int64 {
        min(max(0, try meta(db, .counter, Int64.self) ?? 0), .max / 2)
    }

    static func meta<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ db: Database,
        _ name: Meta,
        _ type: Value.Type
    ) throws -> Value? {
        try Value.fetchOne(db.cachedStatement(sql: "SELECT v FROM meta WHERE k = ?"), arguments: [name.rawValue])
    }

    /// Writes an entry of `meta`; `nil` deletes it.
    static func setMeta(_ db: Database, _ name: Meta, _ value: (any DatabaseValueConvertible)?) throws {
        if let value {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO meta(k, v) VALUES (?, ?)")
                .execute(arguments: [name.rawValue, value])
        } else {
            try db.cachedStatement(sql: "DELETE FROM meta WHERE k = ?").execute(arguments: [name.rawValue])
        }
    }

    /// Tells every process that holds the keys to read them again.
    static func advance(_ db: Database) throws {
        try db.execute(
            sql: "UPDATE meta SET v = v + 1 WHERE k = ?",
            arguments: [Meta.generation.rawValue]
        )
    }

    static func insert(_ db: Database, _ row: Row) throws {
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO keys(key_id, wrapped_by, wrapped, state, created, since)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [row.id, row.wrappedBy, row.wrapped, row.state?.rawValue, row.created, row.since])
    }

    /// Deletes what a key-encryption key wrapped.
    static func deleteRows(_ db: Database, wrappedBy key: WrappingKey) throws {
        try db.execute(sql: "DELETE FROM keys WHERE wrapped_by = ?", arguments: [key.id])
    }
}

extension StoredKeys.Row {
    /// What there is of a row: one column that damage emptied or changed is no reason to lose the key. One without its
    /// age is taken for old, and replaced soon.
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

extension StoredKeys.WrappingKey {
    /// The two parts of `provider:id`, as `meta` keeps them.
    init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let provider = KeyProviderKind(rawValue: parts[0]), KeyName.isID(parts[1]) else {
            return nil
        }
        self.init(provider: provider, id: parts[1])
    }

    var text: String { provider.rawValue + ":" + id }
}
