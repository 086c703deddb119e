// Licensed under the MIT License. See LICENSE.

import SealedStore

extension MSALTokenStore {
    /// Gives the store new keys, and moves its key if `protection` names another provider. Every record is sealed anew.
    ///
    /// Other processes go on meanwhile. After an interruption the next call goes on where this one stopped. The call
    /// does nothing if there is no store, or if the store has no encryption and gets none.
    ///
    /// The key of a credential file is only read. To replace that key, name another file.
    ///
    /// - Parameter protection: Where the key is kept from now on; `nil` leaves it where it is.
    ///   ``MSALStoreProtection/none`` decrypts the store. Applications that name a protection must name this one then.
    /// - Returns: The former place of the key, and the store with its new place.
    /// - Throws: Detail -42000 for ``MSALStoreProtection/automatic`` and ``MSALStoreProtection/inMemory``, which name no
    ///   place; -42008 if the old or the new key cannot be had. The store then keeps its old key.
    @discardableResult
    public func rotateKey(to protection: MSALStoreProtection? = nil) async throws -> MSALTokenStoreRotation {
        guard let choice = protection?.choice else {
            let previous = try await work { (patience) throws(StoreError) in
                let previous = try countedRecords(patience).keyLocation
                try store.rotateKeys(patience)
                return previous
            }
            return MSALTokenStoreRotation(previousLocation: previous, store: self)
        }
        guard choice != .automatic, choice != .memory else {
            throw AuthError(.invalidParameter, message: "Name the place for the key, such as key-file.").nsError
        }
        let (present, changed) = (storeToMove, MSALTokenStore(self, protectedBy: choice))
        let previous = try await work { (patience) throws(StoreError) in
            let previous = try present.countedRecords(patience).keyLocation
            try present.store.moveKey(to: try changed.keys.providerForNewStore(patience), patience: patience)
            return previous
        }
        return MSALTokenStoreRotation(previousLocation: previous, store: changed)
    }

    /// The store, opened as its protection is to be changed.
    ///
    /// A provider that `MSAL_STORE_KEY` names is ignored. The variable is obeyed if it names the file of the present
    /// key, or says that there is no key.
    private var storeToMove: MSALTokenStore {
        switch keys.choice {
        case .automatic, .location(.credentialFile, _), .location(.none, _), .memory: self
        case .location: MSALTokenStore(self, protectedBy: .automatic)
        }
    }

    /// Mends a store whose keys were damaged or changed. Applications mend all other damage themselves.
    ///
    /// The library does not open such a store, because somebody may have changed it. Find out who can write to the file
    /// first. Every record that the store's key still opens is kept and sealed with new keys. All others are dropped.
    /// The store as it was stays in a folder beside it.
    ///
    /// - Returns: The repairs that were made, in their order; nothing for a store that is sound or is not there.
    /// - Throws: Detail -42008 if the key cannot be had, or the store cannot be written. The store is unchanged then.
    @discardableResult
    public func repair() async throws -> [MSALTokenStoreRepair] {
        try await work { (patience) throws(StoreError) in try store.repair(patience).map(MSALTokenStoreRepair.init) }
    }
}

/// What ``MSALTokenStore/rotateKey(to:)`` did. Linux only.
public struct MSALTokenStoreRotation: Sendable {
    /// The place of the key before the call; `nil` if there is no store.
    public let previousLocation: MSALTokenStoreKeyLocation?

    /// The store, with its present protection.
    public let store: MSALTokenStore
}

/// A repair of a token store, by the library itself or by ``MSALTokenStore/repair()``. Linux only.
public struct MSALTokenStoreRepair: Sendable, Hashable {
    /// The time at which the damage was found.
    public let time: Date

    /// The number of records that were kept.
    public let recordsKept: Int

    /// How many records could not be read; `nil` if nobody can tell.
    public let recordsLost: Int?

    /// The folder with the store as it was, an absolute path. The tokens of that time are in it.
    public let copy: String

    init(_ report: StoreRecovered) {
        time = report.time
        recordsKept = report.rowsKept
        recordsLost = report.rowsLost
        copy = report.quarantine
    }
}
