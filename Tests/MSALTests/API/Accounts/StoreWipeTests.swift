// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import SealedStore
import TestSupport
import Testing

/// How much of the store a sign-out removes.
struct StoreWipeTests {
    private let bench: BadInputBench

    /// Amy is signed in with two clients of the store, Bob with one.
    init() throws {
        bench = try BadInputBench()
        try bench.store.write(.normal) { transaction throws(StoreError) in
            try transaction.save(.refreshToken(of: "user-1", clientID: "another-client"))
            try transaction.save(.account(of: "bob"))
            try transaction.save(.refreshToken(of: "bob"))
        }
    }

    private func signOutAmy(_ adjust: (MSALSignoutParameters) -> Void) async throws {
        let amy = try bench.application.account(forIdentifier: Contoso.homeAccountID)
        let parameters = MSALSignoutParameters()
        adjust(parameters)
        let isDone = try await bench.application.signout(with: amy, signoutParameters: parameters)
        #expect(isDone)
    }

    private var left: [String] {
        get throws {
            try bench.records().compactMap { record in
                if case .refreshToken(let token) = record { "\(token.homeAccountID) \(token.clientID)" } else { nil }
            }.sorted()
        }
    }

    private var bob: String { "bob.\(Contoso.tenant) \(Contoso.clientID)" }
    private var amyElsewhere: String { "\(Contoso.homeAccountID) another-client" }

    @Test func `other users and other clients keep their tokens`() async throws {
        try await signOutAmy { _ in }

        #expect(try left == [bob, amyElsewhere])
    }

    @Test func `the account is wiped for all clients`() async throws {
        try await signOutAmy { $0.wipeAccount = true }

        #expect(try left == [bob])
    }

    @Test func `the cache is wiped for all accounts`() async throws {
        try await signOutAmy { $0.wipeCacheForAllAccounts = true }

        #expect(try bench.records().isEmpty)
        #expect(try bench.application.allAccounts().isEmpty)
    }
}
