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

    /// Forgets everything.
    func clear() {
        journeys.removeAll()
        outbox.clear()
        queue.clear()
    }
}
