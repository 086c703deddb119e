// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL
@testable import SealedStore

/// Blind indexes that are cached together with the keys.
struct BlindIndexCacheTests {
    @Test func `the newest thousand are remembered, and no long text`() {
        let terms = BlindIndexCache()
        for number in 0..<3000 { terms.remember(Data([UInt8(number % 251)]), of: "text \(number)") }
        terms.remember(Data([1]), of: String(repeating: "x", count: 513))

        #expect(terms["text 0"] == nil)
        #expect(terms["text 2999"] == Data([UInt8(2999 % 251)]))
        #expect((0..<3000).count { terms["text \($0)"] != nil } == 1024)
        #expect(terms[String(repeating: "x", count: 513)] == nil)
    }

    /// With indexes of the old key, a process that has only the new one would not find the account.
    @Test func `no index outlives its key`() throws {
        try StoreFolder.with { place in
            let account = AccountRecord(homeAccountID: "a.t", environment: "e", realm: "r")
            let store = place.store()
            func save() throws {
                try store.write(.normal) { (store) throws(StoreError) in try store.save(.account(account)) }
            }
            func isFound(by store: SQLiteStore) throws -> Bool {
                try store.read { (store) throws(StoreError) in
                    try store.record(CacheRecord.account(account).identity) != nil
                }
            }
            try save()
            #expect(try isFound(by: store))

            try store.reset(KeyAccessOptions())
            try save()

            #expect(try isFound(by: store))
            #expect(try isFound(by: place.store()))
        }
    }
}
