// Licensed under the MIT License. See LICENSE.

import Foundation
import StoreWorker
import Synchronization
import Testing

@testable import MSAL

/// R33 to R35.
@Suite struct OverlayStoreTests {
    private let base = RefusingStore()

    private func cache(_ store: any TokenStore) -> TokenCache {
        TokenCache(store: store, clientID: Numbered.clientID)
    }

    @Test(arguments: [StoreError.Kind.full, .unwritable, .unsupportedFilesystem])
    func `a response that cannot be written is kept, said to be so, and served`(kind: StoreError.Kind) throws {
        let cache = cache(OverlayStore(over: base))
        _ = try cache.save(Numbered.save(account: 0, number: 1))
        base.refusal = kind

        #expect(try !cache.save(Numbered.save(account: 0, number: 2)).isPersisted)
        #expect(try cache.hit(0) == Numbered.accessToken(0, 2))
        #expect(try Numbered.numbers(of: 0, in: base).refreshToken == 1)
        #expect(try cache.accounts(environments: nil, onlySignedIn: true).count == 1)
    }

    @Test func `the first write that succeeds takes everything along`() throws {
        let overlay = OverlayStore(over: base)
        let cache = cache(overlay)
        base.refusal = .full
        for number in 1...5 { _ = try cache.save(Numbered.save(account: number % 2, number: number)) }
        #expect(overlay.keptCount == 2)

        base.refusal = nil
        #expect(try cache.save(Numbered.save(account: 7, number: 7)).isPersisted)
        #expect(overlay.keptCount == 0)
        #expect(try Numbered.numbers(of: 0, in: base).refreshToken == 4)
        #expect(try Numbered.numbers(of: 1, in: base).refreshToken == 5)
        #expect(try Numbered.numbers(of: 7, in: base).refreshToken == 7)
        #expect(try cache.hit(1) == Numbered.accessToken(1, 5))
    }

    @Test func `a kept refresh does not bring back an account that was removed meanwhile`() throws {
        let cache = cache(OverlayStore(over: base))
        _ = try cache.save(Numbered.save(account: 0, number: 1))
        let redeemed = try #require(
            try cache.refreshTokens(
                homeAccountID: Numbered.homeAccountID(0),
                environments: [Numbered.environment]
            ).app
        )
        base.refusal = .full
        _ = try cache.save(Numbered.save(account: 0, number: 2, redeemed: redeemed))
        base.refusal = nil
        try self.cache(base).signOut(homeAccountID: Numbered.homeAccountID(0), wipeAccount: true)

        _ = try cache.save(Numbered.save(account: 1, number: 1))
        #expect(try Numbered.numbers(of: 0, in: base).refreshToken == nil)
        #expect(try cache.hit(0) == nil)
    }

    @Test func `what the user asked for by name fails loudly`() throws {
        let cache = cache(OverlayStore(over: base))
        _ = try cache.save(Numbered.save(account: 0, number: 1))
        base.refusal = .full

        let signOut = #expect(throws: StoreError.self) {
            try cache.signOut(homeAccountID: Numbered.homeAccountID(0), wipeAccount: false)
        }
        #expect(signOut?.kind == .full)
        #expect(throws: StoreError.self) { try cache.wipe() }
        #expect(try cache.hit(0) == Numbered.accessToken(0, 1))
    }

    @Test(arguments: [StoreError.Kind.keyUnavailable, .tooNew, .insecure, .foreign])
    func `what is not a matter of the place is not hidden`(kind: StoreError.Kind) throws {
        let cache = cache(OverlayStore(over: base))
        base.refusal = kind

        let error = #expect(throws: StoreError.self) { try cache.save(Numbered.save(account: 0, number: 1)) }
        #expect(error?.kind == kind)
    }

    @Test func `the counter moves when something is kept and when it is written`() throws {
        let overlay = OverlayStore(over: base)
        let cache = cache(overlay)
        let empty = try overlay.changeCounter()
        base.refusal = .full
        _ = try cache.save(Numbered.save(account: 0, number: 1))
        let kept = try overlay.changeCounter()
        base.refusal = nil
        _ = try cache.save(Numbered.save(account: 0, number: 2))
        let written = try overlay.changeCounter()

        #expect(empty != kept)
        #expect(kept != written)
    }

    @Test func `a user without a home has a store in memory`() throws {
        let store = MemoryStore()
        #expect(try cache(store).save(Numbered.save(account: 0, number: 1)).isPersisted)
        #expect(try cache(store).hit(0) == Numbered.accessToken(0, 1))
    }
}

/// A store in memory that refuses to be written, on demand.
private final class RefusingStore: TokenStore {
    private let base = MemoryStore()
    private let current = Mutex<StoreError.Kind?>(nil)

    var refusal: StoreError.Kind? {
        get { current.withLock(\.self) }
        set { current.withLock { $0 = newValue } }
    }

    var isPrepared: Bool { true }

    func prepare(_ patience: KeyPatience, for use: StoreUse) throws(StoreError) {}

    func changeCounter() throws(StoreError) -> Int64 { try base.changeCounter() }

    func read<R: Sendable>(
        _ body: (any TokenStoreReading) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try base.read(body)
    }

    func write<R: Sendable>(
        _ durability: Durability,
        _ body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        if let refusal { throw StoreError(refusal, "The test refuses.") }
        return try base.write(durability, body)
    }

    func statistics(now: Date) throws(StoreError) -> StoreStatistics { try base.statistics(now: now) }
}
