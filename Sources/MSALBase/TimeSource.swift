// Licensed under the MIT License. See LICENSE.

package import Foundation

/// Where the core learns the time and how it waits; tests use a clock that they move by hand.
package protocol TimeSource: Sendable {
    /// The current time of day.
    var now: Date { get }

    /// The current time in whole seconds since 1970. It may lag behind ``now`` by a few milliseconds.
    var wholeSeconds: Int64 { get }

    /// The time since some moment. It goes on while the machine sleeps, and nobody can set it.
    var uptime: Duration { get }

    /// Waits for `duration`.
    ///
    /// - Throws: `CancellationError` if the calling task is cancelled before the time is over; end the work.
    func sleep(for duration: Duration) async throws(CancellationError)
}

extension TimeSource {
    /// The time of day shows it, too, for a clock that nobody sets.
    package var uptime: Duration { .seconds(now.timeIntervalSinceReferenceDate) }

    package var wholeSeconds: Int64 { Int64(now.timeIntervalSince1970.rounded(.down)) }
}

/// The clock of the system.
package struct SystemTime: TimeSource {
    package init() {}

    package var now: Date { Date() }

    package var wholeSeconds: Int64 { CoarseClock.seconds }

    package var uptime: Duration { Self.start.duration(to: ContinuousClock.now) }

    private static let start = ContinuousClock.now

    /// The longest sleep, about 30 years. `Task.sleep` traps if the end of a sleep is too late for the numbers of its
    /// clock.
    private static let longest = Duration.seconds(1_000_000_000)

    package func sleep(for duration: Duration) async throws(CancellationError) {
        do {
            try await Task.sleep(for: min(max(duration, .zero), Self.longest))
        } catch {
            throw CancellationError()  // The only error that `Task.sleep` has.
        }
    }
}
