// Licensed under the MIT License. See LICENSE.

package import Foundation

/// Maintenance of a whole store that reading and writing trigger. The folder `Maintenance` implements it, and a store
/// receives it at initialization.
protocol StoreMaintaining: Sendable {
    /// Waits while another process repairs a damaged file, and completes the work of a process that died during a
    /// repair. Called if no file is found.
    ///
    /// - Returns: The report, if this process completed the repair.
    func settle(_ file: StoreFile) throws(StoreError) -> StoreRecoveryReport?

    /// Repairs a store after an operation found damage. The operation can then be repeated.
    ///
    /// `isCertain`: Whether the damage occurred again after a check that found nothing.
    ///
    /// - Throws: The reason why it cannot be repaired now; the next call tries again.
    func recover(_ store: RowStore, isCertain: Bool) throws(StoreError)

    /// Renews keys that are due, on another thread. Called once an hour, after the sweep of expired rows.
    ///
    /// `ring`: The current keys. `number`: The value of the store's counter, if it is known.
    func runMaintenance(_ store: RowStore, ring: KeyRing, number: Int64?)
}

/// The events that a commit must survive once the call has returned.
package enum Durability: Sendable {
    /// The commit survives a crash of the process. A power failure may lose the last commits.
    case normal
    /// The commit survives a power failure.
    case full
}

/// The purpose for which a store is prepared.
package enum StoreUse: Sendable {
    /// A store that does not exist yet is not created.
    case reading
    /// A store that does not exist yet is created, with its key.
    case writing
}

/// A report about a damaged store that was repaired.
package struct StoreRecoveryReport: Sendable, Hashable, Codable {
    /// The time at which the damage was found.
    package let time: Date
    /// The number of rows in the repaired store.
    package let rowsKept: Int
    /// The number of rows that could not be read; `nil` if unknown.
    package let rowsLost: Int?
    /// The directory that contains the damaged file.
    package let quarantine: String

    /// One sentence for the log and for `msal cache doctor`.
    package var summary: String {
        let lost = rowsLost.map { "\($0) were lost" } ?? "it is unknown how many were lost"
        return "The token store was damaged: \(rowsKept) records were saved, \(lost). The old file is in \(quarantine)."
    }
}
