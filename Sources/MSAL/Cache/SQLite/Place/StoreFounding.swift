// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// What makes a new store a store: its identifier and its first keys.
struct StoreFounding: Sendable {
    let store: String
    let wrapping: StoredKeys.WrappingKey
    /// One data key and the key of the blind indexes, wrapped; nothing without encryption.
    let keys: [StoredKeys.Row]
    /// The key that wraps them; none without encryption.
    let wrappingKey: WrappingKey?

    /// A store with plain payloads.
    static func plain(_ store: String = UUID().uuidString.lowercased()) -> StoreFounding {
        StoreFounding(
            store: store,
            wrapping: StoredKeys.WrappingKey(provider: .none, id: ""),
            keys: [],
            wrappingKey: nil
        )
    }

    /// A store whose key-encryption key is with `provider`: the one that is there, else a new one.
    ///
    /// `created`: Seconds since 1970.
    init(
        _ provider: any KeyProvider,
        _ name: KeyName,
        created: Int64,
        _ patience: KeyPatience
    ) throws(StoreError) {
        let key = try provider.ensureKey(name, patience)
        try self.init(provider.kind, try WrappingKey(id: name.keyID, store: name.store, key), created: created)
    }

    /// New keys for the store of a key-encryption key.
    ///
    /// `created`: Seconds since 1970. `since`: The store's running number.
    init(_ provider: KeyProviderKind, _ key: WrappingKey, created: Int64, since: Int64 = 0) throws(StoreError) {
        self.init(
            store: key.store,
            wrapping: StoredKeys.WrappingKey(provider: provider, id: key.id),
            keys: [
                try StoredKeys.Row(newKeyFor: .active, key, created: created, since: since),
                try StoredKeys.Row(newKeyFor: .index, key, created: created, since: since),
            ],
            wrappingKey: key
        )
    }

    /// Puts the identifier and the keys into a store that has none, and the MAC over them.
    func write(_ db: Database, _ location: StoreLocation) throws {
        try StoredKeys.setMeta(db, .store, store)
        try StoredKeys.setMeta(db, .provider, wrapping.provider.rawValue)
        try StoredKeys.setMeta(db, .wrappingKey, wrapping.id)
        try StoredKeys.setMeta(db, .counter, 0)
        for row in keys { try StoredKeys.insert(db, row) }
        try StoredKeys.sign(db, location, wrappingKey?.mac)
    }

    private init(
        store: String,
        wrapping: StoredKeys.WrappingKey,
        keys: [StoredKeys.Row],
        wrappingKey: WrappingKey?
    ) {
        self.store = store
        self.wrapping = wrapping
        self.keys = keys
        self.wrappingKey = wrappingKey
    }
}

extension StoredKeys.Row {
    /// A new random key.
    init(
        newKeyFor state: KeyState,
        _ wrappingKey: WrappingKey,
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
    /// The key of this name; a new one if the place is open and holds none.
    func ensureKey(_ name: KeyName, _ patience: KeyPatience) throws(StoreError) -> KeyMaterial {
        if let key = try key(name, patience) { return key }
        try keep(try WrappingKey.newKey(), as: name, patience)
        // Read back: only what can be fetched again may close anything; and another process may have been faster.
        if let key = try key(name, patience) { return key }
        throw StoreError(
            .keyUnavailable,
            "A key was put in \(kind.words), which does not have it now. Try again, or choose another key provider."
        )
    }
}
