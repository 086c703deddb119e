// Licensed under the MIT License. See LICENSE.

import SealedStore

/// Figures about the content and the form of a token store, without any tokens or names. Linux only.
public struct MSALTokenStoreStatistics: Sendable, Hashable {
    /// A key that records are sealed with.
    public struct Key: Sendable, Hashable {
        /// The name of the key in the store. It is not secret.
        public let id: String
        /// The purpose of the key.
        public let use: Use
        /// The time at which the store created the key.
        public let created: Date
        /// The number of rows that are sealed with the key.
        public let rows: Int

        /// The purpose of a key.
        public enum Use: String, Sendable, Hashable {
            /// The key seals new rows.
            case active
            /// Its rows are waiting to be resealed. Then the key is deleted.
            case retiring
            /// The key for the index, for the lifetime of the store.
            case index
        }
    }

    /// The number of records of each kind. Kinds without records may be missing.
    public let records: [MSALTokenStoreRecordKind: Int]

    /// Access tokens whose validity has ended, including the extended one.
    public let expiredAccessTokens: Int

    /// Imported entries that are not used for lookups, kept for exports.
    public let keptAside: Int

    /// Rows that another program changed, or whose key is lost. They are kept but not used.
    public let unreadableRows: Int

    /// The time at which expired tokens were last deleted.
    public let lastSweep: Date?

    /// The location of the key; `nil` if there is no store.
    public let keyLocation: MSALTokenStoreKeyLocation?

    /// The keys of the rows, oldest first; empty without encryption.
    public let keys: [Key]

    /// The store's random identifier.
    public let storeID: String?

    /// The size of the database, its log, and its index, in bytes.
    public let fileSize: Int64

    /// The version of the database format.
    public let schemaVersion: Int?

    /// SQLite's journal mode; normally `wal`.
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
    /// ID tokens, one for each account, tenant, and client.
    case idToken
    /// The records of the names and identifiers of accounts.
    case account
    /// Records of the family of apps that a client belongs to.
    case appMetadata
    /// Records of which accounts are signed in and which signed out.
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

/// The location of the key of an existing store. Linux only.
public enum MSALTokenStoreKeyLocation: String, Sendable, Hashable, CaseIterable {
    /// An item of the desktop's Secret Service.
    case secretService
    /// The secret that the desktop portal provides to a sandboxed app.
    case portal
    /// A file next to the store.
    case keyFile
    /// A file that the system or the operator provides.
    case credentialFile
    /// No key: tokens are in the file as plain text.
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
