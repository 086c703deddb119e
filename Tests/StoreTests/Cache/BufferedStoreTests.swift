// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import SealedStore
import StoreWorker
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase

/// Stores that cannot be written (docs/reference/Store.md#read-only, #no-home, #disk-full).
@Suite struct BufferedStoreTests {
    private let base = RefusingStore()

    private func cache(_ store: any TokenStore) -> TokenCache {
        TokenCache(store: store, clientID: Numbered.clientID)
    }

    @Test(arguments: [StoreError.Kind.full, .unwritable, .unsupportedFilesystem])
    func `a response that cannot be written is kept, reported as such, and returned`(kind: StoreError.Kind) throws {
        let cache = cache(BufferedStore(over: base))
        _ = try cache.save(Numbered.save(account: 0, number: 1))
        base.refusal = kind

        #expect(try !cache.save(Numbered.save(account: 0, number: 2)))
        #expect(try cache.hit(0) == Numbered.accessToken(0, 2))
        #expect(try Numbered.numbers(of: 0, in: base).refreshToken == 1)
        #expect(try cache.accounts(environments: nil, onlySignedIn: true).count == 1)
    }

    @Test func `the first successful write includes everything that was kept`() throws {
        let buffered = BufferedStore(over: base)
        let cache = cache(buffered)
        base.refusal = .full
        for number in 1...5 { _ = try cache.save(Numbered.save(account: number % 2, number: number)) }
        #expect(buffered.waitingCount == 2)

        base.refusal = nil
        #expect(try cache.save(Numbered.save(account: 7, number: 7)))
        #expect(buffered.waitingCount == 0)
        #expect(try Numbered.numbers(of: 0, in: base).refreshToken == 4)
        #expect(try Numbered.numbers(of: 1, in: base).refreshToken == 5)
        #expect(try Numbered.numbers(of: 7, in: base).refreshToken == 7)
        #expect(try cache.hit(1) == Numbered.accessToken(1, 5))
    }

    @Test func `a kept refresh does not bring back an account that was removed meanwhile`() throws {
        let cache = cache(BufferedStore(over: base))
        _ = try cache.save(Numbered.save(account: 0, number: 1))
        let redeemed = try refreshToken(in: cache)
        base.refusal = .full
        _ = try cache.save(Numbered.save(account: 0, number: 2, redeemed: redeemed))
        base.refusal = nil
        try self.cache(base).signOut(homeAccountID: Numbered.homeAccountID(0), wipeAccount: true)

        _ = try cache.save(Numbered.save(account: 1, number: 1))
        #expect(try Numbered.numbers(of: 0, in: base).refreshToken == nil)
        #expect(try cache.hit(0) == nil)
    }

    @Test func `a refresh that is kept does not displace the sign-in it builds on`() throws {
        let buffered = BufferedStore(over: base)
        let cache = cache(buffered)
        base.refusal = .full
        _ = try cache.save(Numbered.save(account: 0, number: 1))
        for number in 2...3 {
            _ = try cache.save(Numbered.save(account: 0, number: number, redeemed: try refreshToken(in: cache)))
        }
        #expect(buffered.waitingCount == 2)

        base.refusal = nil
        #expect(try cache.save(Numbered.save(account: 1, number: 1)))
        #expect(try Numbered.numbers(of: 0, in: base).refreshToken == 3)
        #expect(try self.cache(base).accounts(environments: nil, onlySignedIn: true).count == 2)
    }

    @Test func `a response without a refresh token does not replace one that has it`() throws {
        let cache = cache(BufferedStore(over: base))
        base.refusal = .full
        _ = try cache.save(Numbered.save(account: 0, number: 1))
        _ = try cache.save(Numbered.save(account: 0, number: 2, hasRefreshToken: false))
        base.refusal = nil

        _ = try cache.save(Numbered.save(account: 1, number: 1))
        #expect(try Numbered.numbers(of: 0, in: base).refreshToken == 1)
        #expect(try cache.hit(0) == Numbered.accessToken(0, 2))
    }

    @Test(arguments: [StoreError.Kind.full, .busy], [true, false])
    func `a kept sign-in does not undo a later sign-out`(kind: StoreError.Kind, isKnown: Bool) throws {
        let buffered = BufferedStore(over: base)
        let cache = cache(buffered)
        if isKnown { _ = try cache.save(Numbered.save(account: 0, number: 1)) }
        base.refusal = kind
        _ = try cache.save(Numbered.save(account: 0, number: 2))
        #expect(try cache.hit(0) == Numbered.accessToken(0, 2))
        base.refusal = nil
        try self.cache(base).signOut(homeAccountID: Numbered.homeAccountID(0), wipeAccount: true)

        #expect(try cache.hit(0) == nil)
        #expect(buffered.waitingCount == 0)
        _ = try cache.save(Numbered.save(account: 1, number: 1))
        #expect(try Numbered.numbers(of: 0, in: base).refreshToken == nil)
    }

