// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase

/// The JSON objects of the unified cache schema (docs/reference/Cache.md#fields, #app-metadata,
/// #account-metadata).
extension CacheRecord {
    /// Parses a record of a known kind.
    ///
    /// `nil` if a required field is missing. Unknown fields are preserved.
    package init?(kind: RecordKind, members: [String: JSONValue]) {
        self.init(kind: kind, RecordMembers(members))
    }

    /// The record as a JSON object.
    package var members: [String: JSONValue] { recordMembers.values }

    init?(kind: RecordKind, _ members: RecordMembers) {
        guard !members.haveUnsoundKey else { return nil }
        // Each record removes the members that it knows, and preserves the rest.
        var rest = members
        let record: CacheRecord? =
            switch kind {
            case .accessToken: AccessTokenRecord(taking: &rest).map(CacheRecord.accessToken)
            case .refreshToken: RefreshTokenRecord(taking: &rest).map(CacheRecord.refreshToken)
            case .idToken: IDTokenRecord(taking: &rest).map(CacheRecord.idToken)
            case .account: AccountRecord(taking: &rest).map(CacheRecord.account)
            case .appMetadata: AppMetadataRecord(taking: &rest).map(CacheRecord.appMetadata)
            case .accountMetadata: AccountMetadataRecord(taking: &rest).map(CacheRecord.accountMetadata)
            }
        guard let record else { return nil }
        self = record
    }

    var recordMembers: RecordMembers {
        switch self {
        case .accessToken(let record): record.members
        case .refreshToken(let record): record.members
        case .idToken(let record): record.members
        case .account(let record): record.members
        case .appMetadata(let record): record.members
        case .accountMetadata(let record): record.members
        }
    }
}
