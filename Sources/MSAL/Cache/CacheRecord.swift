// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase

/// Any record of the cache.
///
/// Each record is allocated separately (`indirect`). Otherwise every element of a list of records would be as large as
/// the largest kind of record.
package indirect enum CacheRecord: Sendable, Hashable {
    case accessToken(AccessTokenRecord)
    case refreshToken(RefreshTokenRecord)
    case idToken(IDTokenRecord)
    case account(AccountRecord)
    case appMetadata(AppMetadataRecord)
    case accountMetadata(AccountMetadataRecord)

    /// The normalized key parts that lookups filter by.
    struct Keys {
        var homeAccountID: String?
        var clientID: String?
        var environment: String?
        var realm: String?
        var familyID: String?
    }

    package var kind: RecordKind {
        switch self {
        case .accessToken: .accessToken
        case .refreshToken: .refreshToken
        case .idToken: .idToken
        case .account: .account
        case .appMetadata: .appMetadata
        case .accountMetadata: .accountMetadata
        }
    }

    package var identity: RecordIdentity {
        switch self {
        case .accessToken(let record): record.identity
        case .refreshToken(let record): record.identity
        case .idToken(let record): record.identity
        case .account(let record): record.identity
        case .appMetadata(let record): record.identity
        case .accountMetadata(let record): record.identity
        }
    }

    /// This record, with texts from `texts` instead of its own copies. All values compare equal to the old ones.
    func sharing(_ texts: inout StringInterner) -> CacheRecord {
        switch self {
        case .accessToken(var record):
            record.share(&texts)
            return .accessToken(record)
        case .refreshToken(var record):
            record.share(&texts)
            return .refreshToken(record)
        case .idToken(var record):
            record.share(&texts)
            return .idToken(record)
        case .account(var record):
            record.share(&texts)
            return .account(record)
        case .appMetadata(var record):
            record.share(&texts)
            return .appMetadata(record)
        case .accountMetadata(var record):
            record.share(&texts)
            return .accountMetadata(record)
        }
    }

    var keys: Keys {
        switch self {
        case .accessToken(let record): Keys(of: record, realm: record.realm)
        case .refreshToken(let record): Keys(of: record, familyID: record.familyID)
        case .idToken(let record): Keys(of: record, realm: record.realm)
        case .account(let record):
            Keys(homeAccountID: record.homeAccountID, environment: record.environment, realm: record.realm)
        case .appMetadata(let record):
            Keys(clientID: record.clientID.normalizedKey, environment: record.environment, familyID: record.familyID)
        case .accountMetadata(let record):
            Keys(homeAccountID: record.homeAccountID, clientID: record.clientID.normalizedKey)
        }
    }
}

/// The members that the records of all tokens have.
protocol TokenRecord {
    var homeAccountID: String { get }
    var environment: String { get }
    var clientID: String { get }
    var secret: Secret { get }
    /// Fields that this library does not know, preserved.
    var additional: [String: JSONValue] { get }
}

extension AccessTokenRecord: TokenRecord {}

extension RefreshTokenRecord: TokenRecord {}

extension IDTokenRecord: TokenRecord {}

extension CacheRecord.Keys {
    fileprivate init(of record: some TokenRecord, realm: String? = nil, familyID: String? = nil) {
        self.init(
            homeAccountID: record.homeAccountID,
            clientID: record.clientID.normalizedKey,
            environment: record.environment,
            realm: realm,
            familyID: familyID
        )
    }
}

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
