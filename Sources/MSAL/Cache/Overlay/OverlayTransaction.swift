// Licensed under the MIT License. See LICENSE.

import SealedStore

/// What differs from the store beneath.
struct OverlayChanges: Sendable {
    struct Entry: Sendable {
        /// `nil` for a deleted record.
        let record: CacheRecord?
        /// Grows with each change.
        let order: Int
    }

    fileprivate(set) var records: [RecordIdentity: Entry] = [:]
    fileprivate(set) var extras: [ExtraName: ExtraItem?] = [:]
    fileprivate(set) var leases: [String: RefreshLease?] = [:]
    /// Whether nothing of the store beneath counts any more.
    fileprivate(set) var isCleared = false
    fileprivate var count = 0

    var isEmpty: Bool { count == 0 }

    struct ExtraName: Hashable {
        let section: String
        let name: String
    }
}

/// A transaction whose changes stay in memory, over a state of the store beneath.
final class OverlayTransaction: TokenStoreWriting {
    /// What is beneath, whatever was changed above it.
    let base: (any TokenStoreReading)?
    private(set) var changes: OverlayChanges

    /// `base`: `nil` if there is nothing beneath.
    init(_ base: (any TokenStoreReading)?, _ changes: OverlayChanges) {
        self.base = base
        self.changes = changes
    }

    private var beneath: (any TokenStoreReading)? { changes.isCleared ? nil : base }

    func record(_ identity: RecordIdentity) throws(StoreError) -> CacheRecord? {
        if let entry = changes.records[identity] { return entry.record }
        return try beneath?.record(identity)
    }

    /// That of the store beneath: only others' changes matter to who asks.
    func changeNumber(of identity: RecordIdentity) throws(StoreError) -> Int64? {
        try base?.changeNumber(of: identity)
    }

    func records(_ filter: RecordFilter) throws(StoreError) -> [CacheRecord] {
        let changed = changes.records.values.sorted { $0.order > $1.order }.compactMap(\.record)
        let untouched = try beneath?.records(filter).filter { changes.records[$0.identity] == nil } ?? []
        return changed.filter(filter.matches) + untouched
    }

    func extras() throws(StoreError) -> [ExtraItem] {
        let untouched = try beneath?.extras().filter { changes.extras[$0.overlayName] == nil } ?? []
        return (untouched + changes.extras.values.compactMap(\.self)).sorted {
            ($0.section, $0.name) < ($1.section, $1.name)
        }
    }

    func lease(_ name: String) throws(StoreError) -> RefreshLease? {
        if let lease = changes.leases[name] { return lease }
        return try beneath?.lease(name)
    }

    func save(_ record: CacheRecord) throws(StoreError) {
        note { $0.records[record.identity] = OverlayChanges.Entry(record: record, order: $0.count) }
    }

    func delete(_ identity: RecordIdentity) throws(StoreError) {
        note { $0.records[identity] = OverlayChanges.Entry(record: nil, order: $0.count) }
    }

    func saveExtra(_ item: ExtraItem) throws(StoreError) {
        note { $0.extras[item.overlayName] = .some(item) }
    }

    func deleteExtra(section: String, name: String) throws(StoreError) {
        note { $0.extras[OverlayChanges.ExtraName(section: section, name: name)] = .some(nil) }
    }

    func saveLease(_ lease: RefreshLease) throws(StoreError) {
        note { $0.leases[lease.name] = .some(lease) }
    }

    func deleteLease(_ name: String) throws(StoreError) {
        note { $0.leases[name] = .some(nil) }
    }

    /// Nothing: what is in memory is little, and the store beneath sweeps itself when it can be written again.
    func purgeAccessTokens(expiredBefore date: Date) throws(StoreError) {}

    func deleteAll() throws(StoreError) {
        note { changes in
            changes.records = [:]
            changes.extras = [:]
            changes.leases = [:]
            changes.isCleared = true
        }
    }

    private func note(_ change: (inout OverlayChanges) -> Void) {
        changes.count += 1
        change(&changes)
    }
}

extension ExtraItem {
    fileprivate var overlayName: OverlayChanges.ExtraName {
        OverlayChanges.ExtraName(section: section, name: name)
    }
}
