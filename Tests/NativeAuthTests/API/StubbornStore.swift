// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import SealedStore
import Synchronization
import TestSupport

/// An in-memory store that can be made to fail.
final class StubbornStore: StoreDouble {
    let base = MemoryStore()
    private let refusals = Mutex((reading: false, writing: false))

    func refuse(reading: Bool = false, writing: Bool = false) {
        refusals.withLock { $0 = (reading, writing) }
    }

    func read<R: Sendable>(_ body: (any TokenStoreReading) throws(StoreError) -> R) throws(StoreError) -> R {
        if refusals.withLock(\.reading) { throw StoreError(.unreadable, message: "The disk is broken.") }
        return try base.read(body)
    }

    func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        if refusals.withLock(\.writing) { throw StoreError(.full, message: "The disk is full.") }
        return try base.write(durability, body: body)
    }
}
