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
        // A tiny fraction is zero as a duration.
        let pause = Duration.seconds(min(max(seconds, 0), 3600))
        return pause > .zero ? pause : nil
    }

    /// Parses a date in one of the three forms of RFC 9110 §5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`, and the obsolete
    /// `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    package static func httpDate(_ text: String) -> Date? {
        // The strategies would accept more text behind the date.
        if text.hasSuffix("GMT") { return (try? fixdate.parse(text)) ?? (try? obsoleteDate.parse(text)) }
        // A day of one digit has a space before it.
        guard text.utf8.count == 24 else { return nil }
        return try? asctimeDate.parse(text.replacing("  ", with: " 0"))
    }

    private static func strategy(_ format: Date.FormatString) -> Date.ParseStrategy {
        .init(format: format, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, isLenient: false)
    }

    /// Creating a strategy takes longer than the rest of a refresh, so each is created once.
    private static let fixdate = strategy(
        """
        \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
        \(second: .twoDigits) GMT
        """
    )

    private static let obsoleteDate = strategy(
        """
        \(weekday: .wide), \(day: .twoDigits)-\(month: .abbreviated)-\(year: .twoDigits) \
        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
        \(second: .twoDigits) GMT
        """
    )

    private static let asctimeDate = strategy(
        """
        \(weekday: .abbreviated) \(month: .abbreviated) \(day: .twoDigits) \
        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
        \(second: .twoDigits) \(year: .defaultDigits)
        """
    )
}
