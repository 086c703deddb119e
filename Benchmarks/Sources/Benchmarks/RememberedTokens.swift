// Licensed under the MIT License. See LICENSE.

import Foundation

@testable import MSAL
@testable import MSALCore

/// The memory that a process needs for each token it was asked for.
enum RememberedTokens {
    /// Asks for as many tokens as are remembered and prints by how much the process grew with each of the second half,
    /// beyond the bytes of its row: what the first half costs besides is SQLite's own cache, and the same for all.
    static func run(_ folder: Folder, _ contents: Contents) async throws {
        let client = try client(folder)
        let count = Swift.min(contents.tokens, ClientMemory.capacity)
        var account: AccountReference?
        func ask(_ numbers: Range<Int>) async throws {
            for number in numbers {
                // An app has one object for all tokens of an account.
                let id = contents.homeAccountID(ofToken: number)
                if account?.homeAccountID != id { account = AccountReference(homeAccountID: id, username: nil) }
                let token = TokenRequest(scopes: ScopeSet([Contents.scope(number)]))
                _ = try await client.acquireSilently(SilentRequest(token: token, account: account))
            }
        }
        try await ask(0..<count / 2)
        let before = residentBytes()
        try await ask(count / 2..<count)
        let grown = (residentBytes() - before) / (count - count / 2)

        let last = contents.query(count - 1)
        guard let hit = try client.cache.accessToken(for: last, now: contents.now, buffer: .seconds(300)) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        let own = CacheRecord.accessToken(hit.token).recordMembers.data.count
        print("\(grown - own) bytes (its own: \(own))")
    }

    private static func client(_ folder: Folder) throws -> TokenClient {
        let application = try MSALPublicClientApplication(
            configuration: MSALPublicClientApplicationConfig(clientId: Contents.clientID),
            platform: SystemMachine.platform(caFile: nil, [:]),
            store: try folder.open()
        )
        return try application.client()
    }
}
