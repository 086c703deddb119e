// Licensed under the MIT License. See LICENSE.

/// How certain a commit must be before the call returns.
package enum Durability: Sendable {
    /// Survives a crash of the process; a power cut may lose the last commits. Enough for access tokens.
    case normal
    /// Survives a power cut. For rotated refresh tokens and sign-outs.
    case full
}

/// Keeps cache records for the processes of one user. The port of the token cache.
///
/// Calls block for the time of one transaction; no call may be made from inside another one's body,
/// and a body may neither wait for the network nor for the user.
package protocol TokenStore: Sendable {
    /// A number that differs from the last one if any process committed a change in between. Costs microseconds.
    func changeCounter() throws(StoreError) -> Int64

    /// Reads records that belong to one state of the store.
    func read<R: Sendable>(
        _ body: (any TokenStoreReading) throws(StoreError) -> R
    ) throws(StoreError) -> R

    /// Runs one transaction: all its changes become visible at once, or none if `body` throws.
    func write<R: Sendable>(
        _ durability: Durability,
        _ body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R
}

/// The reading half of a transaction. Valid only inside the body that received it.
package protocol TokenStoreReading {
    /// The record of this identity.
    func record(_ identity: RecordIdentity) throws(StoreError) -> CacheRecord?

    /// All records that fit, in no particular order.
    func records(_ filter: RecordFilter) throws(StoreError) -> [CacheRecord]
}

/// A writing transaction. Valid only inside the body that received it.
package protocol TokenStoreWriting: TokenStoreReading {
    /// Inserts the record, or replaces the one of the same identity.
    func save(_ record: CacheRecord) throws(StoreError)

    /// Deletes the record of this identity, if it exists.
    func delete(_ identity: RecordIdentity) throws(StoreError)

    /// Deletes the access tokens whose validity, the extended one included, ended before `date`.
    ///
    /// Does nothing if the store was swept less than an hour before `date`, by whichever process.
    func purgeAccessTokens(expiredBefore date: Date) throws(StoreError)

    /// Deletes every record of the group.
    func deleteAll() throws(StoreError)
}

extension TokenStoreReading {
    func accessTokens(_ filter: RecordFilter) throws(StoreError) -> [AccessTokenRecord] {
        try records(filter).compactMap { if case .accessToken(let token) = $0 { token } else { nil } }
    }

    func refreshTokens(_ filter: RecordFilter) throws(StoreError) -> [RefreshTokenRecord] {
        try records(filter).compactMap { if case .refreshToken(let token) = $0 { token } else { nil } }
    }

    func idTokens(_ filter: RecordFilter) throws(StoreError) -> [IDTokenRecord] {
        try records(filter).compactMap { if case .idToken(let token) = $0 { token } else { nil } }
    }

    func accountRecords(_ filter: RecordFilter) throws(StoreError) -> [AccountRecord] {
        try records(filter).compactMap { if case .account(let account) = $0 { account } else { nil } }
    }

    func appMetadata(_ filter: RecordFilter) throws(StoreError) -> [AppMetadataRecord] {
        try records(filter).compactMap { if case .appMetadata(let metadata) = $0 { metadata } else { nil } }
    }

    /// The sign-in states that the client keeps; empty ones if it never wrote any.
    func accountMetadata(clientID: String) throws(StoreError) -> AccountMetadataRecord {
        let empty = AccountMetadataRecord(clientID: clientID)
        guard case .accountMetadata(let metadata) = try record(empty.identity) else { return empty }
        return metadata
    }
}

extension TokenStoreWriting {
    func delete(_ filter: RecordFilter) throws(StoreError) {
        for record in try records(filter) { try delete(record.identity) }
    }
}
