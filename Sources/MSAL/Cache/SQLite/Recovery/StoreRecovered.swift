// Licensed under the MIT License. See LICENSE.

import Foundation

/// What became of a damaged store (docs/reference/Store.md#recovery).
package struct StoreRecovered: Sendable, Hashable, Codable {
    /// When it was found.
    package let time: Date
    /// Records of tokens and accounts that the mended store has.
    package let rowsKept: Int
    /// Records that could not be read; `nil` if nobody can tell how many there were.
    package let rowsLost: Int?
    /// The directory in which the damaged file is kept.
    package let quarantine: String

    package init(time: Date, rowsKept: Int, rowsLost: Int?, quarantine: String) {
        self.time = time
        self.rowsKept = rowsKept
        self.rowsLost = rowsLost
        self.quarantine = quarantine
    }

    /// One sentence for the log and for `msal cache doctor`.
    package var summary: String {
        let lost = rowsLost.map { "\($0) were lost" } ?? "it is unknown how many were lost"
        return "The token store was damaged: \(rowsKept) records were saved, \(lost). The old file is in \(quarantine)."
    }

    /// The recoveries of a group whose damaged files are still kept, the newest last.
    package static func history(of location: StoreLocation) -> [StoreRecovered] {
        Quarantine.all(in: location.directory).compactMap(\.report)
    }
}
