// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// The one answer of a block that an app may call from anywhere, any number of times, or never.
///
/// The first call counts. A block that is released without having been called counts as `nil`, and so does the
/// cancellation of the task that waits.
final class SingleAnswer<Value: Sendable>: Sendable {
    /// Outlives the block, so that cancellation is heard for as long as somebody waits.
    private final class Waiter: Sendable {
        private enum State {
            case open
            case waiting(CheckedContinuation<Value?, Never>)
            case closed
        }

        private let state = Mutex(State.open)

        /// - Returns: Whether it waits; `false` after a cancellation, which has resumed `continuation` by then.
        func wait(_ continuation: CheckedContinuation<Value?, Never>) -> Bool {
            let waits = state.withLock { state in
                guard case .open = state else { return false }
                state = .waiting(continuation)
                return true
            }
            if !waits { continuation.resume(returning: nil) }
            return waits
        }

        func give(_ value: Value?) {
            let waiting: CheckedContinuation<Value?, Never>? = state.withLock { state in
                defer { state = .closed }
                if case .waiting(let continuation) = state { return continuation }
                return nil
            }
            waiting?.resume(returning: value)
        }
    }

    private let waiter: Waiter

    private init(_ waiter: Waiter) {
        self.waiter = waiter
    }

    deinit {
        waiter.give(nil)
    }

    /// Waits for what `ask` has answered. It is not called in a task that is cancelled already.
    static func from(_ ask: (SingleAnswer) -> Void) async -> Value? {
        let waiter = Waiter()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if waiter.wait(continuation) { ask(SingleAnswer(waiter)) }
            }
        } onCancel: {
            waiter.give(nil)
        }
    }

    /// Answers, if this is the first time.
    func give(_ value: Value?) { waiter.give(value) }
}
