// Licensed under the MIT License. See LICENSE.

import MSALBase
package import SealedStore

/// The changes made by an import.
package struct ImportReport: Sendable, Hashable {
    /// The results for the records of one kind.
    package struct Counts: Sendable, Hashable {
        var added = 0
        var updated = 0
        /// The store had the same record, or a newer one.
        var unchanged = 0
    }

    var records: [RecordKind: Counts] = [:]
    /// Unusable entries and unknown sections, kept for the next export.
    var extras = 0
    /// Account metadata of other libraries, which is not imported.
    var ignored = 0
}

extension TokenStore {
    /// Merges a document into the store, in one transaction. Nothing is deleted.
    ///
    /// Of two records with the same identity, the newer one is kept. Sign-in states do not change: an account that was
    /// signed out here stays signed out (docs/reference/Cache.md#import-sign-in).
    ///
    /// - Throws: If the store cannot be written; it is unchanged then.
    package func merge(_ document: CacheDocument) throws(StoreError) -> ImportReport {
        try write(.full) { (transaction) throws(StoreError) -> ImportReport in try transaction.merge(document) }
    }
}

extension TokenStoreWriting {
    func merge(_ document: CacheDocument) throws(StoreError) -> ImportReport {
        var report = ImportReport(extras: document.extras.count, ignored: document.ignoredCount)
        for record in inPlaces(document.records) {
            var counts = report.records[record.kind] ?? ImportReport.Counts()
            if let held = try self.record(record.identity) {
                let merged = record.merged(with: held)
                if merged == held {
                    counts.unchanged += 1
                } else {
                    try save(merged)
                    counts.updated += 1
                }
            } else {
                try save(record)
                counts.added += 1
            }
            report.records[record.kind] = counts
        }
        try merge(document.extras)
        return report
    }

    /// The records in storage order. In any other order, a store on disk would write the same pages again and again.
    private func inPlaces(_ records: [CacheRecord]) -> some Sequence<CacheRecord> {
        var places: [String: UInt64] = [:]
        var order: [(place: UInt64, position: Int)] = []
        order.reserveCapacity(records.count)
        for (position, record) in records.enumerated() {
            guard let account = record.keys.homeAccountID else {
                order.append((0, position))
                continue
            }
            let place = places[account] ?? place(ofAccount: account)
            places[account] = place
            order.append((place, position))
        }
        order.sort { ($0.place, $0.position) < ($1.place, $1.position) }
        return order.lazy.map { records[$0.position] }
    }

    /// Adds the items that are not used for lookups. The members of an unknown section are merged.
    private func merge(_ items: [ExtraItem]) throws(StoreError) {
        guard !items.isEmpty else { return }
        let held = Dictionary(grouping: try extras(), by: \.section)
        for item in items {
            let older = held[item.section]?.first { $0.name == item.name }?.value
            if older == item.value { continue }
            var value = item.value
            if item.name.isEmpty, let old = older?.object, let new = value.object {
                value = .object(old.merging(new) { _, new in new })
            }
            try saveExtra(ExtraItem(section: item.section, name: item.name, value: value))
        }
    }
}
