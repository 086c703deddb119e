// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// What a silent hit costs, and what its parts cost, with 1, 100 and 10,000 accounts in the store.
@main struct Benchmarks {
    static func main() async throws {
        for accounts in [1, 100, 10_000] {
            print("\n\(accounts) accounts")
            try await measureMemory(Bench(MemoryStore(), accounts: accounts))
            try await measureFile(accounts)
        }
    }

    private static func measureMemory(_ bench: Bench) async throws {
        let cache = TokenCache(store: bench.store, clientID: Bench.clientID)
        let query = bench.query
        try await measure("core lookup, memory store", calls: 2000) {
            _ = try cache.accessToken(for: query, now: bench.now, buffer: .seconds(300))
        }
    }

    private static func measureFile(_ accounts: Int) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "msal-benchmark-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }  // It lies in the temporary folder anyway.
        let location = try StoreLocation(group: "benchmark", environment: ["MSAL_STORE_DIR": folder.path()])
        let bench = try Bench(SQLiteStore(location: location), accounts: accounts)

        let cold = ContinuousClock().now
        let opened = TokenCache(store: SQLiteStore(location: location), clientID: Bench.clientID)
        let hit = try opened.accessToken(for: bench.query, now: bench.now, buffer: .seconds(300))
        let opening = (ContinuousClock().now - cold).components.attoseconds / 1_000_000_000_000
        print("\("first lookup of a store object, with opening".padded(52)) once   \(opening) µs, found \(hit != nil)")

        try await measure("change check of the file alone", calls: 1000) { _ = try bench.store.changeCounter() }
        let query = bench.query
        try await measure("core lookup with the change check, file", calls: 1000) {
            _ = try opened.accessToken(for: query, now: bench.now, buffer: .seconds(300))
        }

        let configuration = MSALPublicClientApplicationConfig(clientId: Bench.clientID)
        let application = try MSALPublicClientApplication(
            configuration: configuration,
            platform: SystemMachine.platform(caFile: nil, [:]),
            store: bench.store
        )
        let account = try application.account(forIdentifier: bench.homeAccountID)
        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        try await measure("whole public call, acquireTokenSilent(with:)", calls: 500) {
            _ = try await application.acquireTokenSilent(with: parameters)
        }
    }
}
