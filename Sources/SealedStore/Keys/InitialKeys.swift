// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// The identifier and the first keys of a new store.
struct InitialKeys: Sendable {
    let store: String
    let wrapping: StoredKeys.KeyReference
    /// One data key and the key for the blind indexes, wrapped; empty without encryption.
    let keys: [StoredKeys.Row]
    /// The key that wraps them; `nil` without encryption.
    let wrappingKey: WrappingKey?
}

extension InitialKeys {
    /// Creates the values of a store with plain payloads.
    static func plain(_ store: String = UUID().uuidString.lowercased()) -> InitialKeys {
        InitialKeys(
            store: store,
            wrapping: StoredKeys.KeyReference(provider: .none, id: ""),
            keys: [],
            wrappingKey: nil
        )
    }

    /// Creates the values of a store whose wrapping key is with `provider`: the existing key, or else a new one.
    ///
    /// `created`: Seconds since 1970.
    init(
        from provider: any KeyProvider,
        name: KeyName,
        created: Int64,
        keyAccess: KeyAccessOptions
    ) throws(StoreError) {
        let key = try provider.ensureKey(name, keyAccess: keyAccess)
        let wrappingKey = try WrappingKey(key, id: name.keyID, store: name.store)
        try self.init(wrappedBy: wrappingKey, provider: provider.kind, created: created)
    }

    /// Creates new keys for a store with this wrapping key.
    ///
    /// `created`: Seconds since 1970. `since`: The value of the store's counter.
    init(wrappedBy key: WrappingKey, provider: KeyLocation, created: Int64, since: Int64 = 0) throws(StoreError) {
        self.init(
            store: key.store,
            wrapping: StoredKeys.KeyReference(provider: provider, id: key.id),
            keys: [
                try StoredKeys.Row(newKeyFor: .active, wrappedBy: key, created: created, since: since),
                try StoredKeys.Row(newKeyFor: .index, wrappedBy: key, created: created, since: since),
            ],
            wrappingKey: key
        )
    }

    /// Writes the identifier, the keys, and their MAC to a store that has none yet.
    func write(to db: Database, at location: StoreLocation) throws {
        try StoredKeys.setMeta(.store, to: store, in: db)
        try StoredKeys.setMeta(.provider, to: wrapping.provider.rawValue, in: db)
        try StoredKeys.setMeta(.wrappingKey, to: wrapping.id, in: db)
        try StoredKeys.setMeta(.counter, to: 0, in: db)
        for row in keys { try StoredKeys.insert(row, in: db) }
        try StoredKeys.sign(db, at: location, mac: wrappingKey?.mac)
    }
}

extension StoredKeys.Row {
    /// A new random key.
    init(
        newKeyFor state: KeyState,
        wrappedBy wrappingKey: WrappingKey,
        created: Int64,
        since: Int64
    ) throws(StoreError) {
        let id = WrappingKey.newID()
        self.init(
            id: id,
            wrappedBy: wrappingKey.id,
            wrapped: try wrappingKey.wrap(try WrappingKey.newKey(), id: id),
            state: state,
            created: created,
            since: since
        )
    }
}

extension KeyProvider {
    /// Returns the key of this name. Creates it if the provider is unlocked and has none.
    func ensureKey(_ name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) -> KeyMaterial {
        if let key = try key(name, keyAccess: keyAccess) { return key }
        try keep(try WrappingKey.newKey(), as: name, keyAccess: keyAccess)
        // Reads the key back because only a key that can be fetched again may wrap others. Also, another process may
        // have stored one first.
        if let key = try key(name, keyAccess: keyAccess) { return key }
        throw StoreError(
            .keyUnavailable,
            message: """
                A key was stored in \(kind.description), but cannot be read back. Try again, or choose another key \
                provider.
                """
        )
    }
}
