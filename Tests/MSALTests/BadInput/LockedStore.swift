// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization

/// A store that can be read and, once locked, refuses every change.
final class LockedStore: TokenStore {
    private let base = MemoryStore()
    private let isLocked = Mutex(false)

    func lock() { isLocked.withLock { $0 = true } }

    var isPrepared: Bool { true }

    func prepare(_ patience: KeyPatience, for use: StoreUse) throws(StoreError) {}

    func statistics(now: Date) throws(StoreError) -> StoreStatistics { try base.statistics(now: now) }

    func changeCounter() throws(StoreError) -> Int64 { try base.changeCounter() }

    func read<R: Sendable>(_ body: (any TokenStoreReading) throws(StoreError) -> R) throws(StoreError) -> R {
        try base.read(body)
    }

    func write<R: Sendable>(
        _ durability: Durability,
        _ body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        guard !isLocked.withLock({ $0 }) else { throw StoreError(.full, "The disk is full.") }
        return try base.write(durability, body)
    }
}