    @Test func `a kept sign-in does not undo a sign-out that resembles the previous one`() throws {
        let buffered = BufferedStore(over: base)
        let cache = cache(buffered)
        let other = self.cache(base)
        _ = try cache.save(Numbered.save(account: 0, number: 1))
        try cache.signOut(homeAccountID: Numbered.homeAccountID(0), wipeAccount: false)
        base.refusal = .full
        _ = try cache.save(Numbered.save(account: 0, number: 2))
        base.refusal = nil
        _ = try other.save(Numbered.save(account: 0, number: 3))
        try other.signOut(homeAccountID: Numbered.homeAccountID(0), wipeAccount: false)

        #expect(try cache.hit(0) == nil)
        #expect(buffered.waitingCount == 0)
        _ = try cache.save(Numbered.save(account: 1, number: 1))
        #expect(try Numbered.numbers(of: 0, in: base).refreshToken == nil)
    }

    @Test(arguments: [1, 2])
    func `a kept sign-in that replaces accounts does not undo the kept one after it`(others: Int) throws {
        let cache = cache(BufferedStore(over: base))
        _ = try cache.save(Numbered.save(account: 0, number: 1))
        base.refusal = .full
        for account in 1...others {
            var replacing = Numbered.save(account: account, number: 2)
            replacing.replacesAccounts = true
            _ = try cache.save(replacing)
        }
        _ = try cache.save(Numbered.save(account: 0, number: 3))
        base.refusal = nil

        _ = try cache.save(Numbered.save(account: 7, number: 1))
        #expect(try Numbered.numbers(of: 0, in: base).refreshToken == 3)
        #expect(try cache.hit(0) == Numbered.accessToken(0, 3))
    }

    @Test func `a sign-out is not undone by the write that comes next either`() throws {
        let cache = cache(BufferedStore(over: base))
        base.refusal = .full
        for number in 1...3 { _ = try cache.save(Numbered.save(account: number % 2, number: number)) }
        base.refusal = nil
        try self.cache(base).signOut(homeAccountID: Numbered.homeAccountID(0), wipeAccount: true)

        _ = try cache.save(Numbered.save(account: 7, number: 7))
        #expect(try Numbered.numbers(of: 0, in: base).refreshToken == nil)
        #expect(try Numbered.numbers(of: 1, in: base).refreshToken == 3)
    }

    @Test func `signing in again after a sign-out is kept like any other`() throws {
        let cache = cache(BufferedStore(over: base))
        _ = try cache.save(Numbered.save(account: 0, number: 1))
        try cache.signOut(homeAccountID: Numbered.homeAccountID(0), wipeAccount: false)
        base.refusal = .full
        _ = try cache.save(Numbered.save(account: 0, number: 2))
        base.refusal = nil

        _ = try cache.save(Numbered.save(account: 1, number: 1))
        #expect(try Numbered.numbers(of: 0, in: base).refreshToken == 2)
    }

    /// Another process's clock may show the same second, or an earlier one if it was set back.
    @Test(arguments: [60, 0, -60])
    func `a refresh token that was stored later replaces a kept sign-in`(difference: TimeInterval) throws {
        let cache = cache(BufferedStore(over: base))
        _ = try cache.save(Numbered.save(account: 0, number: 1))
        base.refusal = .full
        _ = try cache.save(Numbered.save(account: 0, number: 2))
        base.refusal = nil
        var later = Numbered.save(account: 0, number: 3)
        later.now += difference
        _ = try self.cache(base).save(later)

        _ = try cache.save(Numbered.save(account: 1, number: 1))
        #expect(try Numbered.numbers(of: 0, in: base).refreshToken == 3)
        #expect(try cache.hit(0) == Numbered.accessToken(0, 3))
    }

    @Test(arguments: [(60, 3), (0, 3), (-60, 2)])
    func `if the store could not be read, timestamps decide which token is newer`(
        difference: TimeInterval,
        number: Int
    ) throws {
        let cache = cache(BufferedStore(over: base))
        base.refusal = .unwritable
        base.refusesReading = true
        _ = try cache.save(Numbered.save(account: 0, number: 2))
        base.refusal = nil
        base.refusesReading = false
        var other = Numbered.save(account: 0, number: 3)
        other.now += difference
        _ = try self.cache(base).save(other)

        _ = try cache.save(Numbered.save(account: 1, number: 1))
        #expect(try Numbered.numbers(of: 0, in: base).refreshToken == number)
        #expect(try cache.hit(0) == Numbered.accessToken(0, number))
    }

