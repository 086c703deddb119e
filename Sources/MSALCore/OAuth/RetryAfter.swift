// Licensed under the MIT License. See LICENSE.

package import Foundation

/// The `Retry-After` header (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// The time to wait, at most an hour. The result is `nil` for zero, a negative number and a past date.
    ///
    /// The header holds seconds or a date, which is compared with `now`. Other text counts as one minute.
    package static func delay(_ header: String, now: Date) -> Duration? {
        let text = header.trimmingCharacters(in: .whitespaces)
        let seconds: Double
        if let number = Double(text) {
            seconds = number.isFinite ? number : 60
        } else if let date = httpDate(text) {
            seconds = date.timeIntervalSince(now)
        } else {
            seconds = 60
        }
        return seconds > 0 ? .seconds(min(seconds, 3600)) : nil
    }

    /// Parses an IMF-fixdate such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
    package static func httpDate(_ text: String) -> Date? {
        // The strategy would accept more text behind the date.
        guard text.hasSuffix("GMT") else { return nil }
        return try? fixdate.parse(text)
    }

    /// To make the strategy takes longer than all else that a refresh does, so it is made once.
    private static let fixdate = Date.ParseStrategy(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
            \(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .gmt,
        isLenient: false
    )
}
