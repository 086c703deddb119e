// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL
@testable import MSALBase

/// Client IDs are compared without case and stored as they were spelled, because MSAL for Python compares them exactly.
struct ClientIDCaseTests {
    private static let spelled = Sample.client.uppercased()

    /// The client of every exported record.
    private func exportedClients(_ store: any TokenStore) throws -> [String: Set<String>] {
        let sections = try #require(JSONValue(parsing: try store.exportedCache())?.object)
        return sections.compactMapValues { section in
            Set(section.object?.values.compactMap { $0.object?["client_id"]?.string } ?? [])
        }
        .filter { !$0.value.isEmpty }
    }

    private func check(_ clients: [String: Set<String>], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(
            clients
                == ["AccessToken", "RefreshToken", "IdToken", "AppMetadata"].reduce(into: [:]) {
                    $0[$1] = [Self.spelled]
                },
            sourceLocation: sourceLocation
        )
    }

    @Test(arguments: StoreKind.allCases)
    func `an app's client ID in capitals is found in any case, and exported in capitals`(_ kind: StoreKind) throws {
        try kind.withStore { store in
            _ = try TokenCache(store: store, clientID: " \(Self.spelled) ").save(Sample.save())

            check(try exportedClients(store))
            for clientID in [Self.spelled, Sample.client] {
                let cache = TokenCache(store: store, clientID: clientID)
                let hit = try cache.accessToken(for: Sample.query(), now: Sample.now, buffer: .seconds(300))
                #expect(hit?.token.secret == Secret("fake-at"))
                #expect(
                    try cache.refreshTokenCandidates(homeAccountID: Sample.alice, environments: Sample.aliases).count
                        == 1
                )
                #expect(try cache.accounts(environments: nil, onlySignedIn: true).map(\.idTokens.count) == [1])
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `records imported in capitals are renewed in any case, and stay in capitals`(_ kind: StoreKind) throws {
        let exported = MemoryStore()
        _ = try TokenCache(store: exported, clientID: Self.spelled).save(Sample.save())
        let text = try exported.exportedCache()
        #expect(String(decoding: text, as: UTF8.self).contains("appmetadata-\(Sample.environment)-\(Self.spelled)"))
        try kind.withStore { store in
            _ = try store.merge(try CacheDocument(parsing: text))
            let cache = TokenCache(store: store, clientID: Sample.client)
            let token = try #require(
                try cache.refreshTokens(homeAccountID: Sample.alice, environments: Sample.aliases).app
            )

            let renewal = Sample.save(accessToken: "fake-new-at", refreshToken: "fake-new-rt", redeemed: token)
            #expect(try cache.save(renewal))

            check(try exportedClients(store))
            #expect(try store.secrets() == ["fake-id", "fake-new-at", "fake-new-rt"])
            let signedOut = TokenCache(store: store, clientID: Sample.client.capitalized)
            try signedOut.signOut(homeAccountID: Sample.alice, wipeAccount: false)
            #expect(try store.secrets().isEmpty)
        }
    }

    @Test func `of two spellings only one record is kept`() throws {
        let store = MemoryStore()
        try store.put(.refreshToken(Sample.refreshToken("fake-1")))

        try store.put(.refreshToken(Sample.refreshToken("fake-2", client: Self.spelled)))

        #expect(try store.secrets() == ["fake-2"])
    }
}
