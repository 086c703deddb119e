// Licensed under the MIT License. See LICENSE.

import GRDB
import MSALSupport

extension SQLiteStore {
    /// Replaces the key-encryption key: the data keys are wrapped anew, the rows stay as they are.
    ///
    /// Every step is a transaction of its own or a call of a provider, never both
    /// (docs/reference/Store.md#no-waiting-inside), and both keys open the store while they overlap. What a process
    /// that died half-way left behind is cleared away by the next change.
    ///
    /// `provider`: Where the new key will be; `nil` leaves it with the present provider. Nothing happens in a store
    /// without encryption, or where there is no store.
    func rotateWrappingKey(to provider: (any KeyProvider)?, _ patience: KeyPatience) throws(StoreError) {
        try whileAlone { () throws(StoreError) in
            guard let stored = try storedKeys(), let present = try verify(stored, patience),
                let old = try keySource.provider(stored.wrapping.provider)
            else { return }
            let writer = try writer(patience)
            try clearLeftovers(of: stored, present.mac, writer, patience)

            let new = provider ?? old
            let name = try announceKey(with: new, of: stored.store, writer, patience)
            let arriving = StoredKeys.WrappingKey(provider: new.kind, id: name.keyID)
            let key = try WrappingKey(id: name.keyID, store: stored.store, try new.ensureKey(name, patience))
            try faults(.newKeyKept)

            let rows = stored.rows.filter { $0.wrappedBy == stored.wrapping.id && $0.state != nil }
            var rewrapped: [StoredKeys.Row] = []
            for row in rows {
                // One that cannot be opened is lost, if the others can.
                guard let dataKey = present.unwrap(row.wrapped, id: row.id) else { continue }
                rewrapped.append(try row.wrapped(by: key, dataKey))
            }
            guard !rewrapped.isEmpty else { throw StoreError.unverified(location) }
            try changeKeys(of: stored, writer, from: present.mac, to: key.mac) { db in
                for row in rewrapped { try StoredKeys.insert(db, row) }
                // No name tells one credential file from another: what the old one opens would pass for the keys in use.
                if old.kind == .credentialFile, new.kind == .credentialFile {
                    try StoredKeys.deleteRows(db, wrappedBy: stored.wrapping)
                }
                try StoredKeys.setMeta(db, .provider, arriving.provider.rawValue)
                try StoredKeys.setMeta(db, .wrappingKey, arriving.id)
                try StoredKeys.setMeta(db, .retiring, stored.wrapping.text)
                try StoredKeys.setMeta(db, .arriving, nil)
            }
            try faults(.keysRewrapped)
            try retire(stored.wrapping, of: stored.store, key.mac, writer, patience)
        }
        forgetKeys()
    }

    /// Notes in the file which key is about to come, so that it is found again if it never comes into use.
    ///
    /// A place that cannot be reached leaves no note: no key came to be there.
    ///
    /// - Returns: The name for the key.
    /// - Throws: `.keyUnavailable` if the place cannot be reached or is locked; and what writing the note throws.
    func announceKey(
        with provider: any KeyProvider,
        of store: String,
        _ writer: DatabaseQueue,
        _ patience: KeyPatience
    ) throws(StoreError) -> KeyName {
        let name = keyName(store: store, id: WrappingKey.newID())
        _ = try provider.key(name, patience)
        let note = StoredKeys.WrappingKey(provider: provider.kind, id: name.keyID).text
        try transaction(writer, .full) { try StoredKeys.setMeta($0, .arriving, note) }
        try faults(.newKeyAnnounced)
        return name
    }

    /// Ends what an earlier change of the key began: an announced key that never came into use goes, and so does
    /// one that was replaced. Where its place cannot be reached, the key is left there, and so is the note of it until
    /// the next change writes its own.
    ///
    /// `mac`: That of the key-encryption key in use; `nil` without encryption.
    func clearLeftovers(
        of stored: StoredKeys,
        _ mac: StoreMAC?,
        _ writer: DatabaseQueue,
        _ patience: KeyPatience
    ) throws(StoreError) {
        let notes = try transaction(writer, .normal) { db in
            (
                try StoredKeys.meta(db, .arriving, String.self).flatMap(StoredKeys.WrappingKey.init(text:)),
                try StoredKeys.meta(db, .retiring, String.self).flatMap(StoredKeys.WrappingKey.init(text:))
            )
        }
        // Nothing vouches for these notes: what they name is never the key in use.
        if let arriving = notes.0, arriving.id != stored.wrapping.id {
            try unlessUnavailable(arriving) { () throws(StoreError) in
                try forget(arriving, of: stored.store, patience)
                try transaction(writer, .full) { try StoredKeys.setMeta($0, .arriving, nil) }
            }
        }
        if let retiring = notes.1, retiring.id != stored.wrapping.id {
            try unlessUnavailable(retiring) { () throws(StoreError) in
                try retire(retiring, of: stored.store, mac, writer, patience)
            }
        }
    }

    /// Runs `work`, which clears a key away that is not in use. That its place cannot be reached is a warning only: it
    /// must not hold the store where it is.
    private func unlessUnavailable(
        _ key: StoredKeys.WrappingKey,
        _ work: () throws(StoreError) -> Void
    ) throws(StoreError) {
        do throws(StoreError) {
            try work()
        } catch {
            guard error.kind == .keyUnavailable else { throw error }
            Log.warning(
                """
                The key \(key.id), which the token store \(location.file) does not use, may still be in \
                \(key.provider.words) and was left there: \(error.message)
                """
            )
        }
    }

    /// The last steps: what the old key wrapped goes, then the key itself, then the note of it.
    ///
    /// `mac`: That of the key-encryption key in use; `nil` without encryption.
    func retire(
        _ old: StoredKeys.WrappingKey,
        of store: String,
        _ mac: StoreMAC?,
        _ writer: DatabaseQueue,
        _ patience: KeyPatience
    ) throws(StoreError) {
        try transaction(writer, .full) { db in
            if let mac, try !mac.vouches(for: StoredKeys.read(db, location)) { throw StoreError.unverified(location) }
            try StoredKeys.deleteRows(db, wrappedBy: old)
            try StoredKeys.sign(db, location, mac)
        }
        try faults(.oldWrapsDeleted)
        try forget(old, of: store, patience)
        try faults(.oldKeyForgotten)
        try transaction(writer, .full) { try StoredKeys.setMeta($0, .retiring, nil) }
        try faults(.oldKeyUnmentioned)
    }

    private func forget(
        _ key: StoredKeys.WrappingKey,
        of store: String,
        _ patience: KeyPatience
    ) throws(StoreError) {
        guard let provider = try keySource.provider(key.provider) else { return }
        try provider.forget(keyName(store: store, id: key.id), patience)
    }
}

extension StoredKeys.Row {
    /// This row for another key-encryption key.
    func wrapped(by key: WrappingKey, _ dataKey: KeyMaterial) throws(StoreError) -> StoredKeys.Row {
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
