// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALSupport
package import SealedStore
import Synchronization

/// A store that lives as long as the process. It serves tests, apps that ask for it, and users without a home
/// directory.
package final class MemoryStore: TokenStore {
    /// The largest number of records that a store keeps by default (docs/reference/Store.md#sweep).
    package static let defaultCap = 250_000

    private let contents = Mutex(Contents())
    private let cap: Int

    /// `cap`: The number of records that may stay after a sweep. A negative number counts as zero.
    package init(cap: Int = MemoryStore.defaultCap) {
        self.cap = max(0, cap)
    }

    package var isPrepared: Bool { true }

    package func prepare(_ patience: KeyPatience, for use: StoreUse) throws(StoreError) {}

    package func changeCounter() throws(StoreError) -> Int64 {
        contents.withLock(\.counter)
    }

    package func read<R: Sendable>(
        _ body: (any TokenStoreReading) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let snapshot = contents.withLock(\.self)
        return try body(MemoryTransaction(snapshot, cap: cap))
    }

    package func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try contents.withLock { (contents) throws(StoreError) -> R in
            // The work happens on a copy, so that a failing body leaves nothing behind.
            let transaction = MemoryTransaction(contents, cap: cap)
            let result = try body(transaction)
            guard transaction.hasChanged else { return result }
            contents = transaction.contents
            contents.counter += 1
            return result
        }
    }
}

/// The records by kind and account, so that a lookup need not walk over other people's tokens.
private struct Contents: Sendable {
    /// A record with its place in the order of changes.
    struct Entry: Sendable {
        let record: CacheRecord
        let number: Int64
    }

    struct ExtraName: Sendable, Hashable, Comparable {
        let section: String
        let name: String

        static func < (left: Self, right: Self) -> Bool { (left.section, left.name) < (right.section, right.name) }
    }

    var counter: Int64 = 0
    /// The number of records saved so far. It orders the changes, because clocks cannot.
    var saves: Int64 = 0
    var lastPurge: Date?
    var records: [RecordKind: [String: [RecordIdentity: Entry]]] = [:]
    var extras: [ExtraName: JSONValue] = [:]
    var leases: [String: RefreshLease] = [:]
}

private final class MemoryTransaction: TokenStoreWriting {
    private(set) var contents: Contents {
        didSet { hasChanged = true }
    }
    /// Whether there is anything to keep.
    private(set) var hasChanged = false
    private let cap: Int

    init(_ contents: Contents, cap: Int) {
        self.contents = contents
        self.cap = cap
    }

    func record(_ identity: RecordIdentity) throws(StoreError) -> CacheRecord? {
        contents.records[identity.kind]?[identity.account]?[identity]?.record
    }

    func changeNumber(of identity: RecordIdentity) throws(StoreError) -> Int64? {
        contents.records[identity.kind]?[identity.account]?[identity]?.number
    }

    func version(ofAccount homeAccountID: String?) throws(StoreError) -> RecordVersion {
        var version = RecordVersion()
        for accounts in contents.records.values {
            guard let entries = accounts[homeAccountID?.normalizedKey ?? ""]?.values else { continue }
            version.count += Int64(entries.count)
            version.sum = entries.reduce(version.sum) { $0 &+ $1.number }
        }
        return version
    }

    func accounts(_ accounts: [String], withRefreshTokenOf owner: RefreshTokenOwner) throws(StoreError) -> Set<String> {
        let holders = contents.records[.refreshToken] ?? [:]
        return Set(
            accounts.filter { account in
                holders[account.normalizedKey]?.values.contains {
                    if case .refreshToken(let token) = $0.record { owner.owns(token) } else { false }
                } ?? false
            }
        )
    }

    func records(_ filter: RecordFilter) throws(StoreError) -> [CacheRecord] {
        entries(filter).map(\.record)
    }

    func save(_ record: CacheRecord) throws(StoreError) {
        let identity = record.identity
        contents.saves += 1
        contents.records[identity.kind, default: [:]][identity.account, default: [:]][identity] =
            Contents.Entry(record: record, number: contents.saves)
    }

    func delete(_ identity: RecordIdentity) throws(StoreError) {
        contents.records[identity.kind]?[identity.account]?[identity] = nil
    }

    func extras() throws(StoreError) -> [ExtraItem] {
        contents.extras.sorted { $0.key < $1.key }.map {
            ExtraItem(section: $0.key.section, name: $0.key.name, value: $0.value)
        }
    }

    func saveExtra(_ item: ExtraItem) throws(StoreError) {
        contents.extras[Contents.ExtraName(section: item.section, name: item.name)] = item.value
    }

    func deleteExtra(section: String, name: String) throws(StoreError) {
        contents.extras[Contents.ExtraName(section: section, name: name)] = nil
    }

    func lease(_ name: String) throws(StoreError) -> RefreshLease? {
        contents.leases[name]
    }

    func saveLease(_ lease: RefreshLease) throws(StoreError) {
        contents.leases[lease.name] = lease
    }

    func deleteLease(_ name: String) throws(StoreError) {
        contents.leases[name] = nil
    }

    func purgeAccessTokens(expiredBefore date: Date) throws(StoreError) {
        if let last = contents.lastPurge, last <= date, date.timeIntervalSince(last) < 3600 { return }
        contents.lastPurge = date
        var kept: [Contents.Entry] = []
        for entry in entries(RecordFilter(.accessToken)) {
            if entry.record.finalExpiry.map({ $0 < date }) ?? false {
                try delete(entry.record.identity)
            } else {
                kept.append(entry)
            }
        }
        let count = contents.records.values.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } }
        guard count > cap else { return }
        let oldest = kept.sorted { $0.number < $1.number }.prefix(count - cap)
        for entry in oldest { try delete(entry.record.identity) }
    }

    func deleteAll() throws(StoreError) {
        contents.records = [:]
        contents.extras = [:]
    }

    private func entries(_ filter: RecordFilter) -> [Contents.Entry] {
        guard let accounts = contents.records[filter.kind] else { return [] }
        if let homeAccountID = filter.homeAccountID {
            let matches = accounts[homeAccountID]?.values.filter { filter.matches($0.record) } ?? []
            return matches.sorted { $0.number > $1.number }
        }
        return accounts.values.flatMap { $0.values.filter { filter.matches($0.record) } }
    }
}

extension CacheRecord {
    /// The end of any use of an access token.
    fileprivate var finalExpiry: Date? {
        if case .accessToken(let token) = self { token.finalExpiry } else { nil }
    }
}

extension RecordIdentity {
    /// The account the record belongs to; empty for records that belong to none.
    fileprivate var account: String {
        switch kind {
        case .accessToken, .refreshToken, .idToken, .account: parts.first ?? ""
        case .accountMetadata: parts.last ?? ""
        case .appMetadata: ""
        }
    }
}
