// Licensed under the MIT License. See LICENSE.

package import Foundation

/// A report about a damaged store that was mended.
package struct StoreRecovered: Sendable, Hashable, Codable {
    /// The time at which the damage was met.
    package let time: Date
    /// Rows that the mended store has.
    package let rowsKept: Int
    /// Rows that could not be read; `nil` if their number is unknown.
    package let rowsLost: Int?
    /// The directory in which the damaged file is kept.
    package let quarantine: String

    /// One sentence for the log and for `msal cache doctor`.
    package var summary: String {
        let lost = rowsLost.map { "\($0) were lost" } ?? "it is unknown how many were lost"
        return "The token store was damaged: \(rowsKept) records were saved, \(lost). The old file is in \(quarantine)."
    }
}
