// Licensed under the MIT License. See LICENSE.

package import MSALBase
package import SealedStore

/// Keeps cache records for the processes of one user. The port of the token cache.
///
/// Calls block for the time of one transaction. A body must not call the store again, and must not wait for the network
/// or for the user.
package protocol TokenStore: Sendable {
    /// Whether the store is open and its key is in memory. Takes nanoseconds.
    var isPrepared: Bool { get }

    /// Opens the store and fetches its key, which may take as long as `keyAccess` permits. Does nothing if both are
    /// already done.
    ///
    /// Other calls do this themselves if necessary, without prompting the user.
    func prepare(_ keyAccess: KeyAccessOptions, for use: StoreUse) throws(StoreError)

    /// A number that differs from the last one if any process committed a change in between. Takes nanoseconds on most
    /// machines, otherwise microseconds.
    func changeCounter() throws(StoreError) -> Int64

    /// Reads records that belong to one state of the store.
    func read<R: Sendable>(_ body: (any TokenStoreReading) throws(StoreError) -> R) throws(StoreError) -> R

    /// Runs one transaction: all its changes become visible at once, or none if `body` throws.
    func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R

    /// Stores a token response in one transaction. A store may keep a response that it cannot write in memory, and write
    /// it later.
    ///
    /// - Returns: Whether it is in the store now.
    /// - Throws: Every failure that memory cannot compensate for.
    func save(_ save: TokenSave, clientID: String) throws(StoreError) -> Bool

    /// Deletes every record of the group and everything that is kept with them.
    ///
    /// - Throws: The errors of ``write(_:body:)``, and `.unwritable` if the records are deleted but something else
    ///   could not be.
    func wipe() throws(StoreError)
}

/// A read transaction. Valid only inside the body that received it.
package protocol TokenStoreReading {
    /// The record with this identity.
    func record(_ identity: RecordIdentity) throws(StoreError) -> CacheRecord?

    /// A number that differs from the last one if the record was saved in between, even unchanged; `nil` if there is no
    /// such record.
    func changeNumber(of identity: RecordIdentity) throws(StoreError) -> Int64?

    /// The version of the records of this account or, for `nil`, of the records without an account, such as app
    /// metadata and the client's own metadata. It differs if one of them was saved or deleted in between.
    ///
    /// Opens no record, so it takes microseconds.
    func version(ofAccount homeAccountID: String?) throws(StoreError) -> RecordVersion

    /// Those of the given accounts that have a refresh token. `accounts` contains home account IDs, which the result
    /// returns as given.
    ///
    /// Opens no record, so a damaged token counts.
    func accounts(_ accounts: [String], withRefreshTokenOf owner: RefreshTokenOwner) throws(StoreError) -> Set<String>

    /// All matching records. Those of one account are in the order of their change, latest first.
    func records(_ filter: RecordFilter) throws(StoreError) -> [CacheRecord]

    /// The imported items that are not records of this library, sorted by section and name.
    func extras() throws(StoreError) -> [ExtraItem]

    /// The lease or pause of this name, even if it has expired.
    func lease(_ name: String) throws(StoreError) -> RefreshLease?
}

/// A write transaction. Valid only inside the body that received it.
package protocol TokenStoreWriting: TokenStoreReading {
    /// Inserts the record, or replaces the record with the same identity.
    func save(_ record: CacheRecord) throws(StoreError)

    /// Deletes the record of this identity, if it exists.
    func delete(_ identity: RecordIdentity) throws(StoreError)

    /// The position of an account's records in storage order. Saving many records is fastest in this order.
    func place(ofAccount homeAccountID: String) -> UInt64

    /// Inserts the item, or replaces the item with the same section and name.
    func saveExtra(_ item: ExtraItem) throws(StoreError)

    /// Deletes the item of this section and name, if it exists.
    func deleteExtra(section: String, name: String) throws(StoreError)

    /// Inserts the lease, or replaces the lease with the same name.
    func saveLease(_ lease: RefreshLease) throws(StoreError)

    /// Deletes the lease of this name, if it exists.
    func deleteLease(_ name: String) throws(StoreError)

    /// Deletes the access tokens whose validity, including the extended one, ended before `date`. If the store is still
    /// above its cap, also deletes the access tokens that were saved the longest time ago. Deletes leases and pauses
    /// that ended before `date`, and nothing else.
    ///
    /// Does nothing if any process has swept the store within the hour before `date`.
    func purgeAccessTokens(expiredBefore date: Date) throws(StoreError)

    /// Deletes every record and extra item of the group.
    func deleteAll() throws(StoreError)
}

