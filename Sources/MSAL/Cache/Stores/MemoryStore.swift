// Licensed under the MIT License. See LICENSE.

import Foundation
package import SealedStore
import Synchronization

/// A store in memory that lasts as long as the process, for tests, apps that request it, and users without a home
/// directory.
package final class MemoryStore: TokenStore {
    /// The default maximum number of records (docs/reference/Store.md#sweep).
    package static let defaultCap = 250_000

    /// Locked during a transaction, even for reading: a transaction changes the contents in place because the cost of a
    /// copy would grow with the number of accounts.
    private let contents = Mutex(MemoryContents())
    /// The number of commits. It changes while `contents` is locked, and is read without the lock by every silent
    /// request.
    private let commits = Atomic<Int64>(0)
    private let cap: Int

    /// `cap`: The maximum number of records after a sweep. A negative number counts as zero.
    package init(cap: Int = MemoryStore.defaultCap) { self.cap = max(0, cap) }

    package var isPrepared: Bool { true }

    package func prepare(_ keyAccess: KeyAccessOptions, for use: StoreUse) throws(StoreError) {}

    package func changeCounter() throws(StoreError) -> Int64 { commits.load(ordering: .acquiring) }

    package func read<R: Sendable>(_ body: (any TokenStoreReading) throws(StoreError) -> R) throws(StoreError) -> R {
        try contents.withLock { (contents) throws(StoreError) -> R in
            let transaction = MemoryTransaction(taking: &contents, cap: cap)
            defer { transaction.restore(to: &contents) }
            return try body(transaction)
        }
    }

    package func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try transact(body) { _ in }.result
    }

    /// The same as ``write(_:body:)``. If the body succeeds, `look` then reads the transaction.
    func transact<R: Sendable, ReadResult: Sendable>(
        _ body: (any TokenStoreWriting) throws(StoreError) -> R,
        then look: (MemoryTransaction) -> ReadResult
    ) throws(StoreError) -> (result: R, look: ReadResult) {
        try contents.withLock { (contents) throws(StoreError) -> (result: R, look: ReadResult) in
            let transaction = MemoryTransaction(taking: &contents, cap: cap)
            defer { transaction.restore(to: &contents) }
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
