// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Creates one-time codes for the pages and for native authentication.
struct OneTimeCodes: Sendable {
    let directory: ServedDirectory
    let outbox: Outbox

    var settings: NativeAuthSettings { directory.native }

    /// Creates a code and adds the message with it to the outbox.
    ///
    /// - Throws: AADSTS701014 if too many codes were sent to the address.
    func send(
        _ purpose: OutboxMessage.Purpose,
        to address: String,
        by channel: StrongMethod.Channel,
        at now: Date
    ) throws(EntraError) -> OneTimeCode {
        let settings = settings
        if let limit = settings.codesPerHalfHour {
            guard outbox.count(to: address, since: now.addingTimeInterval(-1_800)) < limit else { throw .tooManyCodes }
        }
        var generator = SystemRandomNumberGenerator()
        let digits = (0..<settings.codeLength).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
        outbox.append(OutboxMessage(date: now, channel: channel, recipient: address, purpose: purpose, code: digits))
        return OneTimeCode(value: Secret(digits), expiresAt: now.addingTimeInterval(settings.codeLifetime.seconds))
    }
}

/// A code that was sent to a user. The emulator puts it into the outbox.
struct OneTimeCode: Sendable {
    let value: Secret
    let expiresAt: Date
    var wrongTries = 0

    /// Checks a typed code. Returns `nil` if it is correct; otherwise counts the attempt and returns the error.
    mutating func check(_ typed: Secret, allowed: Int, now: Date) -> EntraError? {
        guard wrongTries < allowed else { return .wrongCode }
        guard expiresAt > now else { return .expiredCode }
        guard value != typed else { return nil }
        wrongTries += 1
        return .wrongCode
    }
}
