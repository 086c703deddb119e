// Licensed under the MIT License. See LICENSE.

import SealedStore

/// Records that differ from those of the underlying store.
struct RecordChanges: Sendable {
    fileprivate struct Entry: Sendable {
        /// `nil` for a deleted record.
        let record: CacheRecord?
        /// Increases with each change.
        let order: Int
    }

    fileprivate var entries: [RecordIdentity: Entry] = [:]
    fileprivate var count = 0
}

/// A transaction whose changes stay in memory, on top of a state of the underlying store. Only token responses are
/// stored in it, which change nothing but records.
final class BufferTransaction: TokenStoreWriting {
    /// The underlying store, without the changes on top of it; `nil` if it cannot be read.
    let base: (any TokenStoreReading)?
    private(set) var changes: RecordChanges
    /// Distinguishes the states of the underlying store and of the list of waiting responses.
    private let state: [Int64]

    init(over base: (any TokenStoreReading)?, state: [Int64] = [], changes: RecordChanges = RecordChanges()) {
        self.base = base
        self.state = state
        self.changes = changes
    }

    func record(_ identity: RecordIdentity) throws(StoreError) -> CacheRecord? {
        if let entry = changes.entries[identity] { return entry.record }
        return try base?.record(identity)
    }

    /// The number in the underlying store because only other processes' changes matter to the caller.
    func changeNumber(of identity: RecordIdentity) throws(StoreError) -> Int64? {
        try base?.changeNumber(of: identity)
    }

    func version(ofAccount homeAccountID: String?) throws(StoreError) -> RecordVersion {
        var version = try base?.version(ofAccount: homeAccountID) ?? RecordVersion()
        // It does not matter whose records have changed: they are few, and soon written.
        guard !changes.entries.isEmpty else { return version }
        var hasher = Hasher()
        hasher.combine(state)
        hasher.combine(changes.count)
        version.waiting = hasher.finalize() | 1
        return version
    }

    func accounts(_ accounts: [String], withRefreshTokenOf owner: RefreshTokenOwner) throws(StoreError) -> Set<String> {
        let changed = Set(changes.entries.keys.filter { $0.kind == .refreshToken }.compactMap(\.parts.first))
        let touched = accounts.filter { changed.contains($0.normalizedKey) }
        let untouched = accounts.filter { !changed.contains($0.normalizedKey) }
        var present = try base?.accounts(untouched, withRefreshTokenOf: owner) ?? []
        for account in touched {
            let tokens = try refreshTokens(RecordFilter(.refreshToken, homeAccountID: account))
            if tokens.contains(where: owner.owns) { present.insert(account) }
        }
        return present
    }

    func records(_ filter: RecordFilter) throws(StoreError) -> [CacheRecord] {
        let changed = changes.entries.values.sorted { $0.order > $1.order }.compactMap(\.record)
        let untouched = try base?.records(filter).filter { changes.entries[$0.identity] == nil } ?? []
        return changed.filter(filter.matches) + untouched
    }

    func extras() throws(StoreError) -> [ExtraItem] { try base?.extras() ?? [] }

    func lease(_ name: String) throws(StoreError) -> RefreshLease? { try base?.lease(name) }

    func save(_ record: CacheRecord) throws(StoreError) { change(record.identity, to: record) }

    func delete(_ identity: RecordIdentity) throws(StoreError) { change(identity, to: nil) }

    private func change(_ identity: RecordIdentity, to record: CacheRecord?) {
        changes.count += 1
        changes.entries[identity] = RecordChanges.Entry(record: record, order: changes.count)
    }

    // Token responses do not need these. The underlying store sweeps itself once it is writable again.
    func saveExtra(_ item: ExtraItem) throws(StoreError) {}
    func deleteExtra(section: String, name: String) throws(StoreError) {}
    func saveLease(_ lease: RefreshLease) throws(StoreError) {}
    func deleteLease(_ name: String) throws(StoreError) {}
    func purgeAccessTokens(expiredBefore date: Date) throws(StoreError) {}
    func deleteAll() throws(StoreError) {}
}
