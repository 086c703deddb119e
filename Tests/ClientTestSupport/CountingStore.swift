// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSAL
package import SealedStore
import Synchronization

/// The operations of a store.
package struct StoreWork: Sendable, Hashable {
    /// Reads of the change counter.
    package var looks = 0
    package var reads = 0
    package var writes = 0
    /// Records that were returned.
    package var records = 0
    /// Rows of a store on disk that were decrypted, whether or not their records matched and were returned.
    package var opened = 0
    /// ID tokens among them. Their claims may have to be decoded.
    package var idTokens = 0
    /// Queries that an index satisfies, for which nothing is decrypted.
    package var questions = 0
    /// Records and extra items that were saved or deleted. Deleting everything is one change.
    package var changes = 0
    /// Leases that were read, saved or deleted.
    package var leases = 0
    /// Sweeps of what has expired.
    package var sweeps = 0

    package init() {}
}

/// A store that counts its operations and passes them on to another store.
package final class CountingStore: TokenStore {
    private let base: any TokenStore
    private let counts = Mutex(StoreWork())

    package init(_ base: any TokenStore) {
        self.base = base
    }

    /// The work since the last call of this method.
    package func takeWork() -> StoreWork {
        counts.withLock { counts in
            defer { counts = StoreWork() }
            return counts
        }
    }

    package var isPrepared: Bool { base.isPrepared }

    package func prepare(_ keyAccess: KeyAccessOptions, for use: StoreUse) throws(StoreError) {
        try base.prepare(keyAccess, for: use)
    }

    package func changeCounter() throws(StoreError) -> Int64 {
        note { $0.looks += 1 }
        return try base.changeCounter()
    }

    package func read<R: Sendable>(
        _ body: (any TokenStoreReading) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        note { $0.reads += 1 }
        return try base.read { (reading) throws(StoreError) -> R in
            defer { noteOpened(by: reading) }
            return try body(CountingReading(reading, self))
        }
    }

    package func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        note { $0.writes += 1 }
        return try base.write(durability) { (writing) throws(StoreError) -> R in
            defer { noteOpened(by: writing) }
            return try body(CountingWriting(writing, self))
        }
    }

    package func wipe() throws(StoreError) { try base.wipe() }

    fileprivate func note(_ change: (inout StoreWork) -> Void) { counts.withLock { change(&$0) } }

    private func noteOpened(by transaction: any TokenStoreReading) {
        guard let transaction = transaction as? RecordTransaction else { return }
        note { $0.opened += transaction.openedRows }
    }

    fileprivate func note(_ records: [CacheRecord]) {
        note { work in
            work.records += records.count
            work.idTokens += records.count { $0.kind == .idToken }
        }
    }
}

/// The reading half of a counted transaction.
private protocol Counting: TokenStoreReading {
    var store: CountingStore { get }
    var reading: any TokenStoreReading { get }
}

extension Counting {
    func record(_ identity: RecordIdentity) throws(StoreError) -> CacheRecord? {
        let record = try reading.record(identity)
        store.note(record.map { [$0] } ?? [])
        return record
    }

    func changeNumber(of identity: RecordIdentity) throws(StoreError) -> Int64? {
        store.note { $0.questions += 1 }
        return try reading.changeNumber(of: identity)
    }

    func version(ofAccount homeAccountID: String?) throws(StoreError) -> RecordVersion {
        store.note { $0.questions += 1 }
        return try reading.version(ofAccount: homeAccountID)
    }

    func accounts(_ accounts: [String], withRefreshTokenOf owner: RefreshTokenOwner) throws(StoreError) -> Set<String> {
        store.note { $0.questions += accounts.count }
        return try reading.accounts(accounts, withRefreshTokenOf: owner)
    }

    func records(_ filter: RecordFilter) throws(StoreError) -> [CacheRecord] {
        let records = try reading.records(filter)
        store.note(records)
        return records
    }

    func extras() throws(StoreError) -> [ExtraItem] {
        let items = try reading.extras()
        store.note { $0.records += items.count }
        return items
    }

    func lease(_ name: String) throws(StoreError) -> RefreshLease? {
        store.note { $0.leases += 1 }
        return try reading.lease(name)
    }
}

private struct CountingReading: Counting {
    let base: any TokenStoreReading
    let store: CountingStore
    var reading: any TokenStoreReading { base }

    init(_ base: any TokenStoreReading, _ store: CountingStore) {
        self.base = base
        self.store = store
    }
}

private struct CountingWriting: Counting, TokenStoreWriting {
    let base: any TokenStoreWriting
    let store: CountingStore
    var reading: any TokenStoreReading { base }

    init(_ base: any TokenStoreWriting, _ store: CountingStore) {
        self.base = base
        self.store = store
    }

    func save(_ record: CacheRecord) throws(StoreError) {
        store.note { $0.changes += 1 }
        try base.save(record)
    }

    func delete(_ identity: RecordIdentity) throws(StoreError) {
        store.note { $0.changes += 1 }
        try base.delete(identity)
    }

    func place(ofAccount homeAccountID: String) -> UInt64 { base.place(ofAccount: homeAccountID) }

    func saveExtra(_ item: ExtraItem) throws(StoreError) {
        store.note { $0.changes += 1 }
        try base.saveExtra(item)
    }

    func deleteExtra(section: String, name: String) throws(StoreError) {
        store.note { $0.changes += 1 }
        try base.deleteExtra(section: section, name: name)
    }

    func saveLease(_ lease: RefreshLease) throws(StoreError) {
        store.note { $0.leases += 1 }
        try base.saveLease(lease)
    }

    func deleteLease(_ name: String) throws(StoreError) {
        store.note { $0.leases += 1 }
        try base.deleteLease(name)
    }

    func purgeAccessTokens(expiredBefore date: Date) throws(StoreError) {
        store.note { $0.sweeps += 1 }
        try base.purgeAccessTokens(expiredBefore: date)
    }

    func deleteAll() throws(StoreError) {
        store.note { $0.changes += 1 }
        try base.deleteAll()
    }
}
