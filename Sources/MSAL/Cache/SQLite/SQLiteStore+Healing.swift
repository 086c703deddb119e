// Licensed under the MIT License. See LICENSE.

import GRDB
import GRDBSQLite
import MSALSupport
import Synchronization

extension SQLiteStore {
    /// What this process mended of the store last; `nil` normally. Others find it in ``StoreRecovered/history(of:)``.
    package var recovered: StoreRecovered? { mended.withLock(\.self) }

    /// Mends a store in which damage was met, so that the work can be repeated (docs/reference/Store.md#recovery).
    ///
    /// `isCertain`: Whether the damage was met again after a look that found nothing.
    ///
    /// Nothing is moved before the keys in what can be saved were vouched for, as when a sound store is opened: who can
    /// damage a file could otherwise have its keys replaced. A file without a single row that can be read says nothing
    /// that could be believed; the store starts anew beside it.
    ///
    /// - Throws: Why it cannot be mended now: `.full`, `.unwritable`, `.busy`, `.keyUnavailable`. The next call tries
    ///   again. `.unverified` if ``repair(_:)`` has to be asked for; `.tooNew`: a newer version of this library mends what
    ///   it wrote.
    func heal(isCertain: Bool) throws(StoreError) {
        let suspect = connections.withLock { connections in
            defer { leave(&connections, for: nil) }
            return connections.identity ?? file.identity
        }
        let report = try recovery.mend(suspect, isCertain: isCertain) { (stored) throws(StoreError) in
            guard let stored else { throw StoreError.unverified(location) }
            _ = try verify(stored, KeyPatience())
        }
        note(report)
    }

    /// What SQLite finds wrong with the file, line by line; nothing for a sound one, and where there is none.
    ///
    /// Reads the whole file. Mends nothing.
    package func faultsFound() throws(StoreError) -> [String] {
        guard let connection = try reader().connection else { return [] }
        let lines = try run(.unreadable) {
            try connection.read { try String.fetchAll($0, sql: "PRAGMA integrity_check(20)") }
        }
        return lines == ["ok"] ? [] : lines
    }

    /// The file that is there; waits while another process mends it, and finishes what a dead one began.
    func settledIdentity() throws(StoreError) -> StoreFile.Identity? {
        if let identity = try file.look() { return identity }
        note(try recovery.settle())
        return try file.look()
    }

    /// Notes what was mended, for this process and for whoever asks later.
    func finish(_ report: StoreRecovered, _ quarantine: Quarantine) {
        quarantine.finish(report)
        note(report)
    }

    var recovery: StoreRecovery { StoreRecovery(file: file, now: time.now) }

    func note(_ recovered: StoreRecovered?) {
        guard let recovered else { return }
        mended.withLock { $0 = recovered }
    }
}

extension Database {
    /// Whether the file of this connection is no longer the one at its path: what is written here would be lost.
    func hasMoved() throws -> Bool {
        var moved: Int32 = 0
        let code = sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &moved)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return moved != 0
    }
}

/// The store was replaced while this process waited to write to it: do it again with the new one.
struct MovedStore: Error {
    static let error = StoreError(
        .busy,
        "The token store was replaced by another process. Try again.",
        underlying: Self()
    )
}
