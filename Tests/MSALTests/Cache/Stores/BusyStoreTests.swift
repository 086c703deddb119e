// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import SealedStore

/// A store that other processes have locked (docs/reference/Store.md#busy).
@Suite struct BusyStoreTests {
    private let store = SometimesBusyStore()

    @Test func `a lookup fails with an error that says to try again`() throws {
        let cache = TokenCache(store: store, clientID: Sample.client)
        try store.put(.accessToken(Sample.accessToken()))
        store.set(isBusy: true, alsoTheCounter: true)

        let error = try #require(throws: StoreError.self) {
            try cache.accessToken(for: Sample.query(), now: Sample.now, buffer: .seconds(300))
        }

        #expect(error.kind == .busy)
    }

    @Test func `a token that is due for renewal is returned from memory`() async throws {
        let bench = ClientBench(store: store)
        let now = bench.time.now
        guard case .accessToken(var token) = Contoso.accessToken(expiresIn: 3600, at: now) else { return }
        token.life.refreshOn = now.addingTimeInterval(1800)
        try bench.seed(.accessToken(token), Contoso.accountRecord)
        _ = try await bench.client.silent.acquire(Contoso.silent())
        bench.time.advance(by: .seconds(2000))

        store.set(isBusy: true, alsoTheCounter: false)

        let result = try await bench.client.silent.acquire(Contoso.silent())
        #expect(result.accessToken == Secret("secret-access-token"))
        #expect(result.source == .cacheAfterFailedRefresh)
    }

    // A change by the user in another process takes precedence over a response.
    @Test func `a silent call is served from memory until something changed`() async throws {
        let bench = ClientBench(store: store)
        try bench.seed(Contoso.accessToken(expiresIn: 3600, at: bench.time.now), Contoso.accountRecord)
        _ = try await bench.client.silent.acquire(Contoso.silent())

        store.set(isBusy: true, alsoTheCounter: false)
        let again = try await bench.client.silent.acquire(Contoso.silent())
        #expect(again.accessToken == Secret("secret-access-token"))

        store.set(isBusy: false, alsoTheCounter: false)
        try store.put(.account(Sample.account()))
        for alsoTheCounter in [false, true] {
            store.set(isBusy: true, alsoTheCounter: alsoTheCounter)
            let error = await #expect(throws: AuthError.self) {
                try await bench.client.silent.acquire(Contoso.silent())
            }
            guard case .store(let cause) = error?.kind else {
                Issue.record("The error does not name the store's failure.")
                return
            }
            #expect(cause.kind == .busy)
        }
        #expect(bench.service.tokenRequests.isEmpty)
    }

    @Test func `a reader that waited in vain tries once more, a writer does not`() throws {
        func attempts(evenIfBusy: Bool, failing count: Int) throws -> (made: Int, error: StoreError?) {
            try withTemporaryDirectory { directory in
                let store = encryptedStore(in: try location(in: directory))
                var made = 0
                do throws(StoreError) {
                    try store.rows.repeating(evenIfBusy: evenIfBusy) { () throws(StoreError) in
                        made += 1
                        if made <= count { throw StoreError(.busy, message: "The test holds the store.") }
                    }
                    return (made, nil)
                } catch {
                    return (made, error)
                }
            }
        }

        let patient = try attempts(evenIfBusy: true, failing: 1)
        let refused = try attempts(evenIfBusy: true, failing: 9)
        let writing = try attempts(evenIfBusy: false, failing: 1)

        #expect(patient.made == 2 && patient.error == nil)
        #expect(refused.made == 2 && refused.error?.kind == .busy)
        #expect(writing.made == 1 && writing.error?.kind == .busy)
    }

    @Test func `a sign-in state is never read from an older state of the store`() throws {
        let cache = TokenCache(store: store, clientID: Sample.client)
        _ = try cache.save(Sample.save())
        #expect(try cache.metadata(homeAccountID: Sample.alice)?.signInState == .signedIn)
        try TokenCache(store: store, clientID: Sample.client).signOut(homeAccountID: Sample.alice, wipeAccount: false)
        store.set(isBusy: true, alsoTheCounter: false)

        let error = try #require(throws: StoreError.self) { try cache.metadata(homeAccountID: Sample.alice) }

        #expect(error.kind == .busy)
    }
}

/// A store in memory that can be told to fail like one that other processes have locked.
private final class SometimesBusyStore: StoreDouble {
    let base = MemoryStore()
    private let busy = Mutex((store: false, counter: false))

    func set(isBusy: Bool, alsoTheCounter: Bool) {
        busy.withLock { $0 = (isBusy, isBusy && alsoTheCounter) }
    }

    func changeCounter() throws(StoreError) -> Int64 {
        if busy.withLock(\.counter) { throw StoreError(.busy, message: "The test holds the store.") }
        return try base.changeCounter()
    }

    func read<R: Sendable>(_ body: (any TokenStoreReading) throws(StoreError) -> R) throws(StoreError) -> R {
        if busy.withLock(\.store) { throw StoreError(.busy, message: "The test holds the store.") }
        return try base.read(body)
    }

    func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        if busy.withLock(\.store) { throw StoreError(.busy, message: "The test holds the store.") }
        return try base.write(durability, body: body)
    }
}
