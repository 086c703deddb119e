// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization

/// A store in memory that can be made to refuse what it is asked for.
final class StubbornStore: TokenStore {
    private let base = MemoryStore()
    private let refusals = Mutex((reading: false, writing: false))

    func refuse(reading: Bool = false, writing: Bool = false) {
        refusals.withLock { $0 = (reading, writing) }
    }

    var isPrepared: Bool { true }

    func prepare(_ patience: KeyPatience, for use: StoreUse) throws(StoreError) {}

    func statistics(now: Date) throws(StoreError) -> StoreStatistics { try base.statistics(now: now) }

    func changeCounter() throws(StoreError) -> Int64 { try base.changeCounter() }

    func read<R: Sendable>(_ body: (any TokenStoreReading) throws(StoreError) -> R) throws(StoreError) -> R {
        if refusals.withLock(\.reading) { throw StoreError(.unreadable, "The disk is broken.") }
        return try base.read(body)
    }

    func write<R: Sendable>(
        _ durability: Durability,
        _ body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        if refusals.withLock(\.writing) { throw StoreError(.full, "The disk is full.") }
        return try base.write(durability, body)
    }
}
