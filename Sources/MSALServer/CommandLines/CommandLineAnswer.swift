// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// The token in the output of a command line (docs/reference/Services.md#command-lines).
enum CommandLineAnswer {
    /// Reads an output, which is one JSON object. `timeZone` is the name in `TZ`, if there is one.
    ///
    /// - Returns: `nil` if there is no token in it, or if its end cannot be read.
    static func token(
        in output: Data,
        scopes: [String],
        tenant: String?,
        timeZone: String?
    ) -> AppToken? {
        guard let members = JSONValue(parsing: output)?.object else { return nil }
        let text = ["accessToken", "access_token", "token"].lazy.compactMap { members[$0]?.string }.first
        guard let text, text.isBearerToken else { return nil }
        // Newer versions of the Azure CLI have both members. `expires_on` is in seconds since 1970. `expiresOn` is
        // local time without a zone.
        let end = ["expires_on", "expiresOn"].lazy.compactMap { members[$0] }
            .compactMap { moment($0, timeZone: timeZone) }.first
        guard let end else { return nil }
        return AppToken(
            accessToken: Secret(text),
            life: AppToken.Life(until: end),
            scopes: scopes,
            tenant: members["tenant"]?.string ?? tenant
        )
    }

    /// Seconds since 1970.
    private static func moment(_ value: JSONValue, timeZone: String?) -> Int64? {
        if let seconds = value.double {
            return (0...4_102_444_800).contains(seconds) ? Int64(seconds) : nil  // The last moment is in 2100.
        }
        guard let text = value.string else { return nil }
        if let date = Date(iso8601: text) {  // Any other form is tried next.
            return Int64(date.timeIntervalSince1970)
        }
        return localMoment(text, timeZone: timeZone)
    }

    /// `2026-09-21 15:13:20.000000`, in the zone of the machine.
    private static func localMoment(_ text: String, timeZone: String?) -> Int64? {
        let parts = text.split(omittingEmptySubsequences: false) { "-: T.".contains($0) }
        guard (6...7).contains(parts.count) else { return nil }
        let numbers = parts.prefix(6).compactMap { $0.utf8.count <= 4 ? Int($0) : nil }
        guard numbers.count == 6, (2000...2100).contains(numbers[0]) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone.flatMap(TimeZone.init(identifier:)) ?? .current
        let components = DateComponents(
            year: numbers[0],
            month: numbers[1],
            day: numbers[2],
            hour: numbers[3],
            minute: numbers[4],
            second: numbers[5]
        )
        guard components.isValidDate(in: calendar) else { return nil }
        return calendar.date(from: components).map { Int64($0.timeIntervalSince1970) }
    }
}
