// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL
@testable import MSALBase

/// A cached record must be small because there may be thousands of tokens.
@Suite struct RememberedRecordTests {
    @Test func aRecordWithoutUnknownMembersKeepsNoRoomForAny() throws {
        let record = CacheRecord.accessToken(Sample.accessToken())
        guard case .accessToken(let read) = CacheRecord(kind: .accessToken, members: record.members) else {
            Issue.record("The record cannot be read.")
            return
        }
        #expect(read == Sample.accessToken())
        #expect(read.additional.capacity == 0)
    }

    @Test func unknownMembersKeepOnlyTheirOwnRoom() throws {
        let record = CacheRecord.accessToken(Sample.accessToken())
        let members = record.members.merging(["foreign": .string("kept")]) { own, _ in own }
        guard case .accessToken(let read) = CacheRecord(kind: .accessToken, members: members) else {
            Issue.record("The record cannot be read.")
            return
        }
        #expect(read.additional == ["foreign": .string("kept")])
        #expect(read.additional.capacity < members.count)
    }
}
