// Licensed under the MIT License. See LICENSE.

import Foundation

extension [String: Date] {
    /// Makes room for one more text. The values are the times at which the texts end.
    ///
    /// Removes the texts that have ended. If there are still too many, removes the text that ends first. Only a flood
    /// of requests makes so many.
    mutating func makeRoom(for limit: Int, at now: Date) {
        guard count >= limit else { return }
        self = filter { $0.value > now }
        if count >= limit, let oldest = self.min(by: { $0.value < $1.value }) { self[oldest.key] = nil }
    }
}
