// Licensed under the MIT License. See LICENSE.

import Foundation

extension [String: Date] {
    /// Makes room for one more of texts that end at a time: those that have ended go, and if all the others are too many,
    /// the oldest. Only a flood of requests makes so many.
    mutating func makeRoom(for limit: Int, at now: Date) {
        guard count >= limit else { return }
        self = filter { $0.value > now }
        if count >= limit, let oldest = self.min(by: { $0.value < $1.value }) { self[oldest.key] = nil }
    }
}
