// Licensed under the MIT License. See LICENSE.

import SealedStore

/// What a token store holds and how it is kept: numbers, and never a token or a name. Linux only.
public struct MSALTokenStoreStatistics: Sendable, Hashable {
    /// A key that records are sealed with.
    public struct Key: Sendable, Hashable {
        /// The name of the key in the store. It is no secret.
        public let id: String
        /// The purpose of the key.
        public let use: Use
        /// The time at which the store made the key.
        public let created: Date
        /// The number of rows that are sealed with the key.
        public let rows: Int

        /// The purpose of a key.
        public enum Use: String, Sendable, Hashable {
            /// The key seals new rows.
            case active
            /// Its rows wait to be sealed anew. The key is deleted after that.
            case retiring
            /// The key makes the index, as long as the store lives.
            case index
        }
    }

    /// How many records there are of each kind. Kinds without any may be missing.
    public let records: [MSALTokenStoreRecordKind: Int]

    /// Access tokens that are past every validity, the extended one included.
    public let expiredAccessTokens: Int

    /// Entries of an import that no lookup serves, kept for exports.
    public let keptAside: Int

    /// Rows that another program changed, or whose key is gone. They are kept and not used.
    public let unreadableRows: Int

    /// The time at which expired tokens were last deleted.
    public let lastSweep: Date?

    /// The place of the key; `nil` while there is no store.
    public let keyLocation: MSALTokenStoreKeyLocation?

    /// The keys of the rows, the oldest first; none without encryption.
    public let keys: [Key]

    /// The store's own random identifier.
    public let storeID: String?

    /// The bytes of the database, its log and its index together.
    public let fileSize: Int64

    /// The version of the database's form.
    public let schemaVersion: Int?

    /// SQLite's way to keep transactions; normally `wal`.
    public let journalMode: String?

    init(_ statistics: StoreStatistics) {
        var records: [MSALTokenStoreRecordKind: Int] = [:]
        for (kind, count) in statistics.records { records[MSALTokenStoreRecordKind(kind)] = count }
        self.records = records
        expiredAccessTokens = statistics.expiredRows
        keptAside = statistics.extraItems
        unreadableRows = statistics.unreadableRows
        lastSweep = statistics.lastSweep
        keyLocation = statistics.provider.map(MSALTokenStoreKeyLocation.init)
        keys = statistics.keys.map { Key(id: $0.id, use: Key.Use($0.state), created: $0.created, rows: $0.rows) }
        storeID = statistics.storeID
        fileSize = statistics.fileSize
        schemaVersion = statistics.schemaVersion
        journalMode = statistics.journalMode
    }
}

/// The kinds of records in a token store. Linux only.
public enum MSALTokenStoreRecordKind: Sendable, Hashable, CaseIterable {
    /// Access tokens, one for each account, client and set of scopes.
    case accessToken
    /// Refresh tokens, of a client or of a family of clients.
    case refreshToken
    /// Id tokens, one for each account, tenant and client.
    case idToken
    /// The records of the names and identifiers of accounts.
    case account
    /// The records that say which family of apps a client belongs to.
    case appMetadata
    /// The records that say who is signed in and who signed out.
    case accountMetadata

    init(_ kind: RecordKind) {
        switch kind {
        case .accessToken: self = .accessToken
        case .refreshToken: self = .refreshToken
        case .idToken: self = .idToken
        case .account: self = .account
        case .appMetadata: self = .appMetadata
        case .accountMetadata: self = .accountMetadata
        }
    }
}

/// The place where the key of an existing store is kept. Linux only.
public enum MSALTokenStoreKeyLocation: String, Sendable, Hashable, CaseIterable {
    /// An item of the desktop's Secret Service.
    case secretService
    /// The secret that the desktop's portal gives to an app in a sandbox.
    case portal
    /// The key is in a file beside the store.
    case keyFile
    /// A file that the system or the operator provides.
    case credentialFile
    /// There is no key: tokens lie in the file as plain text.
    case none

    init(_ kind: KeyLocation) {
        switch kind {
        case .secretService: self = .secretService
        case .portal: self = .portal
        case .keyFile: self = .keyFile
        case .credentialFile: self = .credentialFile
        case .none: self = .none
        }
    }
}

extension MSALTokenStoreStatistics.Key.Use {
    fileprivate init(_ state: KeyState) {
        switch state {
        case .active: self = .active
        case .retiring: self = .retiring
        case .index: self = .index
        }
    }
}
