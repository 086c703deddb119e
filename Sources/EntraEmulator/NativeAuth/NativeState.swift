// Licensed under the MIT License. See LICENSE.

import Foundation

/// What native authentication remembers while the emulator runs.
struct NativeState: Sendable {
    let settings: NativeAuthSettings
    let journeys: NativeJourneys
    let outbox = Outbox()
    let failures: FailedSignIns
    let queue = AnswerQueue()

    init(_ settings: NativeAuthSettings) {
        self.settings = settings
        journeys = NativeJourneys(lifetime: settings.continuationLifetime)
        failures = FailedSignIns(allowed: settings.wrongPasswordsAllowed, duration: settings.lockoutDuration)
    }

    /// Forgets everything.
    func clear() {
        journeys.removeAll()
        outbox.clear()
        failures.clear()
        queue.clear()
    }
}
