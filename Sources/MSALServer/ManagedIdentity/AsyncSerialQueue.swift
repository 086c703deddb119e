// Licensed under the MIT License. See LICENSE.

package import MSALCore
private import Synchronization

/// Lets one caller after the other do something, in the order in which they came.
package final class AsyncSerialQueue: Sendable {
    private struct Waiter: Sendable {
        let number: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State: Sendable {
        var isBusy = false
        var counter = 0
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// Runs `body` when it is its turn.
    ///
    /// - Throws: What `body` throws; `.canceled` if the task is canceled while it waits.
    package func run<Value>(_ body: () async throws(TransportError) -> Value) async throws(TransportError) -> Value {
        guard await enter() else {
            throw TransportError(.canceled, message: "The request was canceled while others were under way.")
        }
        defer { leave() }
        return try await body()
    }

    private func enter() async -> Bool {
        let number = state.withLock { state in
            state.counter += 1
            return state.counter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isIn = state.withLock { state -> Bool? in
                    // If the task was canceled before this line, the handler found no waiter, so this line must check.
                    guard !Task.isCancelled else { return false }
                    guard state.isBusy else {
                        state.isBusy = true
                        return true
                    }
                    state.waiters.append(Waiter(number: number, continuation: continuation))
                    return nil
                }
                if let isIn { continuation.resume(returning: isIn) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.number == number }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
    }

    private func leave() {
        let next = state.withLock { state -> Waiter? in
            state.isBusy = !state.waiters.isEmpty
            return state.waiters.isEmpty ? nil : state.waiters.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }
}
