// Licensed under the MIT License. See LICENSE.

import Foundation

/// What native authentication remembers while the emulator runs.
struct NativeState: Sendable {
    let settings: NativeAuthSettings
    let journeys: NativeJourneys
    let outbox = Outbox()
    let queue = AnswerQueue()

    init(_ settings: NativeAuthSettings) {
        self.settings = settings
        journeys = NativeJourneys(lifetime: settings.continuationLifetime)
    }

    /// Makes a code and puts the message with it into the outbox.
    ///
    /// - Throws: AADSTS701014 when the address was sent too many.
    func issueCode(
        _ purpose: OutboxMessage.Purpose,
        to address: String,
        _ channel: StrongMethod.Channel,
        now: Date
    ) throws(EntraError) -> OneTimeCode {
        if let limit = settings.codesPerHalfHour {
            guard outbox.count(to: address, since: now.addingTimeInterval(-1_800)) < limit else { throw .tooManyCodes }
        }
        var generator = SystemRandomNumberGenerator()
        let digits = (0..<settings.codeLength).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
        outbox.append(
            OutboxMessage(date: now, channel: channel, recipient: address, purpose: purpose, code: digits)
        )
        return OneTimeCode(
            value: Secret(digits),
            expiresAt: now.addingTimeInterval(settings.codeLifetime.seconds)
        )
    }

    /// Forgets everything.
    func clear() {
        journeys.removeAll()
        outbox.clear()
        queue.clear()
    }
}
