// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Dates as written in directory files.
enum FileDate {
    /// The date with its time in UTC, as `JSONDecoder.DateDecodingStrategy.iso8601` reads it; `nil` if the text is not
    /// a date.
    static func normalized(_ text: String) -> String? {
        // Rejects dates that cannot be parsed again, such as one with a five-digit year.
        date(text).map(self.text).flatMap { date($0) == nil ? nil : $0 }
    }

    static func text(_ date: Date) -> String {
        date.formatted(.iso8601)
    }

    private static func date(_ text: String) -> Date? {
        Date(iso8601: text) ?? Date(iso8601Day: text)
    }
}