    @Test func `a refresh that could not read the store remembers the token it used`() throws {
        let cache = cache(BufferedStore(over: base))
        _ = try cache.save(Numbered.save(account: 0, number: 1))
        let redeemed = try refreshToken(in: cache)
        base.refusal = .unwritable
        base.refusesReading = true
        _ = try cache.save(Numbered.save(account: 0, number: 2, redeemed: redeemed))
        base.refusal = nil
        base.refusesReading = false

        _ = try cache.save(Numbered.save(account: 1, number: 1))
        #expect(try Numbered.numbers(of: 0, in: base).refreshToken == 2)
    }

    @Test func `several kept responses of one account do not conflict`() throws {
        let cache = cache(BufferedStore(over: base))
        base.refusal = .full
        for number in 1...2 {
            var save = Numbered.save(account: 0, number: number)
            save.accessToken?.target = "Fake.Scope.\(number)"
            _ = try cache.save(save)
        }
        base.refusal = nil

        _ = try cache.save(Numbered.save(account: 1, number: 1))
        #expect(try Numbered.numbers(of: 0, in: base).refreshToken == 2)
    }

    @Test func `a family token that was stored later replaces a kept sign-in`() throws {
        let cache = cache(BufferedStore(over: base))
        base.refusal = .full
        var kept = Numbered.save(account: 0, number: 2)
        kept.familyID = "1"
        _ = try cache.save(kept)
        base.refusal = nil
        var later = Numbered.save(account: 0, number: 3)
        later.familyID = "1"
        _ = try TokenCache(store: base, clientID: "another-client").save(later)

        _ = try cache.save(Numbered.save(account: 1, number: 1))
        let family = try base.read { (reading) throws(StoreError) in
            try reading.refreshTokens(
                RecordFilter(.refreshToken, homeAccountID: Numbered.homeAccountID(0), familyID: "1")
            )
        }
        #expect(family.map(\.secret) == [Secret(Numbered.refreshToken(0, 3))])
    }

    private func refreshToken(in cache: TokenCache) throws -> RefreshTokenRecord {
        let tokens = try cache.refreshTokens(
            homeAccountID: Numbered.homeAccountID(0),
            environments: [Numbered.environment]
        )
        return try #require(tokens.app)
    }

    @Test func `an explicitly requested change reports its failure`() throws {
        let cache = cache(BufferedStore(over: base))
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
    func `an error that is not about the location is reported`(kind: StoreError.Kind) throws {
        let cache = cache(BufferedStore(over: base))
        base.refusal = kind

        let error = #expect(throws: StoreError.self) { try cache.save(Numbered.save(account: 0, number: 1)) }
        #expect(error?.kind == kind)
    }

    @Test func `the counter moves when something is kept and when it is written`() throws {
        let buffered = BufferedStore(over: base)
        let cache = cache(buffered)
        let empty = try buffered.changeCounter()
        base.refusal = .full
        _ = try cache.save(Numbered.save(account: 0, number: 1))
        let kept = try buffered.changeCounter()
        base.refusal = nil
        _ = try cache.save(Numbered.save(account: 0, number: 2))
        let written = try buffered.changeCounter()

        #expect(empty != kept)
        #expect(kept != written)
    }

    @Test func `a user without a home has a store in memory`() throws {
        let store = MemoryStore()
        #expect(try cache(store).save(Numbered.save(account: 0, number: 1)))
        #expect(try cache(store).hit(0) == Numbered.accessToken(0, 1))
    }
}

/// An in-memory store that rejects writes on demand.
private final class RefusingStore: StoreDouble {
    let base = MemoryStore()
    private let current = Mutex<StoreError.Kind?>(nil)
    private let isHidden = Mutex(false)

    var refusal: StoreError.Kind? {
        get { current.withLock(\.self) }
        set { current.withLock { $0 = newValue } }
    }

    /// Whether what refuses to be written cannot be read either.
    var refusesReading: Bool {
        get { isHidden.withLock(\.self) }
        set { isHidden.withLock { $0 = newValue } }
    }

    func changeCounter() throws(StoreError) -> Int64 {
        try checkReading()
        return try base.changeCounter()
    }

    func read<R: Sendable>(
        _ body: (any TokenStoreReading) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try checkReading()
        return try base.read(body)
    }

    private func checkReading() throws(StoreError) {
        if refusesReading, let refusal { throw StoreError(refusal, message: "The test refuses.") }
    }

    func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        if let refusal { throw StoreError(refusal, message: "The test refuses.") }
        return try base.write(durability, body: body)
    }
}
