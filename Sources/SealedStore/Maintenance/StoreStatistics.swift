// Licensed under the MIT License. See LICENSE.

package import Foundation

/// Figures about the content and the form of a store.
package struct StoreStatistics: Sendable, Hashable {
    /// A key with which rows of the store are sealed.
    package struct Key: Sendable, Hashable {
        /// The name of the key in the rows.
        package let id: String
        package let state: KeyState
        /// The time at which the store created the key.
        package let created: Date
        /// The number of rows and extra items that are sealed with the key.
        package let rows: Int

        package init(id: String, state: KeyState, created: Date, rows: Int) {
            self.id = id
            self.state = state
            self.created = created
            self.rows = rows
        }
    }

    /// The number of rows of each kind; kinds without rows may be missing.
    package var rows: [Int: Int] = [:]
    /// Rows past their expiry.
    package var expiredRows = 0
    /// Extra items.
    package var extraItems = 0
    /// Rows and items that fail authentication, and rows of an unknown kind. They are kept but not used.
    package var unreadableRows = 0
    /// The time at which expired rows were last deleted.
    package var lastSweep: Date?
    /// The location of the key; `nil` for a store in memory, and if no file exists.
    package var provider: KeyLocation?
    /// The keys of the rows, oldest first; empty without encryption.
    package var keys: [Key] = []
    /// The store's random identifier.
    package var storeID: String?
    /// The database file; `nil` for a store in memory.
    package var path: String?
    /// The size in bytes of the database, its write-ahead log, and the log's index.
    package var fileSize: Int64 = 0
    package var schemaVersion: Int?
    /// SQLite's journal mode; normally `wal`.
    package var journalMode: String?

    package init() {}
}
