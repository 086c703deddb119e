// Licensed under the MIT License. See LICENSE.

extension Date {
    /// This time without its fraction because the cache stores whole seconds.
    var wholeSeconds: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }
}
