// Licensed under the MIT License. See LICENSE.

import Foundation
package import SealedStore
import Synchronization

/// A store that lives as long as the process. It serves tests, apps that ask for it, and users without a home
/// directory.
package final class MemoryStore: TokenStore {
    /// The largest number of records that a store keeps by default (docs/reference/Store.md#sweep).
    package static let defaultCap = 250_000

    /// Locked for the time of a transaction, reading ones included: a transaction changes the contents in place, because
    /// a copy would cost as much as there are accounts.
    private let contents = Mutex(MemoryContents())
    /// The number of commits. It changes while `contents` is locked, and is read without the lock: every silent request
    /// looks at it.
    private let commits = Atomic<Int64>(0)
    private let cap: Int

    /// `cap`: The number of records that may stay after a sweep. A negative number counts as zero.
    package init(cap: Int = MemoryStore.defaultCap) {
        self.cap = max(0, cap)
    }

    package var isPrepared: Bool { true }

    package func prepare(_ patience: KeyPatience, for use: StoreUse) throws(StoreError) {}

    package func changeCounter() throws(StoreError) -> Int64 { commits.load(ordering: .acquiring) }

    package func read<R: Sendable>(
        _ body: (any TokenStoreReading) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try contents.withLock { (contents) throws(StoreError) -> R in
            let transaction = MemoryTransaction(taking: &contents, cap: cap)
            defer { transaction.giveBack(to: &contents) }
            return try body(transaction)
        }
    }

    package func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try transact(body) { _ in }.result
    }

    /// The same as ``write(_:body:)``. Then `look` looks at the transaction, if the body succeeded.
    func transact<R: Sendable, Look: Sendable>(
        _ body: (any TokenStoreWriting) throws(StoreError) -> R,
        then look: (MemoryTransaction) -> Look
    ) throws(StoreError) -> (result: R, look: Look) {
        try contents.withLock { (contents) throws(StoreError) -> (result: R, look: Look) in
            let transaction = MemoryTransaction(taking: &contents, cap: cap)
            defer { transaction.giveBack(to: &contents) }
            let result: R
            do throws(StoreError) {
                result = try body(transaction)
            } catch {
                transaction.rollBack()
                throw error
            }
            if transaction.hasChanged { commits.add(1, ordering: .releasing) }
            return (result, look(transaction))
        }
    }
}
