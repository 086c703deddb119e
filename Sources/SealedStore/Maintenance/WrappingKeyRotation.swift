// Licensed under the MIT License. See LICENSE.

import GRDB
import MSALBase

/// Replaces the wrapping key of a store: wraps the data keys again and leaves the rows unchanged.
///
/// Every step is either a separate transaction or a call to a provider, and both keys open the store in the meantime.
/// If a process dies midway, the next change cleans up (docs/reference/Store.md#rotation).
struct WrappingKeyRotation {
    let store: RowStore
    let afterStep: @Sendable (StoreStep) throws(StoreError) -> Void

    /// Replaces the key.
    ///
    /// `provider`: The provider of the new key; `nil` keeps the current provider. Does nothing for a store without
    /// encryption, or if no store exists.
    func run(to provider: (any KeyProvider)?, keyAccess: KeyAccessOptions) throws(StoreError) {
        try store.withExclusiveAccess { () throws(StoreError) in
            guard let stored = try store.storedKeys(),
                let present = try store.keys.verify(stored, keyAccess: keyAccess),
                let old = try store.keys.source.provider(stored.wrapping.provider)
            else { return }
            let writer = try store.expectedWriter()
            try clearLeftovers(of: stored, mac: present.mac, writer: writer, keyAccess: keyAccess)

            let new = provider ?? old
            let name = try announceKey(with: new, of: stored.store, writer: writer, keyAccess: keyAccess)
            let arriving = StoredKeys.KeyReference(provider: new.kind, id: name.keyID)
            let newKey = try new.ensureKey(name, keyAccess: keyAccess)
            let key = try WrappingKey(newKey, id: name.keyID, store: stored.store)
            try afterStep(.newKeyKept)

            let rows = stored.rows.filter { $0.wrappedBy == stored.wrapping.id && $0.state != nil }
            var rewrapped: [StoredKeys.Row] = []
            for row in rows {
                // A data key that cannot be opened is lost, provided that the others can be opened.
                guard let dataKey = present.unwrap(row.wrapped, id: row.id) else { continue }
                rewrapped.append(try row.wrapping(dataKey, by: key))
            }
            guard !rewrapped.isEmpty else { throw StoreError.unverified(store.location) }
            try store.changeKeys(of: stored, writer: writer, from: present.mac, to: key.mac) { db in
                for row in rewrapped { try StoredKeys.insert(row, in: db) }
                // Two credential files have no names that distinguish them, so data keys of the old one would be taken
                // for current ones.
                if old.kind == .credentialFile, new.kind == .credentialFile {
                    try StoredKeys.deleteRows(db, wrappedBy: stored.wrapping)
                }
                try StoredKeys.setMeta(.provider, to: arriving.provider.rawValue, in: db)
                try StoredKeys.setMeta(.wrappingKey, to: arriving.id, in: db)
                try StoredKeys.setMeta(.retiring, to: stored.wrapping.text, in: db)
                try StoredKeys.setMeta(.arriving, to: nil, in: db)
            }
            try afterStep(.keysRewrapped)
            try retire(stored.wrapping, of: stored.store, mac: key.mac, writer: writer, keyAccess: keyAccess)
        }
        store.forgetKeys()
    }

    /// Writes the name of the new key to the file. If the rotation fails, a later one finds the unused key and deletes
    /// it.
    ///
    /// If the provider cannot be reached, nothing is written because no key was stored there.
    ///
    /// - Returns: The name for the key.
    /// - Throws: `.keyUnavailable` if the location is unreachable or locked; also the errors of writing the file.
    func announceKey(
        with provider: any KeyProvider,
        of storeID: String,
        writer: DatabaseQueue,
        keyAccess: KeyAccessOptions
    ) throws(StoreError) -> KeyName {
        let name = store.keys.keyName(WrappingKey.newID(), store: storeID)
        _ = try provider.key(name, keyAccess: keyAccess)
        let note = StoredKeys.KeyReference(provider: provider.kind, id: name.keyID).text
        try store.transaction(writer, durability: .full) { try StoredKeys.setMeta(.arriving, to: note, in: $0) }
        try afterStep(.newKeyAnnounced)
        return name
    }

