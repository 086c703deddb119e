// Licensed under the MIT License. See LICENSE.

import Foundation

/// Where the core learns the time and how it waits; tests use a clock that they move by hand.
package protocol TimeSource: Sendable {
    /// The current time of day.
    var now: Date { get }

    /// Waits for `duration`.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled before the time is over; end the work.
    func sleep(for duration: Duration) async throws(CancellationError)
}

/// The clock of the system.
package struct SystemTime: TimeSource {
    package init() {}

    package var now: Date { Date() }

    package func sleep(for duration: Duration) async throws(CancellationError) {
        do {
            try await Task.sleep(for: duration)
        } catch {
            throw CancellationError()  // The only error that `Task.sleep` has.
        }
    }
}
