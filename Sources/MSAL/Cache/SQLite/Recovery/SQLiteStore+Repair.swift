// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import MSALSupport
import Synchronization

extension SQLiteStore {
    /// Mends a store that nothing vouches for, because somebody asked for it: what the store's key still opens is sealed
    /// with new keys and signed, and everything else goes. What was there before is kept beside it.
    ///
    /// Nothing happens to a store that is sound, or where there is none.
    ///
    /// - Returns: What was done: nothing; what damage took; what changed keys took; or both, one after the other.
    /// - Throws: `.keyUnavailable` if the key cannot be had: then nobody knows what could be kept. `.tooNew`, `.tooOld`,
    ///   `.foreign` for a file that is not for this version of the library to mend. `.full`, `.unwritable`, `.busy`.
    package func repair(_ patience: KeyPatience) throws(StoreError) -> [StoreRecovered] {
        forgetKeys()
        var reports: [StoreRecovered] = []
        func mend(isCertain: Bool) throws(StoreError) {
            guard let report = try recovery.mend(file.identity, isCertain: isCertain, vouch: { _ in }) else { return }
            connections.withLock { leave(&$0, for: nil) }
            reports.append(report)
        }
        try mend(isCertain: false)
        do throws(StoreError) {
            let report = try repeating(evenIfBusy: false) { () throws(StoreError) -> StoreRecovered? in
                guard let stored = try storedKeys() else { return nil }
                return try repairKeys(of: stored, patience)
            }
            if let report { reports.append(report) }
        } catch {
            guard error.kind == .unverified else { throw error }
            // Nothing is left that a key could open.
            try mend(isCertain: true)
        }
        forgetKeys()
        note(reports.last)
        return reports
    }

    /// - Throws: `.unverified` if no wrapped key is left.
    private func repairKeys(of stored: StoredKeys, _ patience: KeyPatience) throws(StoreError) -> StoreRecovered? {
        if stored.wrapping.provider == .none, stored.rows.isEmpty {
            try keySource.admit(.none, location, patience)
            return nil
        }
        guard stored.rows.contains(where: { !$0.wrapped.isEmpty }) else { throw StoreError.unverified(location) }
        let (provider, key) = try findKey(of: stored, patience)
        if stored.wrapping == StoredKeys.WrappingKey(provider: provider, id: key.id), key.mac.vouches(for: stored) {
            return nil
        }
        guard let writer = try presentWriter() else { throw StaleKeys.error }
        // Named by who is alone with the file: what another process put aside meanwhile is that one's.
        var created: Quarantine?
        let report: StoreRecovered
        do throws(StoreError) {
            report = try transaction(writer, .full) { db in
                try StoredKeys.check(db, store: stored.store, generation: stored.generation)
                let quarantine = Quarantine.new(in: location.directory, at: time.now)
                try quarantine.create(isNew: true)
                created = quarantine
                try file.copy(to: quarantine.path + "/" + StoreLocation.fileName)
                return try sealAnew(db, stored, provider, key, quarantine)
            }
        } catch {
            if let created { try? FileManager.default.removeItem(atPath: created.path) }
            throw error
        }
        if let created { finish(report, created) }
        return report
    }

    /// The key that opens at least one of the data keys. The file's own word is tried first; but that may be what was
    /// changed.
    private func findKey(
        of stored: StoredKeys,
        _ patience: KeyPatience
    ) throws(StoreError) -> (KeyProviderKind, WrappingKey) {
        var failure: StoreError?
        let recorded = stored.wrapping.provider
        let ids = [stored.wrapping.id] + Set(stored.rows.map(\.wrappedBy)).subtracting([stored.wrapping.id]).sorted()
        for kind in [recorded] + KeyProviderKind.allCases.filter({ $0 != recorded }) where kind != .none {
            do throws(StoreError) {
                try keySource.admit(kind, location, patience)
                guard let provider = try keySource.provider(kind) else { continue }
                for id in ids where KeyName.isID(id) {
                    guard let found = try provider.key(keyName(store: stored.store, id: id), patience) else { continue }
                    let key = try WrappingKey(id: id, store: stored.store, found)
                    if key.opensAny(of: stored.rows) { return (kind, key) }
                    failure = failure ?? wrongKey(kind)
                }
            } catch {
                // The place that the file names has the first word; others are only tried.
                failure = failure ?? error
            }
        }
        throw failure ?? missingKey(recorded)
    }

    private func sealAnew(
        _ db: Database,
        _ stored: StoredKeys,
        _ provider: KeyProviderKind,
        _ key: WrappingKey,
        _ quarantine: Quarantine
    ) throws -> StoreRecovered {
        let founding = try StoreFounding(provider, key, created: seconds, since: StoredKeys.counter(db))
        let used = try Set(String?.fetchAll(db, sql: "SELECT key_id FROM record UNION SELECT key_id FROM extra"))
        let old = try KeyRing(reading: stored, key, alsoNamed: used.compactMap(\.self))
        try rewrite(db, from: old, to: founding, generation: stored.generation)
        // What was not sealed anew, no key opens, or was never sealed.
        try db.execute(sql: "DELETE FROM lease")
        let isLost = "key_id IS NOT ?"
        let arguments: StatementArguments = [founding.keys.first { $0.state == .active }?.id]
        try db.execute(sql: "DELETE FROM extra WHERE \(isLost)", arguments: arguments)
        try db.execute(sql: "DELETE FROM record WHERE \(isLost)", arguments: arguments)
        let lost = db.changesCount
        try StoredKeys.advance(db)
        try StoredKeys.sign(db, location, key.mac)
        return StoreRecovered(
            time: time.now,
            rowsKept: try Int.fetchOne(db, sql: "SELECT count(*) FROM record") ?? 0,
            rowsLost: lost,
            quarantine: quarantine.path
        )
    }
}
