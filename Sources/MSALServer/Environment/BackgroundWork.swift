// Licensed under the MIT License. See LICENSE.

package import MSALBase
import MSALCore
private import Synchronization

/// The background work of calls: refreshes ahead of time, and writes to the store that instances share.
package final class BackgroundWork: Sendable {
    private struct State {
        var tasks = 0
        var waiters: [OneShot<Void>] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Runs some work in a task of its own, which no caller cancels.
    package func run(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { $0.tasks += 1 }
        Task {
            await CallTimer.$current.withValue(nil) { await work() }  // No call waits for it.
            let waiters = state.withLock { state in
                state.tasks -= 1
                guard state.tasks == 0 else { return [OneShot<Void>]() }
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.settle(()) }
        }
    }

    /// Waits until there is no work, but not longer than `limit`.
    ///
    /// - Returns: Whether all work has ended.
    package func finish(within limit: Duration, time: any TimeSource) async -> Bool {
        let end = OneShot<Void>()
        let isBusy = state.withLock { state in
            if state.tasks > 0 { state.waiters.append(end) }
            return state.tasks > 0
        }
        guard isBusy else { return true }
        let alarm = Task {
            // If the sleep is canceled, the wait is over already.
            guard (try? await time.sleep(for: limit)) != nil else { return }
            end.settle(())
        }
        await end.value(ifCancelled: ())
        alarm.cancel()
        return state.withLock { $0.tasks == 0 }
    }
}
