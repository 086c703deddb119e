// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import SealedStore

/// A transaction on the contents of a ``MemoryStore``.
///
/// It has exclusive access and changes the contents in place. It records the old values, and restores them if the body
/// fails.
final class MemoryTransaction: TokenStoreWriting {
    /// An old value.
    private enum Change {
        case record(RecordIdentity, MemoryEntry?)
        case extra(MemoryContents.ExtraName, JSONValue?)
        case lease(String, RefreshLease?)
        case lastPurge(Date?)
        /// Everything was deleted. These are the old contents.
        case all(MemoryContents)
    }

    private var contents: MemoryContents
    private var changes: [Change] = []
    private let cap: Int

    /// Moves the contents out of `contents` until ``restore(to:)``. If two values referenced them, the first change
    /// would copy them.
    init(taking contents: inout MemoryContents, cap: Int) {
        self.contents = contents
        self.cap = cap
        contents = MemoryContents()
    }

    func restore(to contents: inout MemoryContents) {
        contents = self.contents
        self.contents = MemoryContents()
        changes = []
    }

    /// Reverts all changes.
    func rollBack() {
        for change in changes.reversed() {
            switch change {
            case .record(let identity, nil): contents.remove(identity)
            case .record(let identity, let entry?): contents.put(entry, identity: identity)
            case .extra(let name, let value): contents.extras[name] = value
            case .lease(let name, let lease): contents.leases[name] = lease
            case .lastPurge(let date): contents.lastPurge = date
            case .all(let before): contents = before
            }
        }
        changes = []
    }

    /// Whether there are changes to keep.
    var hasChanged: Bool { !changes.isEmpty }

    func record(_ identity: RecordIdentity) throws(StoreError) -> CacheRecord? { contents.entry(identity)?.record }

    func changeNumber(of identity: RecordIdentity) throws(StoreError) -> Int64? { contents.entry(identity)?.number }

    func version(ofAccount homeAccountID: String?) throws(StoreError) -> RecordVersion {
        var version = RecordVersion()
        guard let account = contents.account(homeAccountID?.normalizedKey ?? "") else { return version }
        version.sum = account.sum
        version.count = Int64(account.entries.count)
        return version
    }

    func accounts(_ accounts: [String], withRefreshTokenOf owner: RefreshTokenOwner) throws(StoreError) -> Set<String> {
        Set(
            accounts.filter { account in
                contents.account(account.normalizedKey)?.entries.contains {
                    if case .refreshToken(let token) = $0.record { owner.owns(token) } else { false }
                } ?? false
            }
        )
    }

    func records(_ filter: RecordFilter) throws(StoreError) -> [CacheRecord] { contents.entries(filter).map(\.record) }

    func save(_ record: CacheRecord) throws(StoreError) {
        let identity = record.identity
        contents.saves += 1
        let entry = MemoryEntry(record, identity: identity, number: contents.saves)
        changes.append(.record(identity, contents.put(entry, identity: identity)))
    }

    func delete(_ identity: RecordIdentity) throws(StoreError) {
        guard let old = contents.remove(identity) else { return }
        changes.append(.record(identity, old))
    }

    func extras() throws(StoreError) -> [ExtraItem] {
        contents.extras.sorted { $0.key < $1.key }.map {
            ExtraItem(section: $0.key.section, name: $0.key.name, value: $0.value)
        }
    }

    func saveExtra(_ item: ExtraItem) throws(StoreError) {
        let name = MemoryContents.ExtraName(section: item.section, name: item.name)
        changes.append(.extra(name, contents.extras.updateValue(item.value, forKey: name)))
    }

    func deleteExtra(section: String, name: String) throws(StoreError) {
        let name = MemoryContents.ExtraName(section: section, name: name)
        guard let old = contents.extras.removeValue(forKey: name) else { return }
        changes.append(.extra(name, old))
    }

    func lease(_ name: String) throws(StoreError) -> RefreshLease? { contents.leases[name] }

    func saveLease(_ lease: RefreshLease) throws(StoreError) {
        changes.append(.lease(lease.name, contents.leases.updateValue(lease, forKey: lease.name)))
    }

    func deleteLease(_ name: String) throws(StoreError) {
        guard let old = contents.leases.removeValue(forKey: name) else { return }
        changes.append(.lease(name, old))
    }

    func purgeAccessTokens(expiredBefore date: Date) throws(StoreError) {
        if let last = contents.lastPurge, last <= date, date.timeIntervalSince(last) < 3600 { return }
        changes.append(.lastPurge(contents.lastPurge))
        contents.lastPurge = date
        for (name, lease) in contents.leases where lease.until < date { try deleteLease(name) }
        var kept: [MemoryEntry] = []
        for entry in contents.entries(RecordFilter(.accessToken)) {
            if entry.record.finalExpiry.map({ $0 < date }) ?? false {
                try delete(entry.record.identity)
            } else {
                kept.append(entry)
            }
        }
        guard contents.count > cap else { return }
        let oldest = kept.sorted { $0.number < $1.number }.prefix(contents.count - cap)
        for entry in oldest { try delete(entry.record.identity) }
    }

    func deleteAll() throws(StoreError) {
        changes.append(.all(contents))
        contents.removeAllRecords()
        contents.extras = [:]
    }
}

// MARK: - Exports

extension MemoryTransaction {
    /// Whether an export would differ from one before the transaction.
    ///
    /// Compares only the changed records, so the cost does not depend on the size of the store. If records share an
    /// export key, the result may be `true` although the texts are equal.
    var changesExport: Bool {
        // The first of several changes to the same record has the value from before the transaction.
        var seen: Set<RecordIdentity> = []
        var seenExtras: Set<MemoryContents.ExtraName> = []
        for change in changes {
            switch change {
            case .record(let identity, let entry):
                guard seen.insert(identity).inserted else { continue }
                if CacheExport.differs(from: entry?.record, to: contents.entry(identity)?.record) { return true }
            case .extra(let name, let value):
                guard seenExtras.insert(name).inserted else { continue }
                if contents.extras[name] != value { return true }
            case .all(let before):
                if before.count > 0 || !before.extras.isEmpty { return true }
            case .lease, .lastPurge:
                break
            }
        }
        return false
    }
}

extension CacheRecord {
    /// The time after which an access token can no longer be used at all.
    fileprivate var finalExpiry: Date? { if case .accessToken(let token) = self { token.finalExpiry } else { nil } }
}
