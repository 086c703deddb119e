// Licensed under the MIT License. See LICENSE.

import Dispatch
package import Foundation
import GRDB
import Glibc
package import MSALBase

/// Operations on a whole store: changing its keys, repairing, counting, and clearing it.
///
/// Each operation is a value that is given the store. The store itself only knows the protocol ``StoreMaintaining``.
package struct StoreMaintenance: Sendable {
    private let time: any TimeSource
    /// Called after each step of a key change. Tests end the process or throw there.
    private let afterStep: @Sendable (StoreStep) throws(StoreError) -> Void
    /// Runs work later, on another thread.
    private let background: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let ticks: @Sendable () -> Int64

    /// `time`: The clock for the age of keys and the time of a repair. `afterStep`: Called after each step of a key
    /// change. `background`: Runs the upkeep. `ticks`: A store checks once per tick whether its file was replaced.
    package init(
        time: any TimeSource = SystemTime(),
        afterStep: @escaping @Sendable (StoreStep) throws(StoreError) -> Void = { _ in },
        background: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = {
            DispatchQueue.global(qos: .utility).async(execute: $0)
        },
        ticks: @escaping @Sendable () -> Int64 = StoreMaintenance.kernelTicks
    ) {
        self.time = time
        self.afterStep = afterStep
        self.background = background
        self.ticks = ticks
    }

    /// Reads the tick of the kernel clock.
    package static let kernelTicks: @Sendable () -> Int64 = { KernelTick.now() }

    /// The store at a location, with this value for its maintenance.
    package func store(at location: StoreLocation, keys: any StoreKeySource, payloads: any PayloadReader) -> RowStore {
        RowStore(location: location, keys: keys, payloads: payloads, time: time, care: self, ticks: ticks)
    }

    /// Replaces the wrapping key and the data key, and reseals every row.
    ///
    /// Does nothing for a store without encryption, or if no store exists.
    package func rotateKeys(of store: RowStore, keyAccess: KeyAccessOptions) throws(StoreError) {
        // Repairs a damaged file because only intact rows can be resealed.
        try store.prepare(keyAccess, for: .reading)
        try WrappingKeyRotation(store: store, afterStep: afterStep).run(to: nil, keyAccess: keyAccess)
        let dataKeys = dataKeyRotation(of: store)
        try dataKeys.run(keyAccess)
        try dataKeys.resealAll()
    }

    /// Moves the store's key to another provider. Nothing else ever changes the provider
    /// (docs/reference/Store.md#provider-change).
    ///
    /// If the key is already with such a provider, replaces all keys like ``rotateKeys(of:keyAccess:)``: the user may
    /// have chosen a new location because the old key leaked. A different credential file replaces the current one.
    ///
    /// `provider`: The key's new provider; `nil` decrypts the store. The store's own key source provides the current
    /// key; it must support the new provider, or the store cannot be opened with it afterward.
    package func moveKey(
        of store: RowStore,
        to provider: (any KeyProvider)?,
        keyAccess: KeyAccessOptions
    ) throws(StoreError) {
        try store.prepare(keyAccess, for: .reading)
        guard let ring = try store.ring(keyAccess) else { return }
        let form = StoreEncryptionChange(store: store, afterStep: afterStep)
        try form.removeTraces()
        guard let provider, ring.provider != .none else {
            guard ring.provider != provider?.kind ?? .none else { return }
            return try form.run(from: ring, to: provider, keyAccess: keyAccess)
        }
        try WrappingKeyRotation(store: store, afterStep: afterStep).run(to: provider, keyAccess: keyAccess)
        guard ring.provider == provider.kind else { return }
        // The store's source may still use an older credential file than the chosen one.
        let moved = self.store(at: store.location, keys: SingleKeySource(provider), payloads: store.payloads)
        try dataKeyRotation(of: moved).run(keyAccess)
        try dataKeyRotation(of: moved).resealAll()
    }

    /// Deletes everything and starts with a new key. Requires neither the old key nor its provider. Use it for a store
    /// whose key is lost: none of its rows can be read again.
    package func reset(_ store: RowStore, keyAccess: KeyAccessOptions) throws(StoreError) {
        try StoreClearing(store: store).reset(keyAccess)
    }

    /// Deletes every row and extra item, and the older copies of the store next to it.
    ///
    /// - Throws: `.unwritable` also if the rows are deleted but another file could not be.
    package func clear(_ store: RowStore) throws(StoreError) {
        try StoreClearing(store: store).deleteRows()
        try LeftoverFiles(of: store.location).remove()
    }

    /// Deletes every row and extra item, as far as SQLite can: from the file and from its log.
    ///
    /// Does not create a store if none exists.
    package func deleteRows(of store: RowStore) throws(StoreError) {
        try StoreClearing(store: store).deleteRows()
    }

    /// Repairs a store whose keys cannot be verified, on request of the user. Rows that the store's key still opens are
    /// sealed with new keys, and the new keys get a MAC. Everything else is deleted. The previous files are kept next
    /// to the store.
    ///
    /// An intact store is not changed. Does nothing if no store exists.
    ///
    /// - Returns: A report on damage, a report on changed keys, or both in this order; empty if nothing was done.
    /// - Throws: `.keyUnavailable` if the key is unavailable, because the rows to keep cannot be determined without it.
    ///   `.tooNew`, `.tooOld`, or `.foreign` for a file that this version of the library must not repair. `.full`,
    ///   `.unwritable`, `.busy`.
    package func repair(_ store: RowStore, keyAccess: KeyAccessOptions) throws(StoreError) -> [StoreRecoveryReport] {
        try StoreRepair(store: store).run(keyAccess)
    }

    /// Counts the content of the store. Opens every row; a hundred thousand rows take a second.
    package func statistics(of store: RowStore, now: Date) throws(StoreError) -> StoreStatistics {
        try StoreInspection(store: store).statistics(now: now)
    }

    /// The faults that SQLite finds in the file, one per element; empty for an intact store and if no store exists.
    ///
    /// Reads the whole file. Does not repair anything.
    package func damage(of store: RowStore) throws(StoreError) -> [String] {
        try StoreInspection(store: store).damage()
    }

    func dataKeyRotation(of store: RowStore) -> DataKeyRotation {
        DataKeyRotation(store: store, afterStep: afterStep)
    }
}

