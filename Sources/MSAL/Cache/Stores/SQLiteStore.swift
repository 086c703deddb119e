// Licensed under the MIT License. See LICENSE.

package import SealedStore

/// The on-disk token store of a group, shared by all processes of the user: stores records as rows of a ``RowStore``.
///
/// The target `SealedStore` implements the rest: files, keys, sealing, transactions, and their maintenance.
package final class SQLiteStore: TokenStore {
    let rows: RowStore
    private let maintenance: StoreMaintenance
    private let sweep: StoreSweep

    /// `keys`: Selects the location of the store's key. `cap`: The maximum number of records after a sweep. A negative
    /// number counts as zero. `maintenance`: The operations on the whole store.
    package init(
        location: StoreLocation,
        keys: any StoreKeySource,
        cap: Int = MemoryStore.defaultCap,
        maintenance: StoreMaintenance = StoreMaintenance()
    ) {
        self.maintenance = maintenance
        rows = maintenance.store(at: location, keys: keys, payloads: RecordPayloads())
        sweep = StoreSweep(droppingKind: RecordKind.accessToken.rawValue, cap: cap)
    }

    var location: StoreLocation { rows.location }

    package var isPrepared: Bool { rows.isPrepared }

    package func prepare(_ keyAccess: KeyAccessOptions, for use: StoreUse) throws(StoreError) {
        try rows.prepare(keyAccess, for: use)
    }

    package func changeCounter() throws(StoreError) -> Int64 { try rows.changeCounter() }

    package func read<R: Sendable>(_ body: (any TokenStoreReading) throws(StoreError) -> R) throws(StoreError) -> R {
        try rows.read { (transaction) throws(StoreError) -> R in
            guard let transaction else { return try body(EmptyReading()) }
            return try body(RecordTransaction(transaction, sweep: sweep))
        }
    }

    package func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try rows.write(durability) { (transaction) throws(StoreError) -> R in
            try body(RecordTransaction(transaction, sweep: sweep))
        }
    }

    package func wipe() throws(StoreError) { try maintenance.clear(rows) }

    /// The current figures about the content of the store.
    func statistics(now: Date) throws(StoreError) -> StoreStatistics {
        try maintenance.statistics(of: rows, now: now)
    }
}

// MARK: - Maintenance

extension SQLiteStore {
    /// The last repair of damage by this process; normally `nil`. ``StoreRecoveryReport/history(of:)`` has those of all
    /// processes.
    package var recovered: StoreRecoveryReport? { rows.recovered }

    /// Replaces all keys. See ``StoreMaintenance/rotateKeys(of:keyAccess:)``.
    package func rotateKeys(_ keyAccess: KeyAccessOptions) throws(StoreError) {
        try maintenance.rotateKeys(of: rows, keyAccess: keyAccess)
    }

    /// Moves the key to another provider. See ``StoreMaintenance/moveKey(of:to:keyAccess:)``.
    func moveKey(to provider: (any KeyProvider)?, keyAccess: KeyAccessOptions) throws(StoreError) {
        try maintenance.moveKey(of: rows, to: provider, keyAccess: keyAccess)
    }

    /// Deletes everything and starts with a new key. See ``StoreMaintenance/reset(_:keyAccess:)``.
    func reset(_ keyAccess: KeyAccessOptions) throws(StoreError) {
        try maintenance.reset(rows, keyAccess: keyAccess)
    }

    /// Repairs a store whose keys cannot be verified. See ``StoreMaintenance/repair(_:keyAccess:)``.
    package func repair(_ keyAccess: KeyAccessOptions) throws(StoreError) -> [StoreRecoveryReport] {
        try maintenance.repair(rows, keyAccess: keyAccess)
    }

    /// Deletes every record and extra item, but not older copies next to the store. Does not create a store if none
    /// exists.
    package func deleteAllRecords() throws(StoreError) { try maintenance.deleteRows(of: rows) }

    /// The faults that SQLite finds in the file, one per element; empty for an intact file and for a missing one.
    package func damage() throws(StoreError) -> [String] { try maintenance.damage(of: rows) }
}

extension StoreStatistics {
    /// The number of records of each kind; kinds without records may be missing.
    package var records: [RecordKind: Int] {
        rows.reduce(into: [:]) { counts, row in
            if let kind = RecordKind(rawValue: row.key) { counts[kind] = row.value }
        }
    }
}

/// A read transaction without a store.
private struct EmptyReading: TokenStoreReading {
    func record(_ identity: RecordIdentity) throws(StoreError) -> CacheRecord? { nil }
    func changeNumber(of identity: RecordIdentity) throws(StoreError) -> Int64? { nil }
    func version(ofAccount homeAccountID: String?) throws(StoreError) -> RecordVersion { RecordVersion() }
    func accounts(_ accounts: [String], withRefreshTokenOf owner: RefreshTokenOwner) throws(StoreError) -> Set<String> {
        []
    }
    func records(_ filter: RecordFilter) throws(StoreError) -> [CacheRecord] { [] }
    func extras() throws(StoreError) -> [ExtraItem] { [] }
    func lease(_ name: String) throws(StoreError) -> RefreshLease? { nil }
}
