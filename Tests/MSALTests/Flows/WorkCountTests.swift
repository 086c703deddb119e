// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import SealedStore
import TestSupport
import Testing

@testable import MSALCore
@testable import MSALSupport

/// Each operation asks the store for as much with a thousand accounts as with ten. Work is counted, not time: a busy
/// machine changes nothing.
struct WorkCountTests {
    /// What an app does with one of its accounts.
    enum Operation: String, CaseIterable, CustomTestStringConvertible {
        case firstAsk, hit, hitAfterOwnCommit, refresh, refreshAgain

        var testDescription: String { rawValue }

        /// The number of records that it may open at most.
        var mostRecords: Int {
            switch self {
            case .hit: 0
            case .firstAsk, .hitAfterOwnCommit: 8
            case .refresh, .refreshAgain: 24
            }
        }

        /// The number of writing transactions that it may need.
        var mostWrites: Int {
            switch self {
            case .firstAsk, .hit, .hitAfterOwnCommit: 0
            case .refresh, .refreshAgain: 3
            }
        }
    }

    @Test(arguments: Operation.allCases, Place.allCases)
    func `an operation does the same work for ten accounts and for a thousand`(
        operation: Operation,
        place: Place
    ) async throws {
        let few = try await work(of: operation, place, accounts: 10)
        let many = try await work(of: operation, place, accounts: 1000)

        #expect(many == few)
        #expect(few.records <= operation.mostRecords)
        #expect(few.writes <= operation.mostWrites)
    }

    @Test(arguments: Place.allCases)
    func `all accounts cost each account the same`(place: Place) async throws {
        func records(_ accounts: Int) async throws -> Int {
            try await withBench(place, accounts: accounts) { bench, store in
                let found = try bench.client.accounts()
                #expect(found.count == accounts)
                return store.takeWork().records
            }
        }
        let few = try await records(10)
        let many = try await records(100)

        #expect(many <= 10 * few)
    }

    private func work(of operation: Operation, _ place: Place, accounts: Int) async throws -> StoreWork {
        try await withBench(place, accounts: accounts) { bench, store in
            let number = accounts / 2
            switch operation {
            case .firstAsk:
                _ = try await bench.client.acquireSilently(Crowd.request(number))
            case .hit:
                _ = try await bench.client.acquireSilently(Crowd.request(number))
                _ = store.takeWork()
                _ = try await bench.client.acquireSilently(Crowd.request(number))
            case .hitAfterOwnCommit:
                _ = try await bench.client.acquireSilently(Crowd.request(number))
                _ = try await bench.client.acquireSilently(Crowd.request(number, forceRefresh: true))
                _ = store.takeWork()
                _ = try await bench.client.acquireSilently(Crowd.request(number))
            case .refresh:
                _ = try await bench.client.acquireSilently(Crowd.request(number, forceRefresh: true))
            case .refreshAgain:
                _ = try await bench.client.acquireSilently(Crowd.request(number, forceRefresh: true))
                _ = store.takeWork()
                _ = try await bench.client.acquireSilently(Crowd.request(number, forceRefresh: true))
            }
            return store.takeWork()
        }
    }

    /// Where the records are.
    enum Place: String, CaseIterable, CustomTestStringConvertible {
        case memory, sqlite

        var testDescription: String { rawValue }
    }

    /// Runs `body` with a client whose store has so many accounts. Nothing of it is counted or remembered yet.
    private func withBench<R>(
        _ place: Place,
        accounts: Int,
        _ body: (ClientBench, CountingStore) async throws -> R
    ) async throws -> R {
        try await withTemporaryDirectory { directory in
            let base: any TokenStore =
                switch place {
                case .memory: MemoryStore()
                case .sqlite: SQLiteStore(location: try location(in: directory), keys: SingleKeySource(HeldKeys()))
                }
            let store = CountingStore(base)
            let bench = ClientBench(store: store)
            try bench.seed((0..<accounts).flatMap { Crowd.records($0, at: bench.time.now) })
            bench.service.setLast(.made { Crowd.response(to: $0) })
            _ = store.takeWork()
            return try await body(bench, store)
        }
    }
}

/// Many people of one tenant.
private enum Crowd {
    static func id(_ number: Int) -> String { "user-\(number).\(Contoso.tenant)" }
    static func username(_ number: Int) -> String { "user-\(number)@contoso.example" }

    static func request(_ number: Int, forceRefresh: Bool = false) -> SilentRequest {
        var request = Contoso.silent(forceRefresh: forceRefresh)
        request.account = AccountReference(
            homeAccountID: id(number),
            username: username(number),
            environment: Contoso.environment
        )
        return request
    }

    static func records(_ number: Int, at now: Date) -> [CacheRecord] {
        [
            accessToken(number, at: now),
            .refreshToken(
                RefreshTokenRecord(
                    homeAccountID: id(number),
                    environment: Contoso.environment,
                    clientID: Contoso.clientID,
                    secret: Secret("fake-rt-\(number)")
                )
            ),
            .idToken(
                IDTokenRecord(
                    homeAccountID: id(number),
                    environment: Contoso.environment,
                    clientID: Contoso.clientID,
                    realm: Contoso.tenant,
                    secret: Secret(idToken(number, at: now))
                )
            ),
            .account(
                AccountRecord(
                    homeAccountID: id(number),
                    environment: Contoso.environment,
                    realm: Contoso.tenant,
                    localAccountID: "user-\(number)",
                    username: username(number)
                )
            ),
        ]
    }

    private static func accessToken(_ number: Int, at now: Date) -> CacheRecord {
        .accessToken(
            AccessTokenRecord(
                homeAccountID: id(number),
                environment: Contoso.environment,
                clientID: Contoso.clientID,
                realm: Contoso.tenant,
                target: "user.read",
                secret: Secret("fake-at-\(number)"),
                cachedAt: now.addingTimeInterval(-600),
                expiresOn: now.addingTimeInterval(7200)
            )
        )
    }

    /// New tokens for the account whose refresh token was sent.
    static func response(to message: HTTPMessage) -> HTTPResponse {
        let form = String(decoding: message.body ?? Data(), as: UTF8.self)
        let token = form.split(separator: "&").first { $0.hasPrefix("refresh_token=") } ?? ""
        let number = token.split(separator: "-").last.flatMap { Int($0) } ?? 0
        let clientInfo = #"{"uid":"user-\#(number)","utid":"\#(Contoso.tenant)"}"#
        return .json(
            .object(
                Contoso.tokens(
                    idToken: idToken(number, at: ManualTime(skipsSleeps: true).now),
                    [
                        "access_token": .string("fake-at-new-\(number)"), "refresh_token": .string("fake-rt-\(number)"),
                        "client_info": .string(Base64URL.encode(Array(clientInfo.utf8))),
                    ]
                )
            )
        )
    }

    private static func idToken(_ number: Int, at now: Date) -> String {
        var claims = Contoso.claims(at: now)
        claims["sub"] = .string("subject-\(number)")
        claims["oid"] = .string("user-\(number)")
        claims["preferred_username"] = .string(username(number))
        return Contoso.idToken(claims)
    }
}
