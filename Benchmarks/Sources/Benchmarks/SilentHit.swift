// Licensed under the MIT License. See LICENSE.

import Foundation

@testable import MSAL

/// What a silent hit costs, warm and unchanged, and what its parts cost.
enum SilentHit {
    static func run() async throws {
        for accounts in [1, 100, 10_000] {
            print("\nA silent hit with \(accounts) accounts, ten tokens each")
            try await withTemporaryStore { folder in
                let contents = Contents(tokens: 10 * accounts, spread: .overAccounts)
                let store = try folder.open()
                try contents.fill(store)
                try await measure(contents, store)
            }
        }
    }

    private static func measure(_ contents: Contents, _ store: any TokenStore) async throws {
        let configuration = MSALPublicClientApplicationConfig(clientId: Contents.clientID)
        let application = try MSALPublicClientApplication(
            configuration: configuration,
            platform: SystemMachine.platform(caFile: nil, [:]),
            store: store
        )
        let account = try application.account(forIdentifier: contents.homeAccountID)
        let parameters = MSALSilentTokenParameters(scopes: [Contents.scope(contents.target)], account: account)
        report(
            "whole public call, acquireTokenSilent(with:)",
            try await times(calls: 500) { _ = try await application.acquireTokenSilent(with: parameters) },
            target: 8
        )

        let cache = TokenCache(store: store, clientID: Contents.clientID)
        let query = contents.query
        let counter = try store.changeCounter()
        _ = try cache.accessToken(for: query, now: contents.now, buffer: .seconds(300))
        report(
            "core lookup in memory",
            await times(calls: 2000) { _ = cache.memory.withLock { $0.hits(for: query, at: counter) } },
            target: 2
        )
        report(
            "  the same with change check and choice",
            try await times(calls: 1000) {
                _ = try cache.accessToken(for: query, now: contents.now, buffer: .seconds(300))
            }
        )
        report("  change check alone", try await times(calls: 1000) { _ = try store.changeCounter() })
        let client = try application.client()
        let request = try parameters.snapshot()
        report(
            "  the client's call, without the public face",
            try await times(calls: 500) { _ = try await client.acquireSilently(request) }
        )
    }
}
