// Licensed under the MIT License. See LICENSE.

package import Foundation

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
