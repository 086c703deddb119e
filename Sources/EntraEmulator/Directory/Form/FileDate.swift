// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// A date as directory files write it.
enum FileDate {
    /// The date with its time in UTC, as `JSONDecoder.DateDecodingStrategy.iso8601` reads it; `nil` for no date.
    static func normalized(_ text: String) -> String? {
        // A date that cannot be read again, such as one with a year of five digits, is refused.
        date(text).map(self.text).flatMap { date($0) == nil ? nil : $0 }
    }

    static func text(_ date: Date) -> String {
        date.formatted(.iso8601)
    }

    private static func date(_ text: String) -> Date? {
        Date(iso8601: text) ?? Date(iso8601Day: text)
    }
}
