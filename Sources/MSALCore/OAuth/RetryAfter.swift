// Licensed under the MIT License. See LICENSE.

package import Foundation

/// The `Retry-After` header (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// How long to wait, capped at an hour; `nil` where no waiting is asked for (zero, negative, past).
    ///
    /// `header`: Seconds or a date. Text that is neither counts as one minute.
    /// `now`: The time to which a date is compared.
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

    /// Parses IMF-fixdate, `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
    package static func httpDate(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text)
    }
}
