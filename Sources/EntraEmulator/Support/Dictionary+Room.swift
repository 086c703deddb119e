// Licensed under the MIT License. See LICENSE.

import Foundation

extension Dictionary {
    /// Makes room for one more value, so that there are no more than the limit.
    ///
    /// Removes the values that have ended. If there are still too many, removes the value that ends first. Only a flood
    /// of requests makes so many.
    mutating func makeRoom(for limit: Int, at now: Date, end: (Value) -> Date) {
        guard count >= limit else { return }
        self = filter { end($0.value) > now }
        if count >= limit, let oldest = self.min(by: { end($0.value) < end($1.value) }) { self[oldest.key] = nil }
    }
}
