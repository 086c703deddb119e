// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import SealedStore
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// Only one process at a time redeems a refresh token (docs/reference/Store.md#leases).
struct RefreshLeaseTests {
    private static func tokens(_ name: String) -> StandInService.Response {
        .reply(.json(.object(Contoso.tokens(idToken: nil, ["access_token": .string(name)]))))
    }

    private func seed(_ store: any TokenStore, at now: Date) throws {
        try store.write(.normal) { (transaction) throws(StoreError) in
            for record in [
                Contoso.refreshToken(), Contoso.accountRecord, Contoso.accessToken(expiresIn: -10, at: now),
            ] { try transaction.save(record) }
        }
    }

    /// Another process's lease of the token that ``seed(_:at:)`` stores.
    @discardableResult private func takeLease(_ store: any TokenStore, at now: Date) throws -> RefreshLease {
        guard case .refreshToken(let token) = Contoso.refreshToken() else {
            throw StoreError(.unreadable, message: "The sample is not a refresh token.")
        }
        let outcome = try TokenCache(store: store, clientID: Contoso.clientID)
            .takeLease(LeaseRequest(token: token, holder: "somebody"), now: now)
        guard case .taken(let lease) = outcome else { throw StoreError(.busy, message: "The lease was not free.") }
        return lease
    }

    @Test func `twenty programs with one expired token send one request`() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let storeLocation = try location(in: directory.url)
        let (time, gate) = (ManualTime(), ManualTime())
        let service = StandInService(
            .made { _ throws(TransportError) in
                do {
                    try await gate.sleep(for: .seconds(1))
                } catch {
                    throw TransportError(.canceled, message: "The request was canceled.")
                }
                return .json(.object(Contoso.tokens(idToken: nil, ["access_token": .string("token-1")])))
            }
        )
        let benches = (0..<20).map { _ in
            ClientBench(service: service, time: time, store: encryptedStore(in: storeLocation))
        }
        try seed(encryptedStore(in: storeLocation), at: time.now)

        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for bench in benches {
                group.addTask { try await bench.client.silent.acquire(Contoso.silent()).accessToken.exposed }
            }
            await gate.untilSomebodySleeps()
            gate.advance(by: .seconds(1))
            var tokens = [try await group.next() ?? ""]
            // The response is stored; programs that wait for it check again as time advances.
            let clock = Task {
                while !Task.isCancelled {
                    time.advance(by: LeaseWait.step)
                    await Task.yield()
                }
            }
            defer { clock.cancel() }
            for try await token in group { tokens.append(token) }
            return tokens
        }

        #expect(tokens == Array(repeating: "token-1", count: 20))
        #expect(service.tokenRequests.count == 1)
    }

    @Test func `a lease holder that is silent for ten seconds is ignored`() async throws {
        let bench = ClientBench(service: StandInService(Self.tokens("token-1")))
        let start = bench.time.now
        try seed(bench.store, at: start)
        try takeLease(bench.store, at: start)

        let result = try await bench.client.silent.acquire(Contoso.silent())

        #expect(result.accessToken.exposed == "token-1")
        #expect(bench.time.sleeps.reduce(.zero, +) == .seconds(10))
    }

    @Test func `a token that was signed out while its lease was awaited is not sent`() async throws {
        let bench = ClientBench(service: StandInService(Self.tokens("token-1")), time: ManualTime())
        try seed(bench.store, at: bench.time.now)
        let lease = try takeLease(bench.store, at: bench.time.now)

        let call = Task { try await bench.client.silent.acquire(Contoso.silent()) }
        await bench.time.untilSomebodySleeps()
        let other = TokenCache(store: bench.store, clientID: Contoso.clientID)
        try other.signOut(homeAccountID: Contoso.homeAccountID, wipeAccount: false)
        try other.release(lease)
        bench.time.advance(by: LeaseWait.step)

        let error = await #expect(throws: AuthError.self) { try await call.value }
        guard case .interactionRequired = error?.kind else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(bench.service.tokenRequests.isEmpty)
    }

    @Test func `a change right after the lease is not undone by the response`() async throws {
        let store = OvertakenStore()
        let bench = ClientBench(service: StandInService(Self.tokens("token-1")), store: store)
        try seed(store, at: bench.time.now)
        store.afterNextWrite(save: Contoso.accountRecord(named: "renamed@contoso.example"))

        _ = try await bench.client.silent.acquire(Contoso.silent())

        let names = try bench.records().compactMap {
            if case .account(let account) = $0 { account.username } else { nil }
        }
        #expect(names == ["renamed@contoso.example"])
    }

    @Test func `an account that another process signed out leaves nothing in memory`() async throws {
        let bench = ClientBench()
        try bench.seed(
            Contoso.refreshToken(),
            Contoso.accountRecord,
            Contoso.accessToken(expiresIn: 3600, at: bench.time.now)
        )
        _ = try await bench.client.silent.acquire(Contoso.silent())
        #expect(bench.client.memory.cost > 0)

        try TokenCache(store: bench.store, clientID: Contoso.clientID)
            .signOut(homeAccountID: Contoso.homeAccountID, wipeAccount: false)
        await #expect(throws: AuthError.self) { try await bench.client.silent.acquire(Contoso.silent()) }

        #expect(bench.client.memory.cost == 0)
    }

    @Test(arguments: [(29, Duration.seconds(10)), (30, .zero)])
    func `a lease is valid for thirty seconds`(_ age: Int, _ wait: Duration) async throws {
        let bench = ClientBench(service: StandInService(Self.tokens("token-1")))
        try seed(bench.store, at: bench.time.now)
        try takeLease(bench.store, at: bench.time.now)
        bench.time.advance(by: .seconds(age))

        _ = try await bench.client.silent.acquire(Contoso.silent())

        #expect(bench.time.sleeps.reduce(.zero, +) == wait)
    }

    @Test func `a lease from a clock far ahead is ignored`() async throws {
        let bench = ClientBench(service: StandInService(Self.tokens("token-1")))
        try seed(bench.store, at: bench.time.now)
        try takeLease(bench.store, at: bench.time.now + 3600)

        _ = try await bench.client.silent.acquire(Contoso.silent())

        #expect(bench.time.sleeps.isEmpty)
    }

    @Test func `a lease is released after a response and after an error`() async throws {
        let refusal = JSONValue.object(["error": .string("invalid_grant")])
        let bench = ClientBench(
            service: StandInService(.reply(.json(refusal, status: 400)), Self.tokens("token-1"), Self.tokens("token-2"))
        )
        try seed(bench.store, at: bench.time.now)

        await #expect(throws: AuthError.self) { try await bench.client.silent.acquire(Contoso.silent()) }
        bench.time.advance(by: .seconds(1000))
        for _ in 0..<2 { _ = try await bench.client.silent.acquire(Contoso.silent(forceRefresh: true)) }

        #expect(bench.service.tokenRequests.count == 3)
        #expect(bench.time.sleeps.isEmpty)
    }
}

/// A store in which another process saves a record right after this one.
private final class OvertakenStore: StoreDouble {
    let base = MemoryStore()
    private let next = Mutex<CacheRecord?>(nil)

    func afterNextWrite(save record: CacheRecord) { next.withLock { $0 = record } }

    func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let result = try base.write(durability, body: body)
        let record = next.withLock { record in
            defer { record = nil }
            return record
        }
        if let record { try base.write(.normal) { (store) throws(StoreError) in try store.save(record) } }
        return result
    }
}
