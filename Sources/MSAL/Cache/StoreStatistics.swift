// Licensed under the MIT License. See LICENSE.

/// What a store holds and how it is kept: the numbers behind `msal cache stats`.
package struct StoreStatistics: Sendable, Hashable {
    /// One key that rows of the store are sealed with.
    package struct Key: Sendable, Hashable {
        /// What the rows call it.
        package let id: String
        package let state: KeyState
        /// When the store made it.
        package let created: Date
        /// How many records and extra items are sealed with it.
        package let rows: Int

        package init(id: String, state: KeyState, created: Date, rows: Int) {
            self.id = id
            self.state = state
            self.created = created
            self.rows = rows
        }
    }

    /// How many records there are of each kind; kinds without any may be missing.
    package var records: [RecordKind: Int] = [:]
    /// Access tokens past every validity, the extended one included.
    package var expiredAccessTokens = 0
    /// Items that no lookup serves, kept for exports.
    package var extraItems = 0
    /// Rows that fail authentication or cannot be decoded. They are kept and not served.
    package var unreadableRows = 0
    /// When expired tokens were last swept out.
    package var lastSweep: Date?
    /// Where the key lives; `nil` for a store in memory, and while no file exists.
    package var provider: KeyProviderKind?
    /// The keys of the rows, the oldest first; none without encryption.
    package var keys: [Key] = []
    /// The store's own random identifier.
    package var storeID: String?
    /// The database file; `nil` for a store in memory.
    package var path: String?
    /// Bytes of the database, its write-ahead log and its index together.
    package var fileSize: Int64 = 0
    package var schemaVersion: Int?
    /// How SQLite keeps transactions, `wal` normally.
    package var journalMode: String?

    package init() {}
}

/// What a key of the store's rows is for.
package enum KeyState: String, Sendable, Hashable {
    /// New rows are sealed with it.
    case active
    /// Rows sealed with it are waiting to be sealed anew; then it goes.
    case retiring
    /// It makes the blind indexes, for as long as the store lives.
    case index
}
