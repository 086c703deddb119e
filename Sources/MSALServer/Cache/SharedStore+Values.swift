// Licensed under the MIT License. See LICENSE.

/// A value in the store.
struct StoredValue: Sendable {
    /// The name under which it was found, or under which it is to be written.
    let name: MSALStoreName
    /// `nil` if the value is absent.
    var version: MSALStoreVersion?
    /// The decrypted bytes. `nil` if the value is absent or cannot be read.
    var plain: [UInt8]?
    var expiresIn = Duration.zero
    /// The version of what is under the name of the first key, even if it cannot be read; `nil` if the value is absent.
    var versionUnderFirstKey: MSALStoreVersion?

    /// The condition of a write that replaces this value.
    var condition: MSALWriteCondition { version.map(MSALWriteCondition.version) ?? .absent }

    /// The condition of a write that moves this value to the name of the first key.
    var moveCondition: MSALWriteCondition { versionUnderFirstKey.map(MSALWriteCondition.version) ?? .absent }
}

extension SharedStore {
    /// The values of some entries of an owner, in one round trip, under the names of all keys.
    func read(_ entries: [[String]], of owner: SharedOwner) async throws(SharedStoreError) -> [StoredValue] {
        // The entries under the first key come first, then those under the second.
        let names = configuration.keys.flatMap { owner.names(of: entries, under: $0) }
        let found = try await ask(.read, isHit: { found in found.contains { $0 != nil } }) { store in
            let found = try await store.read(names)
            guard found.count == names.count else { throw SharedStoreError.failed }
            return found
        }
        return entries.indices.map { place in
            let places = stride(from: place, to: names.count, by: entries.count)
            return value(under: places.map { names[$0] }, in: places.map { found[$0] }, of: owner)
        }
    }

    /// The value that ends last. If two keys have one, that is the value that was written last.
    private func value(
        under names: [MSALStoreName],
        in found: [MSALStoreEntry?],
        of owner: SharedOwner
    ) -> StoredValue {
        var unreadable: StoredValue?
        var latest: StoredValue?
        for (name, entry) in zip(names, found) {
            guard let entry else { continue }
            let place = SealedValue.Place(prefix: configuration.store.prefix, clientID: owner.clientID, name: name)
            if let plain = SealedValue(bytes: entry.value).opened(for: place, with: configuration.keys) {
                guard latest.map({ $0.expiresIn < entry.expiresIn }) ?? true else { continue }
                latest = StoredValue(name: name, version: entry.version, plain: plain, expiresIn: entry.expiresIn)
                continue
            }
            warnOfUnreadableValue(isTooLarge: entry.value.count > SealedValue.mostBytes)
            unreadable = unreadable ?? StoredValue(name: name, version: entry.version)
        }
        var value = latest ?? unreadable ?? StoredValue(name: names[0])
        value.versionUnderFirstKey = found[0]?.version
        return value
    }

    func warnOfUnreadableValue(isTooLarge: Bool = false) {
        warn(
            isTooLarge ? .tooLarge : .unreadable,
            of: .read,
            outcome: .unreadable,
            message:
                "A value of the shared cache cannot be read and counts as absent. It was damaged, moved, or sealed with a key "
                + "that is not given here."
        )
    }

    func warnOfTooLargeValue() {
        // Nothing is wrong with the store's values, so that it does not count as unreadable.
        warn(
            .tooLarge,
            of: .write,
            outcome: .error,
            message: "A value is too large for the shared cache, and was not written."
        )
    }

    /// Encrypts a value with the first key and writes it.
    ///
    /// - Returns: Whether it was written: `false` if the condition does not hold or a later holder has written.
    func write(
        _ plain: [UInt8],
        to name: MSALStoreName,
        of owner: SharedOwner,
        expiresIn: Duration,
        if condition: MSALWriteCondition,
        lease: (any MSALStoreLease)? = nil
    ) async throws(SharedStoreError) -> Bool {
        let place = SealedValue.Place(prefix: configuration.store.prefix, clientID: owner.clientID, name: name)
        guard let sealed = SealedValue(plain, for: place, with: configuration.keys[0])?.bytes else {
            warnOfTooLargeValue()
            throw .failed
        }
        return try await ask(.write, isHit: { $0 }) { store in
            try await store.write(sealed, to: name, expiresIn: max(expiresIn, .seconds(1)), if: condition, lease: lease)
        }
    }

    /// Removes all values of an owner from the store.
    func removeAll(of owner: SharedOwner) async throws(SharedStoreError) {
        let partitions = configuration.keys.map { owner.partition(under: $0) }
        // While keys change, another instance may just move a value from one partition to the other. It looks afterwards
        // whether the old one was still there, so the second turn finds what it has not taken back.
        for partition in partitions.count > 1 ? partitions + partitions : partitions {
            try await ask(.remove) { try await $0.removeAll(in: partition) }
        }
    }
}
