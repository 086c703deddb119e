// Licensed under the MIT License. See LICENSE.

import Foundation

extension Dictionary {
    /// Makes room for one more value within the limit.
    ///
    /// Removes the values that have expired. If there are still too many, removes the value that expires first, which
    /// only happens in a flood of requests.
    mutating func makeRoom(for limit: Int, at now: Date, end: (Value) -> Date) {
        guard count >= limit else { return }
        self = filter { end($0.value) > now }
        if count >= limit, let oldest = self.min(by: { end($0.value) < end($1.value) }) { self[oldest.key] = nil }
    }
}
