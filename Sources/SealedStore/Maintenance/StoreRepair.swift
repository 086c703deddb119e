// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import MSALBase

/// Repairs a store whose keys cannot be verified, on request of the user.
struct StoreRepair {
    let store: RowStore

    /// - Returns: The reports; empty if nothing was done.
    func run(_ keyAccess: KeyAccessOptions) throws(StoreError) -> [StoreRecoveryReport] {
        store.forgetKeys()
        var reports: [StoreRecoveryReport] = []
        if let report = try recoverFile(isCertain: false) { reports.append(report) }
        do throws(StoreError) {
            let report = try store.repeating(evenIfBusy: false) { () throws(StoreError) -> StoreRecoveryReport? in
                guard let stored = try store.storedKeys() else { return nil }
                return try repairKeys(of: stored, keyAccess: keyAccess)
            }
            if let report { reports.append(report) }
        } catch {
            guard error.kind == .unverified else { throw error }
            // No key opens anything in the file, so nothing is lost by repairing it without another check.
            if let report = try recoverFile(isCertain: true) { reports.append(report) }
        }
        store.withOpen { open in
            open.forgetKeys()
            open.recovered = reports.last ?? open.recovered
        }
        return reports
    }

    /// Repairs damage without verifying the keys.
    private func recoverFile(isCertain: Bool) throws(StoreError) -> StoreRecoveryReport? {
        let recovery = StoreRecovery(file: store.file, now: store.time.now)
        let report = try recovery.recover(store.file.identity, isCertain: isCertain, vouch: { _ in })
        if report != nil { store.withOpen { $0.leave(for: nil) } }
        return report
    }

    /// - Throws: `.unverified` if no wrapped key is left.
    private func repairKeys(
        of stored: StoredKeys,
        keyAccess: KeyAccessOptions
    ) throws(StoreError) -> StoreRecoveryReport? {
        if stored.wrapping.provider == .none, stored.rows.isEmpty {
            try store.keys.source.admit(.none, at: store.location, keyAccess: keyAccess)
            return nil
        }
        guard stored.rows.contains(where: { !$0.wrapped.isEmpty }) else { throw StoreError.unverified(store.location) }
        let (provider, key) = try findKey(of: stored, keyAccess: keyAccess)
        if stored.wrapping == StoredKeys.KeyReference(provider: provider, id: key.id), key.mac.vouches(for: stored) {
            return nil
        }
        guard let writer = try store.presentWriter() else { throw StaleKeysError.error }
        // The quarantine is created and named while this process has exclusive access: another process may have created
        // one meanwhile, which must stay.
        var created: Quarantine?
        let report: StoreRecoveryReport
        do throws(StoreError) {
            report = try store.transaction(writer, durability: .full) { db in
                try StoredKeys.check(db, store: stored.store, generation: stored.generation)
                let quarantine = Quarantine.new(in: store.location.directory, at: store.time.now)
                try quarantine.create(isNew: true)
                created = quarantine
                try store.file.copy(to: quarantine.path + "/" + StoreLocation.fileName)
                return try reseal(db, stored: stored, provider: provider, key: key, quarantine: quarantine)
            }
        } catch {
            if let created { try? FileManager.default.removeItem(atPath: created.path) }
            throw error
        }
        if let created { created.finish(report) }
        return report
    }

    /// The key that opens at least one of the data keys. The location that the file names is tried first, but it may
    /// have been changed.
    private func findKey(
        of stored: StoredKeys,
        keyAccess: KeyAccessOptions
    ) throws(StoreError) -> (KeyLocation, WrappingKey) {
        var failure: StoreError?
        let recorded = stored.wrapping.provider
        let ids = [stored.wrapping.id] + Set(stored.rows.map(\.wrappedBy)).subtracting([stored.wrapping.id]).sorted()
        for kind in [recorded] + KeyLocation.allCases.filter({ $0 != recorded }) where kind != .none {
            do throws(StoreError) {
                try store.keys.source.admit(kind, at: store.location, keyAccess: keyAccess)
                guard let provider = try store.keys.source.provider(kind) else { continue }
                for id in ids where WrappingKey.isID(id) {
                    let name = store.keys.keyName(id, store: stored.store)
                    guard let material = try provider.key(name, keyAccess: keyAccess) else { continue }
                    let key = try WrappingKey(material, id: id, store: stored.store)
                    if key.opensAny(of: stored.rows) { return (kind, key) }
                    failure = failure ?? store.keys.wrongKey(kind)
                }
            } catch {
                // Reports the failure of the location that the file names because the others are only attempts.
                failure = failure ?? error
            }
        }
        throw failure ?? store.keys.missingKey(recorded)
    }

    private func reseal(
        _ db: Database,
        stored: StoredKeys,
        provider: KeyLocation,
        key: WrappingKey,
        quarantine: Quarantine
    ) throws -> StoreRecoveryReport {
        let keys = try InitialKeys(
            wrappedBy: key,
            provider: provider,
            created: store.seconds,
            since: StoredKeys.counter(db)
        )
        let used = try Set(String?.fetchAll(db, sql: "SELECT key_id FROM record UNION SELECT key_id FROM extra"))
        let old = try KeyRing(reading: stored, key: key, alsoNamed: used.compactMap(\.self))
        try RowRewriting(db: db, store: store).run(from: old, to: keys, generation: stored.generation)
        // The remaining rows could not be opened with any key, or were never sealed.
        try db.execute(sql: "DELETE FROM lease")
        let isLost = "key_id IS NOT ?"
        let arguments: StatementArguments = [keys.keys.first { $0.state == .active }?.id]
        try db.execute(sql: "DELETE FROM extra WHERE \(isLost)", arguments: arguments)
        try db.execute(sql: "DELETE FROM record WHERE \(isLost)", arguments: arguments)
        let lost = db.changesCount
        try StoredKeys.advance(db)
        try StoredKeys.sign(db, at: store.location, mac: key.mac)
        return StoreRecoveryReport(
            time: store.time.now,
            rowsKept: try Int.fetchOne(db, sql: "SELECT count(*) FROM record") ?? 0,
            rowsLost: lost,
            quarantine: quarantine.path
        )
    }
}
