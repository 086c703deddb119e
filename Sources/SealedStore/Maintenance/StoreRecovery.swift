// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import Glibc

/// Moves a damaged store aside and replaces it with the rows that can be read (docs/reference/Store.md#recovery).
///
/// Only one process at a time does this. Others briefly find no file, see the lock, and wait. Processes that had the
/// old file open detect that it was moved before they commit anything to it.
struct StoreRecovery {
    let file: StoreFile
    let now: Date

    private var location: StoreLocation { file.location }

    /// Repairs the store if it is still the file that `suspect` identifies, and is still damaged.
    ///
    /// - Parameters:
    ///   - suspect: The file in which damage was found.
    ///   - isCertain: Skips the check: the last one found nothing, but the damage occurred again.
    ///   - vouch: Called before anything is moved, with the salvaged keys, or with `nil` if none are left. Not called
    ///     if no row of the store can be read, because there is nothing to verify.
    /// - Returns: `nil` if there was nothing to do, for instance because another process was faster.
    /// - Throws: The errors of `vouch`. `.full` or `.unwritable` if it cannot be done now; the next call tries again.
    ///   `.busy`. `.tooNew`, `.tooOld`, or `.foreign` if this version of the library must not repair the file.
    func recover(
        _ suspect: StoreFile.Identity?,
        isCertain: Bool,
        vouch: (StoredKeys?) throws(StoreError) -> Void
    ) throws(StoreError) -> StoreRecoveryReport? {
        guard let lock = try RecoveryLock.take(in: location, creating: true), file.identity == suspect else {
            return nil
        }
        let witness = DamagedFileGuard(file)
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
        // The database is moved first, so that no process takes its log for that of another file.
        for suffix in ["", "-wal", "-shm", "-journal"] { try move(suffix, to: quarantine) }
        witness.release()
        return try finish(quarantine, saved: saved, lock: lock)
    }

    /// Waits for a recovery in progress, and completes one whose process died after it had begun to move the file.
    ///
    /// Called if no file is found. Costs one system call if this store was never repaired.
    func settle() throws(StoreError) -> StoreRecoveryReport? {
        var status = stat()
        guard lstat(location.directory + "/.recovery", &status) == 0,
            let lock = try RecoveryLock.take(in: location, creating: false),
            file.identity == nil, let name = lock.unfinished
        else { return nil }
        let quarantine = Quarantine(group: location.directory, name: name)
        // The store and its quarantine were deleted meanwhile, so there is nothing to finish.
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
    ) throws(StoreError) -> StoreRecoveryReport {
        if let mended = saved.path { try put(mended) }
        let report = StoreRecoveryReport(
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

/// A separate connection that checks a suspicious file, and keeps others from writing to it until it is moved.
private final class DamagedFileGuard {
    private var queue: DatabaseQueue?
    /// Whether the whole file could be read and is consistent.
    private(set) var findsItSound = false
    /// The reason why this version of the library must not repair the file; normally `nil`.
    private(set) var refusal: StoreError?

    init(_ file: StoreFile) {
        var configuration = StoreSchema.configuration(readonly: false)
        // The transaction stays open after the check to keep other writers out.
        configuration.allowsUnsafeTransactions = true
        // A failure here is the damage itself, which the caller already knows.
        guard let queue = try? file.connect(configuration) else { return }
        self.queue = queue
        do {
            findsItSound = try queue.inDatabase { try Self.examine($0, file: file) }
        } catch let error as StoreError where [.tooNew, .tooOld, .foreign].contains(error.kind) {
            refusal = error
        } catch {
            // Damage was the reason for the check.
        }
        if findsItSound { release() }
    }

    func release() {
        try? queue?.inDatabase { db in if db.isInsideTransaction { try db.rollback() } }
        try? queue?.close()
        queue = nil
    }

    deinit { release() }

    /// Leaves a transaction open that blocks other writers.
    private static func examine(_ db: Database, file: StoreFile) throws -> Bool {
        try db.beginTransaction(.immediate)
        _ = try StoreSchema.state(db, file: file.location.file)
        return try String.fetchOne(db, sql: "PRAGMA integrity_check(1)") == "ok"
    }
}
