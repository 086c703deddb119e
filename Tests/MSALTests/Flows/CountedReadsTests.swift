// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import SealedStore
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// The reads of a call do not depend on the number of accounts, and no call returns data that another process changed.
@Suite struct CountedReadsTests {
    private struct People {
        let store = CountingStore(MemoryStore())
        let bench: ClientBench

        init(_ count: Int) throws {
            bench = ClientBench(service: StandInService(), store: store)
            // `WorkCountTests` covers ID tokens as well.
            try bench.seed(Crowd.records(ofFirst: count).filter { $0.kind != .idToken })
            _ = store.takeWork()
        }

        /// Checks the counts for what `body` does.
        func expect(
            _ expected: [Int],
            location: SourceLocation = #_sourceLocation,
            body: () async throws -> Void
        ) async throws {
            let found = try await counted(body)
            #expect(found == expected, sourceLocation: location)
        }

        /// The number of transactions and records that `body` reads, and of its writes.
        func counted(_ body: () async throws -> Void) async throws -> [Int] {
            _ = store.takeWork()
            try await body()
            let work = store.takeWork()
            return [work.reads, work.records, work.writes]
        }
    }

    @Test(arguments: [10, 1000])
    func `one account is found without reading others, and the second time in memory`(count: Int) async throws {
        let people = try People(count)
        let client = people.bench.client

        try await people.expect([1, 2, 0]) {
            let found = try client.accounts.all(AccountFilter(homeAccountID: Crowd.id(7).uppercased()))
            #expect(found.count == 1)
        }
        try await people.expect([1, 3, 0]) {
            let found = try client.accounts.all(AccountFilter(username: "USER-5@contoso.example"))
            #expect(found.count == 1)
        }
        for number in [7, 5] {
            try await people.expect([0, 0, 0]) {
                let found = try client.accounts.all(AccountFilter(homeAccountID: Crowd.id(number)))
                #expect(found.first?.username == Crowd.username(number))
            }
        }
        try await people.expect([0, 0, 0]) {
            let found = try client.accounts.all(AccountFilter(username: Crowd.username(5)))
            #expect(found.count == 1)
        }
        let ambiguous = try await people.counted {
            #expect(throws: AuthError.self) { try client.accounts.current() }
        }
        #expect(ambiguous[1] <= 8 + 2 * 2 + 1)
        #expect(ambiguous[2] == 0)
    }

    @Test(arguments: [10, 1000])
    func `the list of accounts is read once until something changes`(count: Int) async throws {
        let people = try People(count)
        let client = people.bench.client

        try await people.expect([1, 2 * count, 0]) {
            let all = try client.accounts.all()
            #expect(all.count == count)
        }
        try await people.expect([0, 0, 0]) {
            let all = try client.accounts.all()
            #expect(all.count == count)
        }
        try client.signOut.remove(AccountReference(homeAccountID: Crowd.id(3), username: nil))
        #expect(try client.accounts.all().count == count - 1)
    }

    @Test(arguments: [10, 1000])
    func `after a change of one account the others need only a lookup of their versions`(count: Int) async throws {
        let people = try People(count)
        let client = people.bench.client
        for number in [1, 2] { _ = try await client.silent.acquire(Crowd.request(number)) }

        try people.bench.seed(Crowd.records(1, at: people.bench.time.now, secret: "new"))

        try await people.expect([1, 0, 0]) {
            let token = try await client.silent.acquire(Crowd.request(2))
            #expect(token.accessToken.exposed == Crowd.accessToken(of: 2))
        }
        try await people.expect([0, 0, 0]) {
            let token = try await client.silent.acquire(Crowd.request(2))
            #expect(token.accessToken.exposed == Crowd.accessToken(of: 2))
        }
        #expect(
            try await client.silent.acquire(Crowd.request(1)).accessToken.exposed
                == Crowd.accessToken(of: 1, named: "new")
        )
    }

    @Test func `a token that another process replaced, removed or wiped is never returned`() async throws {
        let people = try People(3)
        let client = people.bench.client
        let other = TokenCache(store: people.store, clientID: Contoso.clientID)
        for number in 0..<3 { _ = try await client.silent.acquire(Crowd.request(number)) }

        try other.signOut(homeAccountID: Crowd.id(0), wipeAccount: false)
        await #expect(throws: AuthError.self) { try await client.silent.acquire(Crowd.request(0)) }
        #expect(try client.accounts.all(AccountFilter(homeAccountID: Crowd.id(0))).isEmpty)
        #expect(try await client.silent.acquire(Crowd.request(1)).source == .cache)

        try other.wipe()
        for number in 0..<3 {
            await #expect(throws: AuthError.self) { try await client.silent.acquire(Crowd.request(number)) }
            #expect(try client.accounts.all(AccountFilter(username: Crowd.username(number))).isEmpty)
        }
        #expect(try client.accounts.all().isEmpty)
    }

    @Test(arguments: [10, 1000])
    func `a refresh takes one read transaction and two write transactions`(count: Int) async throws {
        let people = try People(count)
        let client = people.bench.client
        people.bench.service.setLast(.reply(.json(.object(Contoso.tokens(idToken: nil, ["client_info": .null])))))
        people.bench.time.advance(by: .seconds(8000))

        let counts = try await people.counted { _ = try await client.silent.acquire(Crowd.request(4)) }

        #expect(counts[0] == 1)
        #expect(counts[2] == 2)
        #expect(counts[1] < 40)
    }
}
