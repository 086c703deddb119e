// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase
import Synchronization

/// A clock that a test moves manually.
package final class ManualTime: TimeSource {
    private struct Sleeper {
        let id: Int
        let wakeUp: Date
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now: Date
        var nextID = 0
        var sleepers: [Sleeper] = []
        var canceled: Set<Int> = []
        var sleeps: [Duration] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>
    private let skipsSleeps: Bool

    /// - Parameters:
    ///   - now: The time at the start. It is 2026-01-01T00:00:00Z by default.
    ///   - skipsSleeps: Whether a sleep moves the clock and returns immediately.
    package init(now: Date = Date(timeIntervalSince1970: 1_767_225_600), skipsSleeps: Bool = false) {
        state = Mutex(State(now: now))
        self.skipsSleeps = skipsSleeps
    }

    package var now: Date { state.withLock { $0.now } }

    /// The duration of every sleep, in order.
    package var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// Moves the clock forward and wakes all sleepers whose time is over.
    package func advance(by duration: Duration) {
        let due = state.withLock { state -> [Sleeper] in
            state.now += duration.seconds
            let due = state.sleepers.filter { $0.wakeUp <= state.now }
            state.sleepers.removeAll { $0.wakeUp <= state.now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume(returning: true) }
    }

    /// Returns as soon as a task sleeps.
    package func untilSomebodySleeps() async {
        await withCheckedContinuation { continuation in
            let isAsleep = state.withLock { state in
                if state.sleepers.isEmpty { state.watchers.append(continuation) }
                return !state.sleepers.isEmpty
            }
            if isAsleep { continuation.resume() }
        }
    }

    package func sleep(for duration: Duration) async throws(CancellationError) {
        let id = state.withLock { state in
            state.sleeps.append(duration)
            state.nextID += 1
            if skipsSleeps { state.now += duration.seconds }
            return state.nextID
        }
        if skipsSleeps {
            if Task.isCancelled { throw CancellationError() }
            return
        }
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in add(id, duration: duration, continuation: continuation) }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                    state.canceled.insert(id)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(returning: false)
        }
        if !isOver { throw CancellationError() }
    }

    private func add(_ id: Int, duration: Duration, continuation: CheckedContinuation<Bool, Never>) {
        enum Next { case sleep([CheckedContinuation<Void, Never>]), canceled, over }
        let next = state.withLock { state -> Next in
            if state.canceled.remove(id) != nil { return .canceled }
            if duration <= .zero { return .over }
            let wakeUp = state.now.addingTimeInterval(duration.seconds)
            state.sleepers.append(Sleeper(id: id, wakeUp: wakeUp, continuation: continuation))
            defer { state.watchers = [] }
            return .sleep(state.watchers)
        }
        switch next {
        case .sleep(let watchers): for watcher in watchers { watcher.resume() }
        case .canceled: continuation.resume(returning: false)
        case .over: continuation.resume(returning: true)
        }
    }
}

extension Duration {
    fileprivate var seconds: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) / 1e18
    }
}