extension StoreMaintenance: StoreMaintaining {
    func settle(_ file: StoreFile) throws(StoreError) -> StoreRecoveryReport? {
        try StoreRecovery(file: file, now: time.now).settle()
    }

    /// Nothing is moved before the readable keys are verified, as for an intact store. Otherwise, a program that can
    /// damage a file could have its keys replaced. A file without a readable row has no key list to verify, so a new
    /// store replaces it.
    ///
    /// - Throws: `.full`, `.unwritable`, `.busy`, or `.keyUnavailable` if it cannot be repaired now; the next call
    ///   tries again. `.unverified` if the user must request ``repair(_:keyAccess:)``. `.tooNew`: only a newer version
    ///   of this library may repair the file.
    func recover(_ store: RowStore, isCertain: Bool) throws(StoreError) {
        let suspect = store.withOpen { open in
            defer { open.leave(for: nil) }
            return open.identity ?? store.file.identity
        }
        let recovery = StoreRecovery(file: store.file, now: time.now)
        let report = try recovery.recover(suspect, isCertain: isCertain) { (stored) throws(StoreError) in
            guard let stored else { throw StoreError.unverified(store.location) }
            _ = try store.keys.verify(stored, keyAccess: KeyAccessOptions())
        }
        if let report { store.withOpen { $0.recovered = report } }
    }

    func runMaintenance(_ store: RowStore, ring: KeyRing, number: Int64?) {
        guard !ring.retiring.isEmpty || dataKeyRotation(of: store).isDue(ring.activeRow, number: number) else { return }
        background { [weak store] in
            guard let store else { return }
            do throws(StoreError) {
                try dataKeyRotation(of: store).runIfDue(KeyAccessOptions(), number: number)
            } catch {
                // The next attempt is in an hour. Every row remains readable until then.
                Log.warning("The keys of the token store could not be renewed: \(error.message)")
            }
        }
    }
}

/// The coarse kernel clock, which advances every one to ten milliseconds. Reading it needs no system call.
enum KernelTick {
    /// The time of the current tick in nanoseconds since an arbitrary start. It never goes back.
    @Sendable static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// Empties a store.
struct StoreClearing {
    let store: RowStore

    /// Deletes every row and extra item, and keeps the key. Does not create a store if none exists.
    func deleteRows() throws(StoreError) {
        guard try store.exists() else { return }
        try store.write(.full) { (transaction) throws(StoreError) in try transaction.deleteAll() }
        emptyLog()
    }

    /// Deletes everything and starts with a new key.
    func reset(_ keyAccess: KeyAccessOptions) throws(StoreError) {
        try store.withExclusiveAccess { () throws(StoreError) in
            guard let stored = try store.storedKeys() else { return }
            let keys = try store.keys.initialKeys(
                keyID: WrappingKey.newID(),
                created: store.seconds,
                keyAccess: keyAccess
            )
            try store.transaction(try store.expectedWriter(), durability: .full) { db in
                for table in ["record_scope", "record", "extra", "lease", "keys"] {
                    try db.execute(sql: "DELETE FROM \(table)")
                }
                try keys.write(to: db, at: store.location)
                try StoredKeys.setMeta(.purged, to: nil, in: db)
                try StoredKeys.setMeta(.arriving, to: nil, in: db)
                try StoredKeys.setMeta(.retiring, to: nil, in: db)
                try StoredKeys.setMeta(.generation, to: stored.generation &+ 1, in: db)
            }
            do throws(StoreError) {
                let name = store.keys.keyName(stored.wrapping.id, store: stored.store)
                try store.keys.source.provider(stored.wrapping.provider)?.forget(name, keyAccess: keyAccess)
            } catch {
                // The old key no longer opens anything, so it may stay.
                Log.warning("The old key of the token store was not deleted: \(error.message)")
            }
        }
        emptyLog()
        store.forgetKeys()
    }

    /// Overwrites the pages from before the last commit.
    ///
    /// If another process is reading, or the disk fails, the log keeps the rows until the last process closes it.
    func emptyLog() {
        let writer = try? store.presentWriter()
        try? writer?.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
    }
}

/// The steps of changing a store's keys, in order; each is durable before the next begins. Even if the process dies
/// between any two, every row can be opened (docs/reference/Store.md#rotation).
package enum StoreStep: String, Sendable, CaseIterable {
    // A new wrapping key.
    /// The file names the key that will be added.
    case newKeyAnnounced
    /// The provider has the new key.
    case newKeyKept
    /// Both keys wrap the data keys.
    case keysRewrapped
    /// The data keys wrapped by the old key are deleted.
    case oldWrapsDeleted
    /// The provider has deleted the old key.
    case oldKeyForgotten
    /// The file no longer mentions the old key.
    case oldKeyUnmentioned

    // A new data key.
    /// New rows are sealed with the new data key.
    case dataKeyAdded
    /// Up to 200 old rows were resealed; repeated as necessary.
    case rowsResealed
    /// A data key without rows was deleted.
    case dataKeyDropped

    // From plain to sealed, or back.
    /// All rows are in their new form.
    case rowsRewritten
}
