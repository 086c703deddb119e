// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The times of a token, in seconds since 1970 (RFC 7519 §4.1.4 to §4.1.6).
package struct TokenTimes: Sendable {
    package let expiresOn: Double
    /// Zero if the token does not say.
    let notBefore: Double
    /// Zero if the token does not say.
    let issuedAt: Double

    /// The last second of the year 9999. Larger numbers are not valid dates.
    private static let lastDate: Double = 253_402_300_799

    /// Reads the times.
    ///
    /// - Throws: `.missingClaim` without an end; `.malformedToken` if one of them is not a valid date.
    init(_ claims: [String: JSONValue]) throws(MSALTokenRejection) {
        guard let end = try Self.date("exp", in: claims) else { throw MSALTokenRejection(.missingClaim) }
        expiresOn = end
        notBefore = try Self.date("nbf", in: claims) ?? 0
        issuedAt = try Self.date("iat", in: claims) ?? 0
    }

    /// Checks that the token is valid now.
    ///
    /// - Parameters:
    ///   - now: Seconds since 1970.
    ///   - skew: The accepted difference between the clocks, in seconds.
    /// - Throws: `.expired`, `.notYetValid` or `.issuedInFuture`.
    func check(at now: Double, skew: Double) throws(MSALTokenRejection) {
        guard now < expiresOn + skew else { throw MSALTokenRejection(.expired) }
        guard notBefore <= now + skew else { throw MSALTokenRejection(.notYetValid) }
        guard issuedAt <= now + skew else { throw MSALTokenRejection(.issuedInFuture) }
    }

    /// A number that may have a fraction (RFC 7519 §2, NumericDate).
    private static func date(_ name: String, in claims: [String: JSONValue]) throws(MSALTokenRejection) -> Double? {
        let seconds: Double
        switch claims[name] {
        case nil: return nil
        case .integer(let value): seconds = Double(value)
        case .number(let value): seconds = value
        case .null, .bool, .string, .array, .object: throw MSALTokenRejection(.malformedToken)
        }
        guard (0...lastDate).contains(seconds) else { throw MSALTokenRejection(.malformedToken) }
        return seconds
    }
}
