// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// What makes a new store a store: its identifier and its first keys.
struct StoreFounding: Sendable {
    let store: String
    let wrapping: StoredKeys.WrappingKey
    /// One data key and the key of the blind indexes, wrapped; nothing without encryption.
    let keys: [StoredKeys.Row]

    /// A store with plain payloads.
    static func plain() -> StoreFounding {
        StoreFounding(
            store: UUID().uuidString.lowercased(),
            wrapping: StoredKeys.WrappingKey(provider: .none, id: ""),
            keys: []
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
        let wrappingKey = try WrappingKey(id: name.keyID, store: name.store, key)
        self.init(
            store: name.store,
            wrapping: StoredKeys.WrappingKey(provider: provider.kind, id: name.keyID),
            keys: [
                try StoredKeys.Row(newKeyFor: .active, wrappingKey, created: created, since: 0),
                try StoredKeys.Row(newKeyFor: .index, wrappingKey, created: created, since: 0),
            ]
        )
    }

    /// Puts the identifier and the keys into a store that has none.
    func write(_ db: Database) throws {
        try StoredKeys.setMeta(db, .store, store)
        try StoredKeys.setMeta(db, .provider, wrapping.provider.rawValue)
        try StoredKeys.setMeta(db, .wrappingKey, wrapping.id)
        try StoredKeys.setMeta(db, .counter, 0)
        for row in keys { try StoredKeys.insert(db, row) }
    }

    private init(store: String, wrapping: StoredKeys.WrappingKey, keys: [StoredKeys.Row]) {
        self.store = store
        self.wrapping = wrapping
        self.keys = keys
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
