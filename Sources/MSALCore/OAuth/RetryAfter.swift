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
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text)
    }
}
