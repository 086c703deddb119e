// Licensed under the MIT License. See LICENSE.

import GRDB
import MSALBase

/// Replaces the wrapping key of a store: the data keys are wrapped anew, the rows stay as they are.
///
/// Every step is a transaction of its own or a call of a provider, never both, and both keys open the store while they
/// overlap. The next change clears away the remains of a process that died half-way (docs/reference/Store.md#rotation).
struct WrappingKeyRotation {
    let store: RowStore
    let afterStep: @Sendable (StoreStep) throws(StoreError) -> Void

    /// Replaces the key.
    ///
    /// `provider`: The provider of the new key; `nil` leaves it with the present provider. Nothing happens in a store
    /// without encryption, or where there is no store.
    func run(to provider: (any KeyProvider)?, patience: KeyPatience) throws(StoreError) {
        try store.whileAlone { () throws(StoreError) in
            guard let stored = try store.storedKeys(),
                let present = try store.keys.verify(stored, patience: patience),
                let old = try store.keys.source.provider(stored.wrapping.provider)
            else { return }
            let writer = try store.expectedWriter()
            try clearLeftovers(of: stored, mac: present.mac, writer: writer, patience: patience)

            let new = provider ?? old
            let name = try announceKey(with: new, of: stored.store, writer: writer, patience: patience)
            let arriving = StoredKeys.KeyReference(provider: new.kind, id: name.keyID)
            let newKey = try new.ensureKey(name, patience: patience)
            let key = try WrappingKey(newKey, id: name.keyID, store: stored.store)
            try afterStep(.newKeyKept)

            let rows = stored.rows.filter { $0.wrappedBy == stored.wrapping.id && $0.state != nil }
            var rewrapped: [StoredKeys.Row] = []
            for row in rows {
                // A data key that cannot be opened is lost, if the others can.
                guard let dataKey = present.unwrap(row.wrapped, id: row.id) else { continue }
                rewrapped.append(try row.wrapping(dataKey, by: key))
            }
            guard !rewrapped.isEmpty else { throw StoreError.unverified(store.location) }
            try store.changeKeys(of: stored, writer: writer, from: present.mac, to: key.mac) { db in
                for row in rewrapped { try StoredKeys.insert(row, in: db) }
                // Two credential files have no names that distinguish them, so data keys of the old one would pass for
                // those in use.
                if old.kind == .credentialFile, new.kind == .credentialFile {
                    try StoredKeys.deleteRows(db, wrappedBy: stored.wrapping)
                }
                try StoredKeys.setMeta(.provider, to: arriving.provider.rawValue, in: db)
                try StoredKeys.setMeta(.wrappingKey, to: arriving.id, in: db)
                try StoredKeys.setMeta(.retiring, to: stored.wrapping.text, in: db)
                try StoredKeys.setMeta(.arriving, to: nil, in: db)
            }
            try afterStep(.keysRewrapped)
            try retire(stored.wrapping, of: stored.store, mac: key.mac, writer: writer, patience: patience)
        }
        store.forgetKeys()
    }

    /// Writes the name of the new key into the file. If the rotation fails, a later one finds the unused key and
    /// deletes it.
    ///
    /// If the provider cannot be reached, there is no note, because no key was stored there.
    ///
    /// - Returns: The name for the key.
    /// - Throws: `.keyUnavailable` if the place cannot be reached or is locked; and what writing the note throws.
    func announceKey(
        with provider: any KeyProvider,
        of storeID: String,
        writer: DatabaseQueue,
        patience: KeyPatience
    ) throws(StoreError) -> KeyName {
        let name = store.keys.keyName(WrappingKey.newID(), store: storeID)
        _ = try provider.key(name, patience: patience)
        let note = StoredKeys.KeyReference(provider: provider.kind, id: name.keyID).text
        try store.transaction(writer, durability: .full) { try StoredKeys.setMeta(.arriving, to: note, in: $0) }
        try afterStep(.newKeyAnnounced)
        return name
    }

    /// Ends an earlier change of the key: an announced key that was never used, and a key that was replaced. If its
    /// provider cannot be reached, the key stays there. The note of it stays until the next change writes its own.
    ///
    /// `mac`: That of the wrapping key in use; `nil` without encryption.
    func clearLeftovers(
        of stored: StoredKeys,
        mac: StoreMAC?,
        writer: DatabaseQueue,
        patience: KeyPatience
    ) throws(StoreError) {
        let notes = try store.transaction(writer, durability: .normal) { db in
            (
                try StoredKeys.meta(.arriving, as: String.self, in: db).flatMap(StoredKeys.KeyReference.init(text:)),
                try StoredKeys.meta(.retiring, as: String.self, in: db).flatMap(StoredKeys.KeyReference.init(text:))
            )
        }
        // Nobody verifies these notes. So the key that they name is compared with the key in use. The key in use must
        // stay.
        if let arriving = notes.0, arriving.id != stored.wrapping.id {
            try unlessUnavailable(arriving) { () throws(StoreError) in
                try forget(arriving, of: stored.store, patience: patience)
                try store.transaction(writer, durability: .full) { try StoredKeys.setMeta(.arriving, to: nil, in: $0) }
            }
        }
        if let retiring = notes.1, retiring.id != stored.wrapping.id {
            try unlessUnavailable(retiring) { () throws(StoreError) in
                try retire(retiring, of: stored.store, mac: mac, writer: writer, patience: patience)
            }
        }
    }

    /// Runs `work`, which deletes an unused key. An unreachable provider gives only a warning: it must not stop the
    /// change of the store.
    private func unlessUnavailable(
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
                \(key.provider.description) and was left there: \(error.message)
                """
            )
        }
    }

    /// The last steps: the data keys that the old key wrapped go, then the key itself, then the note of it.
    ///
    /// `mac`: That of the wrapping key in use; `nil` without encryption.
    func retire(
        _ old: StoredKeys.KeyReference,
        of storeID: String,
        mac: StoreMAC?,
        writer: DatabaseQueue,
        patience: KeyPatience
    ) throws(StoreError) {
        try store.transaction(writer, durability: .full) { db in
            if let mac, try !mac.vouches(for: StoredKeys.read(db, at: store.location)) {
                throw StoreError.unverified(store.location)
            }
            try StoredKeys.deleteRows(db, wrappedBy: old)
            try StoredKeys.sign(db, at: store.location, mac: mac)
        }
        try afterStep(.oldWrapsDeleted)
        try forget(old, of: storeID, patience: patience)
        try afterStep(.oldKeyForgotten)
        try store.transaction(writer, durability: .full) { try StoredKeys.setMeta(.retiring, to: nil, in: $0) }
        try afterStep(.oldKeyUnmentioned)
    }

    private func forget(
        _ key: StoredKeys.KeyReference,
        of storeID: String,
        patience: KeyPatience
    ) throws(StoreError) {
        guard let provider = try store.keys.source.provider(key.provider) else { return }
        try provider.forget(store.keys.keyName(key.id, store: storeID), patience: patience)
    }
}

extension StoredKeys.Row {
    /// This row for another wrapping key.
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
