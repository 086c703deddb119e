// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import Glibc
import Synchronization

extension SQLiteStore {
    package var isPrepared: Bool { hasKeys.load(ordering: .relaxed) }

    package func prepare(_ patience: KeyPatience, for use: StoreUse) throws(StoreError) {
        try repeating(evenIfBusy: false) { () throws(StoreError) in
            switch use {
            case .reading: break
            case .writing: _ = try writer(patience)
            }
            _ = try ring(patience)
        }
    }

    /// The store's keys, fetched if need be; `nil` while there is no store.
    func ring(_ patience: KeyPatience) throws(StoreError) -> KeyRing? {
        if let ring = connections.withLock({ $0.ring }) { return ring }
        return try whileKeying(patience) { () throws(StoreError) -> KeyRing? in
            while true {
                let held = connections.withLock { ($0.ring, $0.former) }
                if let ring = held.0 { return ring }
                guard let loaded = try load(reusing: held.1, patience) else { return nil }
                // Fetching a key may take long; meanwhile the file may have been replaced by another.
                let isPresent = connections.withLock { connections in
                    guard connections.identity == loaded.file else { return false }
                    connections.ring = loaded.ring
                    hasKeys.store(true, ordering: .relaxed)
                    return true
                }
                if isPresent { return loaded.ring }
            }
        }
    }

    /// Runs `work` while no other thread creates the store or fetches its key.
    ///
    /// - Throws: `.keyUnavailable` if the call is cancelled while it waits, or waits two seconds for one that may be
    ///   asking the user, which this call may not (token-store-linux.md R17); and what `work` throws.
    func whileKeying<R>(
        _ patience: KeyPatience,
        _ work: () throws(StoreError) -> R
    ) throws(StoreError) -> R {
        var pauses = 0
        while true {
            let result = try keying.withLockIfAvailable { _ throws(StoreError) -> R in
                isAskingUser.store(patience.mayPrompt, ordering: .relaxed)
                defer { isAskingUser.store(false, ordering: .relaxed) }
                return try work()
            }
            if let result { return result }
            let isInVain = !patience.mayPrompt && isAskingUser.load(ordering: .relaxed) && pauses >= 80
            if isInVain || patience.isCanceled() {
                throw StoreError(
                    .keyUnavailable,
                    "Another call is asking for the key of the token store \(location.file). Try again."
                )
            }
            patience.pause()
            pauses += 1
        }
    }

    /// Has the keys read anew before the next transaction.
    func forgetKeys() {
        hasKeys.store(false, ordering: .relaxed)
        connections.withLock {
            if let ring = $0.ring { $0.former = ring }
            $0.ring = nil
        }
    }

    /// The keys and how they are wrapped, as the file has them now; `nil` while there is no store.
    func storedKeys() throws(StoreError) -> StoredKeys? {
        try storedKeys(try reader())
    }

    private func storedKeys(_ reader: Reader) throws(StoreError) -> StoredKeys? {
        guard let reader = reader.connection else { return nil }
        return try run(.unreadable) {
            try reader.read { db in
                // A newer version of this library may have migrated the file since it was opened.
                try schema.check(db, file: location.file)
                return try StoredKeys.read(db, file: location.file)
            }
        }
    }

    /// `former`: Keys that were right before; they are still, unless new ones were added.
    private func load(
        reusing former: KeyRing?,
        _ patience: KeyPatience
    ) throws(StoreError) -> (ring: KeyRing, file: StoreFile.Identity?)? {
        while true {
            let reader = try reader()
            guard let stored = try storedKeys(reader) else { return nil }
            if let former, let ring = former.renewed(stored) { return (ring, reader.identity) }
            do throws(StoreError) {
                return (try open(stored, patience), reader.identity)
            } catch {
                // Another process may have changed the key just when it was asked for.
                let later = try storedKeys()
                guard later?.generation != stored.generation || later?.store != stored.store else { throw error }
            }
        }
    }

    private func open(_ stored: StoredKeys, _ patience: KeyPatience) throws(StoreError) -> KeyRing {
        guard let provider = try keySource.provider(stored.wrapping.provider) else {
            Log.warning("The token store \(location.file) is not encrypted, as was asked for when it was created.")
            return KeyRing(stored)
        }
        return try open(stored, provider, patience)
    }

    /// The ring of a store whose key-encryption key is with `provider`.
    func open(
        _ stored: StoredKeys,
        _ provider: any KeyProvider,
        _ patience: KeyPatience
    ) throws(StoreError) -> KeyRing {
        let wrappingKey = try wrappingKey(of: stored, provider, patience)
        var ring = KeyRing(stored)
        for row in stored.rows where row.wrappedBy == stored.wrapping.id {
            if let root = wrappingKey.unwrap(row.wrapped, id: row.id) { try ring.add(row, root) }
        }
        if ring.isComplete { return ring }
        // What opens one of them is the right key, and the others are damaged.
        guard wrappingKey.opensAny(of: stored.rows) else {
            guard stored.rows.contains(where: { !$0.wrapped.isEmpty }) else {
                throw StoreError(.corrupt, "The token store \(location.file) has lost its keys.")
            }
            throw wrongKey(stored.wrapping.provider)
        }
        try mendKeys(stored, wrappingKey)
        throw StaleKeys.error
    }

    /// The key-encryption key. That it is missing is a failure: a new one would open nothing (R17).
    func wrappingKey(
        of stored: StoredKeys,
        _ provider: any KeyProvider,
        _ patience: KeyPatience
    ) throws(StoreError) -> WrappingKey {
        let name = keyName(store: stored.store, id: stored.wrapping.id)
        guard let key = try provider.key(name, patience) else {
            throw StoreError(
                .keyUnavailable,
                """
                The key of the token store \(location.file) is not in its place any more (\(provider.kind.words)). \
                Restore it, for instance the keyring that belongs to this home directory; without it the stored \
                tokens cannot be read. To sign in anew instead: msal cache clear
                """
            )
        }
        return try WrappingKey(id: stored.wrapping.id, store: stored.store, key)
    }

    func wrongKey(_ provider: KeyProviderKind) -> StoreError {
        let elsewhere =
            switch provider {
            case .credentialFile: ", or name the file that has it: \(StoreKeyChoice.variable)=credential-file:<path>"
            case .secretService, .keyFile, .none: ""
            }
        return StoreError(
            .keyUnavailable,
            """
            The key in \(provider.words) is not the one that the token store \(location.file) was closed with. \
            Nothing was changed. Restore the right key\(elsewhere); to sign in anew instead: msal cache clear
            """
        )
    }

    func keyName(store: String, id: String) -> KeyName {
        let group = location.directory.split(separator: "/").last.map(String.init) ?? ""
        return KeyName(group: group, store: store, keyID: id, directory: location.directory)
    }

    /// Decides where the key of a new store is, and makes it.
    func found(_ patience: KeyPatience, keyID: String = KeyName.firstID) throws(StoreError) -> StoreFounding {
        guard let provider = try keySource.providerForNewStore(patience) else { return .plain() }
        let store = UUID().uuidString.lowercased()
        let name = keyName(store: store, id: keyID)
        return try StoreFounding(provider, name, created: seconds, patience)
    }

    /// Now, in seconds since 1970.
    var seconds: Int64 { Int64(time.now.timeIntervalSince1970) }
}

extension WrappingKey {
    /// Whether it closed at least one of these data keys; a key that did is the right one.
    func opensAny(of rows: [StoredKeys.Row]) -> Bool {
        rows.contains { unwrap($0.wrapped, id: $0.id) != nil }
    }
}
