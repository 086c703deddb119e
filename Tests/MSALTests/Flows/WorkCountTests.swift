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

/// Each operation does as much work in the store with a thousand accounts as with ten. Work is counted rather than
/// timed, so a busy machine does not affect the result.
struct WorkCountTests {
    /// What an app does with one of its accounts.
    enum Operation: String, CaseIterable, CustomTestStringConvertible {
        case accountByIdentifier, accountByName, accountByNameAgain
        case firstAsk, hit, hitAfterOtherCommit, hitAfterOwnCommit, refresh, refreshAgain

        var testDescription: String { rawValue }

        /// The maximum number of records that it may read, whether or not they match.
        var mostRecords: Int {
            switch self {
            case .accountByNameAgain, .hit, .hitAfterOtherCommit: 0
            case .accountByIdentifier, .accountByName, .firstAsk, .hitAfterOwnCommit: 8
            case .refresh, .refreshAgain: 24
            }
        }

        /// The number of write transactions that it may need.
        var mostWrites: Int {
            switch self {
            case .accountByIdentifier, .accountByName, .accountByNameAgain, .firstAsk, .hit, .hitAfterOtherCommit,
                .hitAfterOwnCommit:
                0
            case .refresh, .refreshAgain: 3
            }
        }
    }

    @Test(arguments: Operation.allCases, Kind.allCases)
    func `an operation does the same work for ten accounts and for a thousand`(
        operation: Operation,
        kind: Kind
    ) async throws {
        let few = try await work(of: operation, kind, accounts: 10)
        let many = try await work(of: operation, kind, accounts: 1000)

        #expect(many == few)
        #expect(few.records <= operation.mostRecords)
        #expect(few.opened <= operation.mostRecords)
        #expect(few.writes <= operation.mostWrites)
    }

    @Test(arguments: Kind.allCases)
    func `a repeated refresh saves its three tokens, and no unchanged record`(kind: Kind) async throws {
        #expect(try await work(of: .refreshAgain, kind, accounts: 10).changes == 3)
    }

    @Test(arguments: Kind.allCases)
    func `the cost of listing all accounts is the same for each account`(kind: Kind) async throws {
        func work(_ accounts: Int) async throws -> StoreWork {
            try await withBench(kind, accounts: accounts) { bench, store in
                let all = try bench.client.accounts.all()
                #expect(all.count == accounts)
                return store.takeWork()
            }
        }
        let few = try await work(10)
        let many = try await work(100)

        #expect(many.records <= 10 * few.records)
        #expect(many.opened <= 10 * few.opened)
    }

    private func work(of operation: Operation, _ kind: Kind, accounts: Int) async throws -> StoreWork {
        try await withBench(kind, accounts: accounts) { bench, store in
            let number = accounts / 2
            func token(forceRefresh: Bool = false) async throws -> String {
                try await bench.client.silent.acquire(Crowd.request(number, forceRefresh: forceRefresh))
                    .accessToken.exposed
            }
            func names(_ filter: AccountFilter) throws -> [String?] {
                try bench.client.accounts.all(filter).map(\.username)
            }
            let (name, first) = (Crowd.username(number), Crowd.accessToken(of: number))
            let new = Crowd.accessToken(of: number, named: "new")
            switch operation {
            case .accountByIdentifier:
                #expect(try names(AccountFilter(homeAccountID: Crowd.id(number))) == [name])
            case .accountByName:
                #expect(try names(AccountFilter(username: name)) == [name])
            case .accountByNameAgain:
                _ = try names(AccountFilter(username: name))
                _ = store.takeWork()
                #expect(try names(AccountFilter(username: name)) == [name])
            case .firstAsk:
                #expect(try await token() == first)
            case .hit:
                _ = try await token()
                _ = store.takeWork()
                #expect(try await token() == first)
            case .hitAfterOtherCommit:
                _ = try await token()
                try bench.seed(Crowd.accessToken(of: number + 1, named: "another", at: bench.time.now))
                _ = store.takeWork()
                #expect(try await token() == first)
            case .hitAfterOwnCommit:
                _ = try await token()
                _ = try await token(forceRefresh: true)
                _ = store.takeWork()
                #expect(try await token() == new)
            case .refresh:
                #expect(try await token(forceRefresh: true) == new)
            case .refreshAgain:
                _ = try await token(forceRefresh: true)
                _ = store.takeWork()
                #expect(try await token(forceRefresh: true) == new)
            }
            return store.takeWork()
        }
    }

    /// Where the records are stored.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case memory, sqlite

        var testDescription: String { rawValue }
    }

    /// Runs `body` with a client whose store has this many accounts. Nothing has been counted or cached yet.
    private func withBench<R>(
        _ kind: Kind,
        accounts: Int,
        _ body: (ClientBench, CountingStore) async throws -> R
    ) async throws -> R {
        try await withTemporaryDirectory { directory in
            let base: any TokenStore =
                switch kind {
                case .memory: MemoryStore()
                case .sqlite: try CrowdedStore.copy(accounts: accounts, to: directory)
                }
            let store = CountingStore(base)
            let bench = ClientBench(store: store)
            if kind == .memory { try bench.seed(Crowd.records(ofFirst: accounts)) }
            // Opens a store on disk.
            try store.read { _ throws(StoreError) in }
            bench.service.setLast(.made { Crowd.response(to: $0) })
            _ = store.takeWork()
            return try await body(bench, store)
        }
    }
}

/// Stores on disk with the records of a crowd. One of each size is filled, which takes a while, and tests get copies.
private struct CrowdedStore: Sendable {
    private let directory: TemporaryDirectory
    private let keys = HeldKeys()

    private static let filled = Mutex<[Int: CrowdedStore]>([:])

    /// A store in `folder` that this process has not opened yet.
    static func copy(accounts: Int, to folder: URL) throws -> SQLiteStore {
        let original = try filled.withLock { filled in
            if let original = filled[accounts] { return original }
            let original = try CrowdedStore(accounts: accounts)
            filled[accounts] = original
            return original
        }
        let name = "msal"
        try FileManager.default.copyItem(
            at: original.directory.url.appending(path: name),
            to: folder.appending(path: name)
        )
        return SQLiteStore(location: try location(in: folder), keys: SingleKeySource(original.keys))
    }

    private init(accounts: Int) throws {
        directory = try TemporaryDirectory()
        let store = SQLiteStore(location: try location(in: directory.url), keys: SingleKeySource(keys))
        try store.write(.normal) { transaction throws(StoreError) in
            for record in Crowd.records(ofFirst: accounts) { try transaction.save(record) }
        }
    }
}
