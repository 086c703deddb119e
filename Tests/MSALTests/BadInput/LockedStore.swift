// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import SealedStore
import Synchronization
import TestSupport

/// A store that can be read but rejects every change once it is locked.
final class LockedStore: StoreDouble {
    let base = MemoryStore()
    private let isLocked = Mutex(false)

    func lock() { isLocked.withLock { $0 = true } }

    func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        guard !isLocked.withLock({ $0 }) else { throw StoreError(.full, message: "The disk is full.") }
        return try base.write(durability, body: body)
    }
}
