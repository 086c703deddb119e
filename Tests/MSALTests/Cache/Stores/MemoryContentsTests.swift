// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL

struct MemoryContentsTests {
    /// A hundred accounts of one client, and its app metadata.
    private static let contents: MemoryContents = {
        var contents = MemoryContents()
        func put(_ record: CacheRecord) {
            contents.saves += 1
            let identity = record.identity
            contents.put(MemoryEntry(record, identity: identity, number: contents.saves), identity: identity)
        }
        for number in 0..<100 {
            put(.accessToken(Sample.accessToken("fake-at", account: "user-\(number).\(Sample.tenant)", target: "A")))
        }
        put(.appMetadata(AppMetadataRecord(clientID: Sample.client, environment: "h", familyID: "1")))
        return contents
    }()

    @Test func `a lookup of a client's app metadata does not search its accounts`() {
        let filter = RecordFilter(.appMetadata, clientID: Sample.client)

        #expect(Self.contents.names(for: filter).map(Array.init) == [""])
        #expect(Self.contents.entries(filter).count == 1)
    }

    @Test func `a lookup of one account's records does not search other accounts`() {
        let account = "user-7.\(Sample.tenant)"
        let filter = RecordFilter(.accessToken, homeAccountID: account, clientID: Sample.client)

        #expect(Self.contents.names(for: filter).map(Array.init) == [account])
        #expect(Self.contents.entries(filter).count == 1)
    }

    @Test func `a search that is complete reads no further account`() {
        #expect(Self.contents.entries(RecordFilter(.accessToken, clientID: Sample.client)).count == 100)
        #expect(Self.contents.entries(RecordFilter(.accessToken, clientID: Sample.client).first(3)).count == 3)
        #expect(Self.contents.entries(RecordFilter(.accessToken).first(3)).count == 3)
    }
}
