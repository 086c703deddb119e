// Licensed under the MIT License. See LICENSE.

import Foundation

extension Date {
    /// Whole seconds since 1970, clamped to the range of the column.
    var seconds: Int64 {
        let seconds = timeIntervalSince1970.rounded(.down)
        return Int64(exactly: seconds) ?? (seconds > 0 ? .max : .min)
    }
}
