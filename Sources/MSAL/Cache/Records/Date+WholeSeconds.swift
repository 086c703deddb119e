// Licensed under the MIT License. See LICENSE.

extension Date {
    /// Without the fraction: the cache counts in whole seconds.
    var wholeSeconds: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }
}
