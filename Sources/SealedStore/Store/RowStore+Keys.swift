// Licensed under the MIT License. See LICENSE.

import GRDB
import MSALBase

extension RowStore {
    /// The store's keys, fetched if necessary; `nil` if no store exists.
    func ring(_ keyAccess: KeyAccessOptions) throws(StoreError) -> KeyRing? {
        if let ring = open.withLock({ $0.ring }) { return ring }
        return try keyTurn.take(keyAccess, file: location.file) { () throws(StoreError) -> KeyRing? in
            while true {
                let (present, previous) = open.withLock { ($0.ring, $0.previous) }
                if let present { return present }
                guard let loaded = try loadRing(reusing: previous, keyAccess: keyAccess) else { return nil }
                // Fetching a key may take long; meanwhile the file may have been replaced.
                let isPresent = withOpen { open in
                    guard open.identity == loaded.file else { return false }
                    open.ring = loaded.ring
                    return true
                }
                if isPresent { return loaded.ring }
            }
        }
    }

    /// Makes the next transaction read the keys again.
    func forgetKeys() { withOpen { $0.forgetKeys() } }

    /// The keys and their wrapping as currently stored in the file. Do not trust them before
    /// ``KeyCheck/verify(_:keyAccess:)``. `nil` if no store exists.
    func storedKeys() throws(StoreError) -> StoredKeys? { try storedKeys(try reader()) }

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

    /// `previous`: Keys that were valid before. They still are, unless new ones were added.
    private func loadRing(
        reusing previous: KeyRing?,
        keyAccess: KeyAccessOptions
    ) throws(StoreError) -> (ring: KeyRing, file: StoreFile.Identity?)? {
        while true {
            let reader = try reader()
            guard let stored = try storedKeys(reader) else { return nil }
            if let previous, let ring = previous.renewed(stored) { return (ring, reader.identity) }
            do throws(StoreError) {
                return (try keys.ring(stored, keyAccess: keyAccess), reader.identity)
            } catch {
                // Another process may have changed the key while it was being fetched.
                let later = try storedKeys()
                guard later?.generation != stored.generation || later?.store != stored.store else { throw error }
            }
        }
    }

    /// Changes the keys of a store in one transaction, or changes nothing if they no longer match `stored`.
    ///
    /// `old`: The MAC of the wrapping key for the current keys; `new`: the MAC of the wrapping key for the changed
    /// ones.
    func changeKeys(
        of stored: StoredKeys,
        writer: DatabaseQueue,
        from old: StoreMAC?,
        to new: StoreMAC?,
        change: (Database) throws -> Void
    ) throws(StoreError) {
        try transaction(writer, durability: .full) { db in
            try StoredKeys.check(db, store: stored.store, generation: stored.generation)
            // The keys may have been tampered with since they were verified at opening. A new MAC would legitimize the
            // tampered keys.
            if let old, try !old.vouches(for: StoredKeys.read(db, at: location)) {
                throw StoreError.unverified(location)
            }
            try change(db)
            try StoredKeys.advance(db)
            try StoredKeys.sign(db, at: location, mac: new)
        }
    }

    /// The current time in seconds since 1970.
    var seconds: Int64 { time.now.seconds }
}
