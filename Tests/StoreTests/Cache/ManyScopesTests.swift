// Licensed under the MIT License. See LICENSE.

import StoreWorker
import Testing

@testable import MSAL
@testable import MSALCore

/// How many scopes a token has is the server's choice, up to a limit.
@Suite struct ManyScopesTests {
    @Test(arguments: [1001, ScopeSet.most])
    func `a token with very many scopes replaces the one it shares a scope with`(count: Int) throws {
        try StoreFolder.with { folder in
            let store = folder.store()
            let cache = TokenCache(store: store, clientID: Numbered.clientID)
            _ = try cache.save(Numbered.save(account: 0, number: 1))
            var save = Numbered.save(account: 0, number: 2)
            save.accessToken?.target = ([Numbered.scope] + (1..<count).map { "s\($0)" }).joined(separator: " ")

            #expect(try cache.save(save))
            #expect(try cache.hit(0) == Numbered.accessToken(0, 2))
            #expect(try store.statistics(now: Numbered.now).records[.accessToken] == 1)
        }
    }
}
