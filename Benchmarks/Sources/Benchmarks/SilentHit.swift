// Licensed under the MIT License. See LICENSE.

import Foundation

@testable import MSAL

/// The time of a silent hit in an unchanged store, and of its parts.
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
        let known = try application.account(forIdentifier: contents.homeAccountID)
        let parameters = MSALSilentTokenParameters(scopes: [Contents.scope(contents.target)], account: known)
        report(
            "whole public call, acquireTokenSilent(with:)",
            try await times(calls: 500) { _ = try await application.acquireTokenSilent(with: parameters) },
            target: 8
        )

        let client = try application.client()
        let request = try parameters.snapshot()
        let counter = try store.changeCounter()
        guard let account = request.account else { throw CocoaError(.fileReadCorruptFile) }
        let identity = RequestIdentity(
            account: account,
            authority: request.token.authority,
            scopes: request.token.scopes
        )
        guard client.memory.token(for: identity, at: counter) != nil else { throw CocoaError(.fileReadCorruptFile) }
        report(
            "core lookup in memory",
            await times(calls: 2000) { _ = client.memory.token(for: identity, at: counter) },
            target: 2
        )
        report("  change check alone", try await times(calls: 1000) { _ = try store.changeCounter() })
        report(
            "  the client's call, without the public face",
            try await times(calls: 500) { _ = try await client.acquireSilently(request) }
        )
    }
}