/// An imported item that is not used for lookups: an unknown section's entry, or an unusable record. It is kept
/// verbatim for the next export (docs/reference/Cache.md#import-unusable).
package struct ExtraItem: Sendable, Hashable {
    /// The name of the section in the unified schema, `AccessToken` for an unusable access token.
    package let section: String
    /// The entry's name in the section.
    package let name: String
    package let value: JSONValue
}

/// A process's note that it is redeeming a refresh token, or that the service requested a pause. The note is advisory:
/// everything works without it.
package struct RefreshLease: Sendable, Hashable {
    /// The subject of the lease: the account and the client or family; or the request that must wait.
    package let name: String
    /// Distinguishes the holder from others. For a pause, the HTTP status.
    let holder: String
    /// The time at which the note expires, even if the holder is still running; whole seconds.
    let until: Date
}

extension TokenStore {
    package func save(_ save: TokenSave, clientID: String) throws(StoreError) -> Bool {
        try write(save.durability) { (transaction) throws(StoreError) in
            try transaction.store(save, clientID: clientID)
        }
    }

    /// Deletes the records. Stores with other contents must delete those in their own implementation.
    package func wipe() throws(StoreError) {
        try write(.full) { (transaction) throws(StoreError) in try transaction.deleteAll() }
    }
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

    /// The client's own metadata; empty if it never wrote any.
    func clientMetadata(_ clientID: String) throws(StoreError) -> AccountMetadataRecord {
        try metadata(AccountMetadataRecord(clientID: clientID))
    }

    /// The client's metadata about an account; `nil` if there is none.
    func accountMetadata(clientID: String, homeAccountID: String) throws(StoreError) -> AccountMetadata? {
        let account = homeAccountID.normalizedKey
        let own = try metadata(AccountMetadataRecord(clientID: clientID, homeAccountID: account))
        if let metadata = own.accounts[account] { return metadata }
        return try clientMetadata(clientID).accounts[account]
    }

    /// The client's metadata about each account, by normalized home account ID.
    func accountMetadata(clientID: String) throws(StoreError) -> [String: AccountMetadata] {
        var accounts: [String: AccountMetadata] = [:]
        for case .accountMetadata(let metadata) in try records(RecordFilter(.accountMetadata, clientID: clientID)) {
            let isOwn = metadata.homeAccountID != nil
            accounts.merge(metadata.accounts) { known, new in isOwn ? new : known }
        }
        return accounts
    }

    private func metadata(_ empty: AccountMetadataRecord) throws(StoreError) -> AccountMetadataRecord {
        guard case .accountMetadata(let metadata) = try record(empty.identity) else { return empty }
        return metadata
    }
}

extension TokenStoreWriting {
    /// A store in memory has no storage order.
    package func place(ofAccount homeAccountID: String) -> UInt64 { 0 }

    /// Stores the client's metadata about an account.
    func setAccountMetadata(_ metadata: AccountMetadata, clientID: String, homeAccountID: String) throws(StoreError) {
        var record = AccountMetadataRecord(clientID: clientID, homeAccountID: homeAccountID)
        record.accounts[homeAccountID.normalizedKey] = metadata
        try save(.accountMetadata(record))
    }

    func delete(_ filter: RecordFilter) throws(StoreError) {
        for record in try records(filter) { try delete(record.identity) }
    }
}

/// The version of an account's records. Two different states have different versions.
///
/// If two versions from one store are equal, the records are equal. If they differ, the records may still be the same.
package struct RecordVersion: Sendable, Hashable {
    /// Distinguishes stores, and the files that a store used in succession.
    var store = 0
    /// The sum of the records' numbers, which increase with each save. If records are deleted and the same number is
    /// added, the sum increases.
    var sum: Int64 = 0
    var count: Int64 = 0
    /// The state of the responses that wait on top of the store; zero if there are none.
    var waiting = 0
}

/// The version of the records that matter for an account: its own records, and the records without an account.
///
/// If two versions from one store are equal, the records are equal too (docs/reference/Store.md#account-version).
package struct AccountVersion: Sendable, Hashable {
    let own: RecordVersion
    let shared: RecordVersion

    init(of homeAccountID: String, in store: any TokenStoreReading) throws(StoreError) {
        own = try store.version(ofAccount: homeAccountID)
        shared = try store.version(ofAccount: nil)
    }
}
