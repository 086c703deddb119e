// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import Glibc
import MSALSupport
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
    ///   asking the user, which this call may not (docs/reference/Store.md#key-deadlines); and what `work` throws.
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

    /// The keys and how they are wrapped, as the file has them now: to be believed after ``verify(_:_:)`` only. `nil`
    /// while there is no store.
    func storedKeys() throws(StoreError) -> StoredKeys? {
        try storedKeys(try reader())
    }

    private func storedKeys(_ reader: Reader) throws(StoreError) -> StoredKeys? {
        guard let reader = reader.connection else { return nil }
        return try run(.unreadable) {
            try reader.read { db in
                // Another version of this library may have replaced the file since it was opened.
                try StoreSchema.check(db, file: location.file)
                return try StoredKeys.read(db, location)
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
        guard let key = try verify(stored, patience) else {
            Log.warning("The token store \(location.file) is not encrypted, as was asked for when it was created.")
            return try KeyRing(stored, nil)
        }
        let ring = try KeyRing(stored, key)
        // The MAC is right, and the keys are none all the same: no version of this library writes that.
        guard ring.isComplete else { throw StoreError.unverified(location) }
        return ring
    }

    /// Finds out whether what a file says of its keys is to be believed. Until then nothing in it is, but as a hint at
    /// where its key may be (docs/TokenStore.md, "What a file is believed").
    ///
    /// - Returns: The key-encryption key, which vouches for the rest; `nil` for a store without encryption, where nothing
    ///   does.
    /// - Throws: `.keyUnavailable` if the app does not take stores of this kind, or the key cannot be had, or is another;
    ///   `.unverified` if the key is right and its MAC wrong.
    func verify(_ stored: StoredKeys, _ patience: KeyPatience) throws(StoreError) -> WrappingKey? {
        try keySource.admit(stored.wrapping.provider, location, patience)
        guard let provider = try keySource.provider(stored.wrapping.provider) else { return nil }
        let key = try wrappingKey(of: stored, provider, patience)
        guard !key.mac.vouches(for: stored) else { return key }
        // What opens a data key is the right key; so is one that has none left to open.
        let isWrong = stored.rows.contains { !$0.wrapped.isEmpty } && !key.opensAny(of: stored.rows)
        throw isWrong ? wrongKey(stored.wrapping.provider) : StoreError.unverified(location)
    }

    /// Changes the keys of a store in one transaction, and nothing if they are not those of `stored` any more.
    ///
    /// `old`: The key-encryption key that vouches for what is there; `new`: the one that vouches for what comes of it.
    func changeKeys(
        of stored: StoredKeys,
        _ writer: DatabaseQueue,
        from old: StoreMAC?,
        to new: StoreMAC?,
        _ change: (Database) throws -> Void
    ) throws(StoreError) {
        try transaction(writer, .full) { db in
            try StoredKeys.check(db, store: stored.store, generation: stored.generation)
            // The keys that were checked when the store was opened may have been changed since: to sign others would make
            // them ours.
            if let old, try !old.vouches(for: StoredKeys.read(db, location)) { throw StoreError.unverified(location) }
            try change(db)
            try StoredKeys.advance(db)
            try StoredKeys.sign(db, location, new)
        }
    }

    /// The key-encryption key. That it is missing is a failure: a new one would open nothing
    /// (docs/reference/Store.md#key-deadlines).
    func wrappingKey(
        of stored: StoredKeys,
        _ provider: any KeyProvider,
        _ patience: KeyPatience
    ) throws(StoreError) -> WrappingKey {
        let name = keyName(store: stored.store, id: stored.wrapping.id)
        guard let key = try provider.key(name, patience) else { throw missingKey(provider.kind) }
        return try WrappingKey(id: stored.wrapping.id, store: stored.store, key)
    }

    func missingKey(_ provider: KeyProviderKind) -> StoreError {
        StoreError(
            .keyUnavailable,
            """
            The key of the token store \(location.file) is not in its place any more (\(provider.words)). Restore it, \
            for instance the keyring that belongs to this home directory; without it the stored tokens cannot be read. \
            To sign in anew instead: msal cache clear
            """
        )
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
        KeyName(group: location.group, store: store, keyID: id, directory: location.directory)
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

extension StoreError {
    /// The key is the right one, and the file is not as it left it.
    static func unverified(_ location: StoreLocation) -> StoreError {
        StoreError(
            .unverified,
            """
            What the token store \(location.file) says of its keys was damaged, or changed by something else than this \
            library. The store stays closed, and nothing was changed. If you know of no reason, somebody may have \
            written to the file. To keep what its key still opens: msal cache repair --group \(location.groupName)
            """
        )
    }
}
