// Licensed under the MIT License. See LICENSE.

import SealedStore

extension MSALTokenStore {
    /// Gives the store new keys, moves its key if `protection` names another provider, and reseals every record.
    ///
    /// Other processes can continue to use the store. After an interruption, the next call continues where this one
    /// stopped. The call does nothing if there is no store, or if the store stays unencrypted.
    ///
    /// The key in a credential file is never written. To replace that key, name another file.
    ///
    /// - Parameter protection: The new location of the key; `nil` keeps it in place. ``MSALStoreProtection/none``
    ///   decrypts the store. Applications that specify a protection must then specify this one.
    /// - Returns: The previous location of the key, and the store with its new location.
    /// - Throws: Detail -42000 for ``MSALStoreProtection/automatic`` and ``MSALStoreProtection/inMemory``, which do not
    ///   name a location; -42008 if the old or the new key is unavailable. The store keeps its old key in that case.
    @discardableResult
    public func rotateKey(to protection: MSALStoreProtection? = nil) async throws -> MSALTokenStoreRotation {
        guard let choice = protection?.choice else {
            let previous = try await work { (keyAccess) throws(StoreError) in
                let previous = try countedRecords(keyAccess).keyLocation
                try store.rotateKeys(keyAccess)
                return previous
            }
            return MSALTokenStoreRotation(previousLocation: previous, store: self)
        }
        guard choice != .automatic, choice != .memory else {
            throw AuthError(.invalidParameter, message: "Specify the location of the key, such as key-file.").nsError
        }
        let (present, changed) = (storeToMove, MSALTokenStore(self, protectedBy: choice))
        let previous = try await work { (keyAccess) throws(StoreError) in
            let previous = try present.countedRecords(keyAccess).keyLocation
            try present.store.moveKey(to: try changed.keys.providerForNewStore(keyAccess), keyAccess: keyAccess)
            return previous
        }
        return MSALTokenStoreRotation(previousLocation: previous, store: changed)
    }

    /// The store, opened for the change of its protection.
    ///
    /// A provider in `MSAL_STORE_KEY` is ignored. The variable is used if it names the file with the current key, or
    /// says that there is no key.
    private var storeToMove: MSALTokenStore {
        switch keys.choice {
        case .automatic, .location(.credentialFile, _), .location(.none, _), .memory: self
        case .location: MSALTokenStore(self, protectedBy: .automatic)
        }
    }

    /// Repairs a store whose keys were damaged or changed. Applications repair all other damage automatically.
    ///
    /// The library does not open such a store because another program may have changed it. First find out who can write
    /// to the file. Every record that the store's key still opens is kept and sealed with new keys. All others are
    /// dropped. The previous store is kept in a folder next to it.
    ///
    /// - Returns: The repairs that were made, in order; empty if the store is intact or does not exist.
    /// - Throws: Detail -42008 if the key is unavailable, or the store cannot be written. The store is unchanged then.
    @discardableResult
    public func repair() async throws -> [MSALTokenStoreRepair] {
        try await work { (keyAccess) throws(StoreError) in try store.repair(keyAccess).map(MSALTokenStoreRepair.init) }
    }
}

/// The result of ``MSALTokenStore/rotateKey(to:)``. Linux only.
public struct MSALTokenStoreRotation: Sendable {
    /// The location of the key before the call; `nil` if there is no store.
    public let previousLocation: MSALTokenStoreKeyLocation?

    /// The store, with its current protection.
    public let store: MSALTokenStore
}

/// A repair of a token store, by the library itself or by ``MSALTokenStore/repair()``. Linux only.
public struct MSALTokenStoreRepair: Sendable, Hashable {
    /// The time at which the damage was found.
    public let time: Date

    /// The number of records that were kept.
    public let recordsKept: Int

    /// The number of records that could not be read; `nil` if unknown.
    public let recordsLost: Int?

    /// The folder with the previous store, an absolute path. It contains the tokens of that time.
    public let copy: String

    init(_ report: StoreRecoveryReport) {
        time = report.time
        recordsKept = report.rowsKept
        recordsLost = report.rowsLost
        copy = report.quarantine
    }
}
