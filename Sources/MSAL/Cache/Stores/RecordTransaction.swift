// Licensed under the MIT License. See LICENSE.

import Foundation
package import SealedStore

/// A transaction on a token store on disk, which converts between records and rows.
///
/// The indexes of the terms find the rows. Then ``RecordFilter/matches(_:)`` decides which of them match.
package struct RecordTransaction: TokenStoreWriting {
    private let rows: RowTransaction
    private let sweep: StoreSweep

    init(_ rows: RowTransaction, sweep: StoreSweep) {
        self.rows = rows
        self.sweep = sweep
    }

    /// The number of rows that it has opened, whether or not their records matched.
    package var openedRows: Int { rows.openedRows }

    package func record(_ identity: RecordIdentity) throws(StoreError) -> CacheRecord? {
        guard let payload = try rows.payload(ofKind: identity.kind.rawValue, identity: identity.row) else { return nil }
        return record(identity.kind, payload: payload)
    }

    package func changeNumber(of identity: RecordIdentity) throws(StoreError) -> Int64? {
        try rows.changeNumber(of: identity.row)
    }

    package func version(ofAccount homeAccountID: String?) throws(StoreError) -> RecordVersion {
        let version = try rows.version(ofAccount: homeAccountID?.normalizedKey)
        return RecordVersion(store: version.store, sum: version.sum, count: version.count)
    }

    package func accounts(
        _ accounts: [String],
        withRefreshTokenOf owner: RefreshTokenOwner
    ) throws(StoreError) -> Set<String> {
        let names = Dictionary(grouping: accounts, by: \.normalizedKey)
        let present = try rows.accounts(Array(names.keys), having: owner.presence)
        return Set(present.flatMap { names[$0] ?? [] })
    }

    package func records(_ filter: RecordFilter) throws(StoreError) -> [CacheRecord] {
        var records: [CacheRecord] = []
        try rows.payloads(filter.query) { payload in
            guard let record = record(filter.kind, payload: payload), filter.matches(record) else { return }
            records.append(record)
        }
        return records
    }

    package func save(_ record: CacheRecord) throws(StoreError) { try rows.save(record.row) }

    package func delete(_ identity: RecordIdentity) throws(StoreError) { try rows.delete(identity.row) }

    package func place(ofAccount homeAccountID: String) -> UInt64 { rows.place(ofAccount: homeAccountID) }

    package func deleteAll() throws(StoreError) { try rows.deleteAll() }

    package func purgeAccessTokens(expiredBefore date: Date) throws(StoreError) { try sweep.run(in: rows, now: date) }

    package func extras() throws(StoreError) -> [ExtraItem] {
        let items = try rows.extras().compactMap { payload in
            let item = ExtraItem(payload: payload)
            if item == nil { rows.noteUnreadable() }
            return item
        }
        return items.sorted { ($0.section, $0.name) < ($1.section, $1.name) }
    }

    package func saveExtra(_ item: ExtraItem) throws(StoreError) { try rows.saveExtra(item.plain) }

    package func deleteExtra(section: String, name: String) throws(StoreError) {
        try rows.deleteExtra(ExtraItem.identity(section: section, name: name))
    }

    package func lease(_ name: String) throws(StoreError) -> RefreshLease? {
        guard let note = try rows.lease(name) else { return nil }
        return RefreshLease(name: name, holder: note.holder, until: note.until)
    }

    package func saveLease(_ lease: RefreshLease) throws(StoreError) {
        try rows.saveLease(LeaseNote(holder: lease.holder, until: lease.until), as: lease.name)
    }

    package func deleteLease(_ name: String) throws(StoreError) { try rows.deleteLease(name) }

    private func record(_ kind: RecordKind, payload: Data) -> CacheRecord? {
        let record = CacheRecord(kind: kind, payload: payload)
        if record == nil { rows.noteUnreadable() }
        return record
    }
}
