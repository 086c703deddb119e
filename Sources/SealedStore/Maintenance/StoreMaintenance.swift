// Licensed under the MIT License. See LICENSE.

import Dispatch
package import Foundation
package import MSALBase

/// The work on a whole store: changing its keys, repairing, counting and clearing it.
///
/// Each kind of work is a value that is given the store. The store itself knows only the port ``StoreCare``.
package struct StoreMaintenance: Sendable {
    private let time: any TimeSource
    /// Called after each step of a change of keys; tests end the process, or the work, there.
    private let afterStep: @Sendable (StoreStep) throws(StoreError) -> Void
    /// Runs work on another thread, some time.
    private let background: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let ticks: @Sendable () -> Int64

    /// `time`: Tells the age of keys, and the time of a repair.
    /// `afterStep`: Called after each step of a change of keys.
    /// `background`: Runs the upkeep.
    /// `ticks`: A store looks once a tick whether its file was exchanged.
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

    /// Reads the tick of the kernel's clock.
    package static let kernelTicks: @Sendable () -> Int64 = { KernelTick.now() }

    /// The store at a location, which it takes care of.
    package func store(
        at location: StoreLocation,
        keys: any StoreKeySource,
        payloads: any PayloadReader
    ) -> RowStore {
        RowStore(location: location, keys: keys, payloads: payloads, time: time, care: self, ticks: ticks)
    }

    /// Replaces the wrapping key and the data key, and seals every row anew.
    ///
    /// Nothing happens in a store without encryption, or where there is no store.
    package func rotateKeys(of store: RowStore, patience: KeyPatience) throws(StoreError) {
        // This mends a damaged file, because only whole rows can be sealed anew.
        try store.prepare(patience, for: .reading)
        try WrappingKeyRotation(store: store, afterStep: afterStep).run(to: nil, patience: patience)
        let dataKeys = dataKeyRotation(of: store)
        try dataKeys.run(patience)
        try dataKeys.resealAll()
    }

    /// Moves the store's key to another provider; the one way in which it ever changes
    /// (docs/reference/Store.md#provider-change).
    ///
    /// If the key is with such a provider already, all keys are replaced as by ``rotateKeys(of:patience:)``: perhaps
    /// the user chooses a new place because other people know the old key. Another credential file takes the place of
    /// the one in use.
    ///
    /// `provider`: The key's new provider; `nil` decrypts the store. The store's own source of keys has the present
    /// key; it must know this provider, or the store cannot be opened with it afterwards.
    package func moveKey(
        of store: RowStore,
        to provider: (any KeyProvider)?,
        patience: KeyPatience
    ) throws(StoreError) {
        try store.prepare(patience, for: .reading)
        guard let ring = try store.ring(patience) else { return }
        let form = FormChange(store: store, afterStep: afterStep)
        try form.removeTraces()
        guard let provider, ring.provider != .none else {
            guard ring.provider != provider?.kind ?? .none else { return }
            return try form.run(from: ring, to: provider, patience: patience)
        }
        try WrappingKeyRotation(store: store, afterStep: afterStep).run(to: provider, patience: patience)
        guard ring.provider == provider.kind else { return }
        // The store's source may still use an older credential file than the chosen one.
        let moved = self.store(at: store.location, keys: SingleKeySource(provider), payloads: store.payloads)
        try dataKeyRotation(of: moved).run(patience)
        try dataKeyRotation(of: moved).resealAll()
    }

    /// Deletes everything and starts with a new key; needs neither the old one nor its provider. Empties a store whose
    /// key is lost: no row of it can be read again.
    package func reset(_ store: RowStore, patience: KeyPatience) throws(StoreError) {
        try StoreClearing(store: store).reset(patience)
    }

    /// Deletes every row and extra item, and the older copies of the store beside it.
    ///
    /// - Throws: `.unwritable` also if the rows are gone but something else could not be deleted.
    package func clear(_ store: RowStore) throws(StoreError) {
        try StoreClearing(store: store).deleteRows()
        try StoreRemains(of: store.location).remove()
    }

    /// Deletes every row and extra item, from the disk as far as SQLite reaches: out of the file and its log.
    ///
    /// No store is created if there is none.
    package func deleteRows(of store: RowStore) throws(StoreError) {
        try StoreClearing(store: store).deleteRows()
    }

    /// Mends a store whose keys cannot be verified, at somebody's request. Rows that the store's key still opens are
    /// sealed with new keys, and the new keys get a MAC. Everything else is deleted. The previous files are kept beside
    /// the store.
    ///
    /// A sound store stays as it is. Without a store nothing happens.
    ///
    /// - Returns: A report on damage, a report on changed keys, or both, one after the other; none if nothing was done.
    /// - Throws: `.keyUnavailable` if the key cannot be had: then it is unknown which rows could be kept. `.tooNew`,
    ///   `.tooOld`, `.foreign` for a file that is not for this version of the library to mend. `.full`, `.unwritable`,
    ///   `.busy`.
    package func repair(_ store: RowStore, patience: KeyPatience) throws(StoreError) -> [StoreRecovered] {
        try StoreRepair(store: store).run(patience)
    }

    /// Counts what the store holds. Opens every row; at a hundred thousand of them this takes a second.
    package func statistics(of store: RowStore, now: Date) throws(StoreError) -> StoreStatistics {
        try StoreInspection(store: store).statistics(now: now)
    }

    /// The faults that SQLite finds in the file, line by line; empty for a sound store, and if there is no store.
    ///
    /// Reads the whole file. Mends nothing.
    package func damage(of store: RowStore) throws(StoreError) -> [String] {
        try StoreInspection(store: store).damage()
    }

    func dataKeyRotation(of store: RowStore) -> DataKeyRotation {
        DataKeyRotation(store: store, afterStep: afterStep)
    }
}

extension StoreMaintenance: StoreCare {
    func settle(_ file: StoreFile) throws(StoreError) -> StoreRecovered? {
        try StoreRecovery(file: file, now: time.now).settle()
    }

    /// Nothing is moved before the keys in the readable part are verified, as for a sound store. Otherwise somebody who
    /// can damage a file could have its keys replaced. A file without a readable row has no statements to verify, so
    /// the store starts anew beside it.
    ///
    /// - Throws: `.full`, `.unwritable`, `.busy`, `.keyUnavailable` if it cannot be mended now. The next call tries again.
    ///   `.unverified` if ``repair(_:patience:)`` has to be asked for; `.tooNew`: a newer version of this library mends
    ///   its own files.
    func mend(_ store: RowStore, isCertain: Bool) throws(StoreError) {
        let suspect = store.withOpen { open in
            defer { open.leave(for: nil) }
            return open.identity ?? store.file.identity
        }
        let recovery = StoreRecovery(file: store.file, now: time.now)
        let report = try recovery.mend(suspect, isCertain: isCertain) { (stored) throws(StoreError) in
            guard let stored else { throw StoreError.unverified(store.location) }
            _ = try store.keys.verify(stored, patience: KeyPatience())
        }
        if let report { store.withOpen { $0.recovered = report } }
    }

    func keepUp(_ store: RowStore, ring: KeyRing, number: Int64?) {
        guard !ring.retiring.isEmpty || dataKeyRotation(of: store).isDue(ring.activeRow, number: number) else { return }
        background { [weak store] in
            guard let store else { return }
            do throws(StoreError) {
                try dataKeyRotation(of: store).runIfDue(KeyPatience(), number: number)
            } catch {
                // The next try is in an hour. Every row can be read meanwhile.
                Log.warning("The keys of the token store could not be renewed: \(error.message)")
            }
        }
    }
}