    /// Cleans up after an earlier key change: deletes an announced key that was never used, and a key that was
    /// replaced. If its provider cannot be reached, the key stays there. Its entry stays until the next change writes
    /// its own.
    ///
    /// `mac`: The MAC of the current wrapping key; `nil` without encryption.
    func clearLeftovers(
        of stored: StoredKeys,
        mac: StoreMAC?,
        writer: DatabaseQueue,
        keyAccess: KeyAccessOptions
    ) throws(StoreError) {
        let notes = try store.transaction(writer, durability: .normal) { db in
            (
                try StoredKeys.meta(.arriving, as: String.self, in: db).flatMap(StoredKeys.KeyReference.init(text:)),
                try StoredKeys.meta(.retiring, as: String.self, in: db).flatMap(StoredKeys.KeyReference.init(text:))
            )
        }
        // These entries are not verified, so the keys that they name are compared with the current key, which must not
        // be deleted.
        if let arriving = notes.0, arriving.id != stored.wrapping.id {
            try ignoringUnavailability(arriving) { () throws(StoreError) in
                try forget(arriving, of: stored.store, keyAccess: keyAccess)
                try store.transaction(writer, durability: .full) { try StoredKeys.setMeta(.arriving, to: nil, in: $0) }
            }
        }
        if let retiring = notes.1, retiring.id != stored.wrapping.id {
            try ignoringUnavailability(retiring) { () throws(StoreError) in
                try retire(retiring, of: stored.store, mac: mac, writer: writer, keyAccess: keyAccess)
            }
        }
    }

    /// Runs `work`, which deletes an unused key. An unreachable provider only causes a warning: it must not prevent the
    /// change of the store.
    private func ignoringUnavailability(
        _ key: StoredKeys.KeyReference,
        work: () throws(StoreError) -> Void
    ) throws(StoreError) {
        do throws(StoreError) {
            try work()
        } catch {
            guard error.kind == .keyUnavailable else { throw error }
            Log.warning(
                """
                The key \(key.id), which the token store \(store.location.file) does not use, may still be in \
                \(key.provider.description) and was not deleted: \(error.message)
                """
            )
        }
    }

    /// The last steps: deletes the data keys that the old key wrapped, then the key itself, then its entry.
    ///
    /// `mac`: The MAC of the current wrapping key; `nil` without encryption.
    func retire(
        _ old: StoredKeys.KeyReference,
        of storeID: String,
        mac: StoreMAC?,
        writer: DatabaseQueue,
        keyAccess: KeyAccessOptions
    ) throws(StoreError) {
        try store.transaction(writer, durability: .full) { db in
            if let mac, try !mac.vouches(for: StoredKeys.read(db, at: store.location)) {
                throw StoreError.unverified(store.location)
            }
            try StoredKeys.deleteRows(db, wrappedBy: old)
            try StoredKeys.sign(db, at: store.location, mac: mac)
        }
        try afterStep(.oldWrapsDeleted)
        try forget(old, of: storeID, keyAccess: keyAccess)
        try afterStep(.oldKeyForgotten)
        try store.transaction(writer, durability: .full) { try StoredKeys.setMeta(.retiring, to: nil, in: $0) }
        try afterStep(.oldKeyUnmentioned)
    }

    private func forget(
        _ key: StoredKeys.KeyReference,
        of storeID: String,
        keyAccess: KeyAccessOptions
    ) throws(StoreError) {
        guard let provider = try store.keys.source.provider(key.provider) else { return }
        try provider.forget(store.keys.keyName(key.id, store: storeID), keyAccess: keyAccess)
    }
}

extension StoredKeys.Row {
    /// This row, wrapped by another key.
    func wrapping(_ dataKey: KeyMaterial, by key: WrappingKey) throws(StoreError) -> StoredKeys.Row {
        StoredKeys.Row(
            id: id,
            wrappedBy: key.id,
            wrapped: try key.wrap(dataKey, id: id),
            state: state,
            created: created,
            since: since
        )
    }
}
