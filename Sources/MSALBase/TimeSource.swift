// Licensed under the MIT License. See LICENSE.

package import Foundation

/// The core's source of time and delays; tests use a clock that they advance manually.
package protocol TimeSource: Sendable {
    /// The current time of day.
    var now: Date { get }

    /// The current time in whole seconds since 1970. It may lag behind ``now`` by a few milliseconds.
    var wholeSeconds: Int64 { get }

    /// The time since an arbitrary start. It continues while the machine sleeps, and cannot be set.
    var uptime: Duration { get }

    /// Waits for `duration`.
    ///
    /// - Throws: `CancellationError` if the calling task is canceled before then; stop the work.
    func sleep(for duration: Duration) async throws(CancellationError)
}

extension TimeSource {
    /// Derived from the time of day, for a clock that is never set.
    package var uptime: Duration { .seconds(now.timeIntervalSinceReferenceDate) }

    package var wholeSeconds: Int64 { Int64(now.timeIntervalSince1970.rounded(.down)) }

    /// Runs `work`, and calls `notice` if it takes longer than `pause`. After the work is done, `notice` is not called.
    package func noticing<Value>(
        after pause: Duration,
        _ notice: @escaping @Sendable () -> Void,
        during work: () async -> Value
    ) async -> Value {
        // Canceled and awaited at the end of this function.
        async let _: Void = sleepAndCall(after: pause, notice)
        return await work()
    }

    private func sleepAndCall(after pause: Duration, _ notice: @Sendable () -> Void) async {
        do throws(CancellationError) {
            try await sleep(for: pause)
        } catch {
            return
        }
        notice()
    }
}

/// The system clock.
package struct SystemTime: TimeSource {
    package init() {}

    package var now: Date { Date() }

    package var wholeSeconds: Int64 { CoarseClock.seconds }

    package var uptime: Duration { Self.start.duration(to: ContinuousClock.now) }

    private static let start = ContinuousClock.now

    /// The longest sleep, about 30 years. `Task.sleep` traps if the end of a sleep exceeds the range of its clock.
    private static let longest = Duration.seconds(1_000_000_000)

    package func sleep(for duration: Duration) async throws(CancellationError) {
        do {
            try await Task.sleep(for: min(max(duration, .zero), Self.longest))
        } catch {
            throw CancellationError()  // The only error that `Task.sleep` throws.
        }
    }
}
