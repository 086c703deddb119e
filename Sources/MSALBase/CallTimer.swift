// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// How long a call took, and for how much of that time it waited for the network and for a token store.
package struct CallDurations: Sendable {
    package var total = Duration.zero
    package var network = Duration.zero
    package var store = Duration.zero

    package init() {}

    /// The value of `MSALDurationsKey` in the user information of an error: seconds by name.
    package var userInfo: [String: Double] {
        ["total": total, "network": network, "store": store].mapValues { $0 / .seconds(1) }
    }
}

/// Measures a call. A request that several calls share counts for each of them, while that call waits for it.
package final class CallTimer: Sendable {
    /// What a call waits for.
    package enum Part: Sendable { case network, store }

    private struct State {
        /// The waits: each for a part, or for an execution with a separate timer. The end is `nil` during the wait.
        var waits: [(part: Part?, execution: CallTimer?, start: Duration, end: Duration?)] = []
        var isOver = false
    }

    /// The timer of the call or the shared execution for which this task works.
    @TaskLocal package static var current: CallTimer?

    private let time: any TimeSource
    private let start: Duration
    private let state = Mutex(State())

    /// `nil` means the clock of the current call.
    package init(_ time: (any TimeSource)? = nil) {
        self.time = time ?? Self.current?.time ?? SystemTime()
        start = self.time.uptime
    }

    /// Runs a call and measures it.
    package static func measuring<Value>(
        by time: any TimeSource,
        isolation: isolated (any Actor)? = #isolation,
        _ call: () async -> Value
    ) async -> (value: Value, durations: CallDurations) {
        let timer = CallTimer(time)
        let endWait = begin(nil, execution: timer)
        let value = await $current.withValue(timer) {
            _ = isolation  // Isolates the closure, as in `Log.lines`.
            return await call()
        }
        timer.stop()
        endWait()
        return (value, timer.durations)
    }

    /// Notes that the current call waits, until the returned function is called. Waits for the same part at the same time
    /// count once.
    package static func begin(_ part: Part?, execution: CallTimer? = nil) -> @Sendable () -> Void {
        guard let timer = current else { return {} }
        return timer.state.withLock { state in
            let isCounted = part != nil && state.waits.contains { $0.part == part && $0.end == nil }
            guard !isCounted, !state.isOver else { return {} }
            state.waits.append((part, execution, timer.time.uptime, nil))
            return { [index = state.waits.count - 1] in
                timer.state.withLock { $0.waits[index].end = timer.time.uptime }
            }
        }
    }

    /// Ends the call or the execution. Waits of tasks that outlive it do not count.
    package func stop() { state.withLock { $0.isOver = true } }

    /// The durations until now.
    package var durations: CallDurations { durations(from: start, to: max(start, time.uptime)) }

    private func durations(from start: Duration, to end: Duration) -> CallDurations {
        var sum = CallDurations()
        sum.total = end - start
        for wait in state.withLock(\.waits) {
            let (start, end) = (max(start, wait.start), min(end, wait.end ?? end))
            guard start < end else { continue }
            let inner = wait.execution?.durations(from: start, to: end)
            sum.network += inner?.network ?? (wait.part == .network ? end - start : .zero)
            sum.store += inner?.store ?? (wait.part == .store ? end - start : .zero)
        }
        return sum
    }
}
