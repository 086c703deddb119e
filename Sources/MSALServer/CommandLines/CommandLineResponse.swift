// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The token in the output of a command line (docs/reference/Services.md#command-lines).
///
/// Written against `az` 2.53 and 2.54, `azd` 1.23 and 1.24, and `msal` of this package.
enum CommandLineResponse {
    /// Reads an output, which is one JSON object.
    ///
    /// - Returns: `nil` if there is no token in it, or if its end cannot be read.
    static func token(in output: Data, scopes: [String], tenant: String?) -> CachedAccessToken? {
        guard let members = JSONValue(parsing: output)?.object else { return nil }
        let text = ["accessToken", "access_token", "token"].lazy.compactMap { members[$0]?.string }.first
        guard let text, text.isBearerToken else { return nil }
        // `az` has `expires_on`, in seconds since 1970, from 2.54 on. Its `expiresOn` is local time without a zone.
        let end = ["expires_on", "expiresOn"].lazy.compactMap { members[$0] }.compactMap(moment).first
        guard let end else { return nil }
        return CachedAccessToken(
            accessToken: Secret(text),
            life: CachedAccessToken.Life(until: end),
            scopes: scopes,
            tenant: members["tenant"]?.string ?? tenant
        )
    }

    /// Seconds since 1970.
    private static func moment(_ value: JSONValue) -> Int64? {
        if let seconds = value.double {
            return (0...4_102_444_800).contains(seconds) ? Int64(seconds) : nil  // The last moment is in 2100.
        }
        guard let text = value.string else { return nil }
        if let date = Date(iso8601: text) {  // Any other form is tried next.
            return Int64(date.timeIntervalSince1970)
        }
        return localMoment(text)
    }

    /// `2026-09-21 15:13:20.000000` in local time, as the C library understands `TZ` (tzset(3)). The program had the same
    /// variable and the same library.
    private static func localMoment(_ text: String) -> Int64? {
        let parts = text.split(omittingEmptySubsequences: false) { "-: T.".contains($0) }
        guard (6...7).contains(parts.count) else { return nil }
        let numbers = parts.prefix(6).compactMap { $0.utf8.count <= 4 ? Int32($0) : nil }
        guard numbers.count == 6, (2000...2100).contains(numbers[0]) else { return nil }
        let moments = [0, 1].compactMap { (isDaylight: Int32) -> Int64? in
            var local = tm()
            (local.tm_year, local.tm_mon, local.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
            (local.tm_hour, local.tm_min, local.tm_sec) = (numbers[3], numbers[4], numbers[5])
            local.tm_isdst = isDaylight
            let moment = Int64(mktime(&local))
            // mktime(3) corrects a time that does not exist.
            let read = [
                local.tm_year + 1900, local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec,
            ]
            return read == numbers && local.tm_isdst == isDaylight ? moment : nil
        }
        // The hour before the end of daylight saving time comes twice. The earlier end is safe.
        return moments.min()
    }
}
