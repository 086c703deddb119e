// Licensed under the MIT License. See LICENSE.

package import MSALBase

/// The end of a token's life in the forms that the hosts write (docs/reference/Services.md#managed-identity-answers).
package enum ManagedIdentityExpiry {
    /// Ten years in seconds. Smaller numbers are durations, and others are dates.
    private static let smallestMoment: Double = 315_360_000
    /// The last second of the year 9999.
    private static let largest: Double = 253_402_300_799

    /// The end in seconds since 1970: by `expires_on`, else by `expires_in`. The result is `nil` if neither can be read.
    package static func end(in members: [String: JSONValue], now: Int64) -> Int64? {
        members["expires_on"].flatMap { moment($0, now: now) }
            ?? members["expires_in"]?.double.flatMap { seconds($0) }.map { now + $0 }
    }

    private static func moment(_ value: JSONValue, now: Int64) -> Int64? {
        if let number = value.double {
            guard let seconds = seconds(number) else { return nil }
            return number < smallestMoment ? now + seconds : seconds
        }
        return value.string.flatMap(date)
    }

    private static func seconds(_ number: Double) -> Int64? {
        number.isFinite && abs(number) <= largest ? Int64(number) : nil
    }

    /// A date such as `2026-09-21T15:13:20.0000000+00:00` (ISO 8601), `09/21/2026 15:13:20 +00:00` or
    /// `9/21/2026 3:13:20 PM +00:00`. Without a zone it is in UTC.
    package static func date(_ text: String) -> Int64? {
        var rest = Digits(text.utf8.prefix(64)[...])
        guard let first = rest.number(1...4) else { return nil }
        let (year, month, day): (Int, Int, Int)
        if rest.skip("-") {
            guard let second = rest.number(2...2), rest.skip("-"), let third = rest.number(2...2) else { return nil }
            guard rest.skip("T") || rest.skip("t") || rest.skip(" ") else { return nil }
            (year, month, day) = (first, second, third)
        } else {
            guard
                rest.skip("/"), let second = rest.number(1...2), rest.skip("/"), let third = rest.number(4...4),
                rest.skip(" ")
            else { return nil }
            (year, month, day) = (third, first, second)
        }
        guard (1...12).contains(month), (1...days(in: month, of: year)).contains(day) else { return nil }
        guard let second = rest.timeOfDay(), let zone = rest.zone(), rest.isEmpty else { return nil }
        return Int64(dayNumber(year: year, month: month, day: day)) * 86_400 + Int64(second - zone)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The days between 1970-01-01 and a date of the Gregorian calendar. The year begins in March, so that the leap day is
    /// its last.
    private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

/// Reads a date piece by piece, from its front.
private struct Digits {
    private var rest: Substring.UTF8View.SubSequence

    init(_ text: Substring.UTF8View.SubSequence) { rest = text }

    var isEmpty: Bool { rest.isEmpty }

    /// Takes a character of ASCII, if it is the next one.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Takes a number that has as many digits as `lengths` allows.
    mutating func number(_ lengths: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix(lengths.upperBound).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard lengths.contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Takes `HH:mm:ss`, which a fraction and `AM` or `PM` may follow. The result is the second of the day.
    mutating func timeOfDay() -> Int? {
        guard
            var hour = number(1...2), skip(":"), let minute = number(2...2), skip(":"), let second = number(2...2),
            hour <= 23, minute <= 59, second <= 60
        else { return nil }
        if skip(".") { guard number(1...9) != nil else { return nil } }
        _ = skip(" ")
        if let isAfternoon = skip("P") ? true : skip("A") ? false : nil {
            guard skip("M"), (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
            _ = skip(" ")
        }
        return hour * 3600 + minute * 60 + second
    }

    /// Takes a zone, or the end of the text. The result is in seconds east of Greenwich.
    mutating func zone() -> Int? {
        if isEmpty || skip("Z") || skip("z") { return 0 }
        guard let sign = skip("+") ? 1 : skip("-") ? -1 : nil, let hours = number(2...2), hours <= 14 else {
            return nil
        }
        _ = skip(":")
        guard let minutes = number(2...2), minutes <= 59 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
