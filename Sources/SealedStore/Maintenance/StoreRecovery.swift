// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import Glibc

/// Moves a damaged store aside and puts the rows that can be read into its place (docs/reference/Store.md#recovery).
///
/// One process at a time does this. Others find no file for a moment, see the lock and wait. Those that had the old
/// file open notice that it was moved, before they commit anything to it.
struct StoreRecovery {
    let file: StoreFile
    let now: Date

    private var location: StoreLocation { file.location }

    /// Mends the store if it is still the file that `suspect` names, and still damaged.
    ///
    /// - Parameters:
    ///   - suspect: The file in which the damage was met.
    ///   - isCertain: Leaves out the second look: it showed nothing last time, and the damage was met again.
    ///   - vouch: Called before anything is moved, with the salvaged keys; with `nil` if nothing is left of them. Not
    ///     called if no row of the store can be read, because there is nothing to verify.
    /// - Returns: `nil` if nothing had to be done, for instance because another process was faster.
    /// - Throws: The errors of `vouch`. `.full`, `.unwritable` if it cannot be done now; the next call tries again.
    ///   `.busy`. `.tooNew`, `.tooOld`, `.foreign` if the file is not for this version of the library to mend.
    func mend(
        _ suspect: StoreFile.Identity?,
        isCertain: Bool,
        vouch: (StoredKeys?) throws(StoreError) -> Void
    ) throws(StoreError) -> StoreRecovered? {
        guard let lock = try RecoveryLock.take(in: location, creating: true), file.identity == suspect else {
            return nil
        }
        let witness = StoreWitness(file)
        if let refusal = witness.refusal { throw refusal }
        if !isCertain, witness.findsItSound { return nil }
        let saved = try salvage(.inPlace)
        do throws(StoreError) {
            if !saved.isNothing { try vouch(saved.keys) }
        } catch {
            saved.discard()
            throw error
        }
        let quarantine = Quarantine.new(in: location.directory, at: now)
        try lock.note(quarantine.name)
        try quarantine.create()
        // The database is moved first. Without it nobody takes the log for that of another file.
        for suffix in ["", "-wal", "-shm", "-journal"] { try move(suffix, to: quarantine) }
        witness.letGo()
        return try finish(quarantine, saved: saved, lock: lock)
    }

    /// Waits for a recovery that is under way, and ends one whose process died after it had begun to move the file.
    ///
    /// Called where no file is found. Costs one system call if nothing was ever mended here.
    func settle() throws(StoreError) -> StoreRecovered? {
        var status = stat()
        guard lstat(location.directory + "/.recovery", &status) == 0,
            let lock = try RecoveryLock.take(in: location, creating: false),
            file.identity == nil, let name = lock.unfinished
        else { return nil }
        let quarantine = Quarantine(group: location.directory, name: name)
        // Somebody removed the store and its quarantine since then, so there is nothing to finish.
        guard access(quarantine.path, F_OK) == 0, quarantine.report == nil else {
            try lock.note(nil)
            return nil
        }
        for suffix in ["-wal", "-shm", "-journal"] { try move(suffix, to: quarantine) }
        return try finish(quarantine, saved: try salvage(.moved(quarantine)), lock: lock)
    }

    private func salvage(_ source: StoreSalvage.Source) throws(StoreError) -> StoreSalvage.Outcome {
        try StoreError.catching(.unwritable, file: location.file) { try StoreSalvage(file: file).run(source) }
    }

    private func finish(
        _ quarantine: Quarantine,
        saved: StoreSalvage.Outcome,
        lock: borrowing RecoveryLock
    ) throws(StoreError) -> StoreRecovered {
        if let mended = saved.path { try put(mended) }
        let report = StoreRecovered(
            time: now,
            rowsKept: saved.rowsKept,
            rowsLost: saved.rowsLost,
            quarantine: quarantine.path
        )
        quarantine.finish(report)
        try lock.note(nil)
        return report
    }

    private func move(_ suffix: String, to quarantine: Quarantine) throws(StoreError) {
        let old = location.file + suffix
        guard rename(old, quarantine.path + "/" + StoreLocation.fileName + suffix) == 0 || errno == ENOENT else {
            throw StoreFile.failure(.unwritable, to: "move", at: old, code: errno)
        }
    }

    private func put(_ mended: String) throws(StoreError) {
        guard rename(mended, location.file) == 0 else {
            throw StoreFile.failure(.unwritable, to: "create", at: location.file, code: errno)
        }
        guard let directory = try StoreDirectory.open(location.directory, creating: false) else { return }
        _ = fsync(directory.descriptor)
    }
}

/// A connection of its own that looks at a suspicious file, and keeps others from writing to it until it is moved.
private final class StoreWitness {
    private var queue: DatabaseQueue?
    /// Whether the whole file could be read, and holds together.
    private(set) var findsItSound = false
    /// The reason why this version of the library may not mend the file; `nil` normally.
    private(set) var refusal: StoreError?

    init(_ file: StoreFile) {
        var configuration = StoreSchema.configuration(readonly: false)
        // The transaction stays open after the check, to keep other writers out.
        configuration.allowsUnsafeTransactions = true
        // A failure here is the damage itself, which the caller already knows.
        guard let queue = try? file.connect(configuration) else { return }
        self.queue = queue
        do {
            findsItSound = try queue.inDatabase { try Self.examine($0, file: file) }
        } catch let error as StoreError where [.tooNew, .tooOld, .foreign].contains(error.kind) {
            refusal = error
        } catch {
            // Damage was the reason to look.
        }
        if findsItSound { letGo() }
    }

    func letGo() {
        try? queue?.inDatabase { db in if db.isInsideTransaction { try db.rollback() } }
        try? queue?.close()
        queue = nil
    }

    deinit { letGo() }

    /// Leaves a transaction open that keeps other writers waiting.
    private static func examine(_ db: Database, file: StoreFile) throws -> Bool {
        try db.beginTransaction(.immediate)
        _ = try StoreSchema.state(db, file: file.location.file)
        return try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") == "ok"
    }
}
