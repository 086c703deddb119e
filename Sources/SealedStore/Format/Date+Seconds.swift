// Licensed under the MIT License. See LICENSE.

import Foundation

extension Date {
    /// Whole seconds since 1970. A number that does not fit into a column becomes the largest or the smallest one.
    var seconds: Int64 {
        let seconds = timeIntervalSince1970.rounded(.down)
        return Int64(exactly: seconds) ?? (seconds > 0 ? .max : .min)
    }
}
