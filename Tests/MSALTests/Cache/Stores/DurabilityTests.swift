// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import SealedStore

/// What has to survive a power failure (docs/reference/Store.md#durability), and that one response is saved in one
/// transaction (docs/reference/Store.md#one-response).
@Suite struct DurabilityTests {
    private let store = NotedStore()
    private var cache: TokenCache { TokenCache(store: store, clientID: Sample.client) }

    @Test(arguments: [nil, "1"])
    func `a response with a refresh token is one transaction that waits for the disk`(family: String?) throws {
        _ = try cache.save(Sample.save(family: family))

        #expect(store.writes == [.full])
    }

    @Test func `a response without a refresh token is one transaction that does not wait for the disk`() throws {
        _ = try cache.save(Sample.save(refreshToken: nil))

        #expect(store.writes == [.normal])
    }

    @Test(
        arguments: [
            { try $0.signOut(homeAccountID: Sample.alice, wipeAccount: false) },
            { try $0.signOut(homeAccountID: Sample.alice, wipeAccount: true) },
            { try $0.removeAccountOfDeletedUser(homeAccountID: Sample.alice) },
            { try $0.remove(Sample.refreshToken()) },
            { try $0.wipe() },
        ] as [@Sendable (TokenCache) throws -> Void]
    )
    func `deleted records do not come back after a power failure`(
        _ removal: @Sendable (TokenCache) throws -> Void
    ) throws {
        try removal(cache)

        #expect(store.writes == [.full])
    }

    @Test func `only a transaction that has to survive waits for the disk, even after one that failed`() throws {
        try withTemporaryDirectory { directory in
            let store = encryptedStore(in: try location(in: directory))
            func synchronous(_ durability: Durability) throws -> Int? {
                try store.rows.write(durability) { (transaction) throws(StoreError) -> Int? in
                    try transaction.run(.unreadable) {
                        try Int.fetchOne(transaction.db, sql: "PRAGMA synchronous")
                    }
                }
            }
            let (normal, full) = (1, 2)

            #expect(try synchronous(.normal) == normal)
            #expect(try synchronous(.full) == full)
            #expect(try synchronous(.normal) == normal)
            let failure = StoreError(.unwritable, message: "As the test says.")
            #expect(throws: StoreError.self) { try store.write(.full) { _ throws(StoreError) in throw failure } }
            #expect(try synchronous(.normal) == normal)
        }
    }
}

/// A store in memory that records the durability of each transaction.
private final class NotedStore: StoreDouble {
    let base = MemoryStore()
    private let noted = Mutex<[Durability]>([])

    var writes: [Durability] { noted.withLock(\.self) }

    func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        noted.withLock { $0.append(durability) }
        return try base.write(durability, body: body)
    }
}
