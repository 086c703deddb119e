// Licensed under the MIT License. See LICENSE.

import Foundation

extension Date {
    /// The time in the format of header fields, RFC 9110 §5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// A format style would load seven megabytes of locale data, but this format needs only the twelve English month
    /// names.
    var httpText: String {
        var seconds = time_t(timeIntervalSince1970.rounded(.down))
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let day = Self.days[Int(parts.tm_wday)]
        let month = Self.months[Int(parts.tm_mon)]
        let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(Self.twoDigits).joined(separator: ":")
        return "\(day), \(Self.twoDigits(parts.tm_mday)) \(month) \(parts.tm_year + 1900) \(time) GMT"
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func twoDigits(_ number: Int32) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
