// Licensed under the MIT License. See LICENSE.

package import Foundation

extension Date {
    /// The date of an ISO 8601 text, with or without fractional seconds; `nil` for a date or time that does not exist.
    /// (Foundation turns February 30 into a day in March.)
    package init?(iso8601 text: String) {
        let forms: [ISO8601FormatStyle] = [.iso8601, ISO8601FormatStyle(includingFractionalSeconds: true)]
        guard text.utf8.count <= 40, Self.existing("\(text.prefix(19))Z", as: .iso8601) != nil,
            let date = forms.lazy.compactMap({ try? $0.parse(text) }).first
        else { return nil }
        self = date
    }

    /// The start, in UTC, of the day in a text such as `2026-09-21`; `nil` for a day that does not exist.
    package init?(iso8601Day text: String) {
        guard let date = Self.existing(text, as: .iso8601.year().month().day()) else { return nil }
        self = date
    }

    /// The date of a text that is written exactly as the style formats it.
    private static func existing(_ text: String, as style: ISO8601FormatStyle) -> Date? {
        (try? style.parse(text)).flatMap { style.format($0) == text ? $0 : nil }
    }
}
