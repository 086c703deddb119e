// Licensed under the MIT License. See LICENSE.

import GRDB
import MSALBase

extension RowStore {
    /// The store's keys, fetched if need be; `nil` while there is no store.
    func ring(_ patience: KeyPatience) throws(StoreError) -> KeyRing? {
        if let ring = open.withLock({ $0.ring }) { return ring }
        return try keyTurn.take(patience, file: location.file) { () throws(StoreError) -> KeyRing? in
            while true {
                let (present, previous) = open.withLock { ($0.ring, $0.previous) }
                if let present { return present }
                guard let loaded = try loadRing(reusing: previous, patience: patience) else { return nil }
                // Fetching a key may take long; meanwhile the file may have been replaced by another.
                let isPresent = withOpen { open in
                    guard open.identity == loaded.file else { return false }
                    open.ring = loaded.ring
                    return true
                }
                if isPresent { return loaded.ring }
            }
        }
    }

    /// Makes the next transaction read the keys anew.
    func forgetKeys() {
        withOpen { $0.forgetKeys() }
    }

    /// The keys and how they are wrapped, as the file has them now. They are trusted only after
    /// ``KeyCheck/verify(_:patience:)``. `nil` while there is no store.
    func storedKeys() throws(StoreError) -> StoredKeys? {
        try storedKeys(try reader())
    }

    private func storedKeys(_ reader: OpenStore.Reader) throws(StoreError) -> StoredKeys? {
        guard let connection = reader.connection else { return nil }
        return try run(.unreadable) {
            try connection.read { db in
                // Another version of this library may have replaced the file since it was opened.
                try StoreSchema.check(db, file: location.file)
                return try StoredKeys.read(db, at: location)
            }
        }
    }

    /// `previous`: Keys that were right before. They still are, unless new ones were added.
    private func loadRing(
        reusing previous: KeyRing?,
        patience: KeyPatience
    ) throws(StoreError) -> (ring: KeyRing, file: StoreFile.Identity?)? {
        while true {
            let reader = try reader()
            guard let stored = try storedKeys(reader) else { return nil }
            if let previous, let ring = previous.renewed(stored) { return (ring, reader.identity) }
            do throws(StoreError) {
                return (try keys.ring(stored, patience: patience), reader.identity)
            } catch {
                // Another process may have changed the key just when it was asked for.
                let later = try storedKeys()
                guard later?.generation != stored.generation || later?.store != stored.store else { throw error }
            }
        }
    }

    /// Changes the keys of a store in one transaction, and nothing if they are not those of `stored` any more.
    ///
    /// `old`: The MAC of the wrapping key that vouches for the present keys; `new`: of the one that vouches for the
    /// changed ones.
    func changeKeys(
        of stored: StoredKeys,
        writer: DatabaseQueue,
        from old: StoreMAC?,
        to new: StoreMAC?,
        change: (Database) throws -> Void
    ) throws(StoreError) {
        try transaction(writer, durability: .full) { db in
            try StoredKeys.check(db, store: stored.store, generation: stored.generation)
            // The keys may have changed since they were verified at opening. A new MAC would make the changed keys
            // ours.
            if let old, try !old.vouches(for: StoredKeys.read(db, at: location)) {
                throw StoreError.unverified(location)
            }
            try change(db)
            try StoredKeys.advance(db)
            try StoredKeys.sign(db, at: location, mac: new)
        }
    }

    /// The present time in seconds since 1970.
    var seconds: Int64 { time.now.seconds }
}
