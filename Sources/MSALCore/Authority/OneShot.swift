// Licensed under the MIT License. See LICENSE.

package import MSALBase
private import Synchronization

/// A value for which one caller waits. Any number of tasks or threads may set it; only the first value counts.
package final class OneShot<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case settled(Value)
    }

    private let state = Mutex(State.open)

    package init() {}

    /// Settles the value, unless it is already settled.
    package func settle(_ value: Value) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .open:
                state = .settled(value)
                return nil
            case .awaited(let continuation):
                state = .settled(value)
                return continuation
            case .settled:
                return nil
            }
        }
        waiter?.resume(returning: value)
    }

    /// The value, if it is settled.
    package var settled: Value? { state.withLock { if case .settled(let value) = $0 { value } else { nil } } }

    /// Waits for the value. Only one caller may wait. Canceling its task also settles the value.
    ///
    /// `begin` runs when the caller starts to wait, but not if the value is already settled.
    package func value(ifCancelled cancellation: Value, begin: () -> Void = {}) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let settled = register(continuation) {
                    continuation.resume(returning: settled)
                } else {
                    begin()
                }
            }
        } onCancel: {
            settle(cancellation)
        }
    }

    /// Runs `work` for at most `limit`, and returns its value, or `timeout` when the time is over. Both are canceled if the
    /// caller is. Work that ignores its cancellation delays no caller; it ends on its own.
    package static func value(
        within limit: Duration,
        of time: any TimeSource,
        orElse timeout: Value,
        ifCancelled cancellation: Value,
        _ work: @escaping @Sendable () async -> Value
    ) async -> Value {
        let shot = OneShot()
        let call = Task.begun { shot.settle(await work()) }
        // Work that did not have to wait needs no limit.
        if let value = shot.settled { return value }
        let clock = Task.begun {
            // A canceled sleep means that the work is done.
            guard (try? await time.sleep(for: limit)) != nil else { return }
            shot.settle(timeout)
        }
        defer {
            call.cancel()
            clock.cancel()
        }
        return await shot.value(ifCancelled: cancellation)
    }

    private func register(_ continuation: CheckedContinuation<Value, Never>) -> Value? {
        state.withLock { state in
            switch state {
            case .open:
                state = .awaited(continuation)
                return nil
            case .awaited:
                preconditionFailure("Two callers wait for one value.")
            case .settled(let value):
                return value
            }
        }
    }
}

/// Lets a block of the app settle a value. The app may call the block on any thread, any number of times, or never. If
/// the block is released without a call, the value is settled as `nil`.
package final class OneShotSource<Value: Sendable>: Sendable {
    // It outlives the block, so that a cancellation takes effect as long as a caller waits.
    private let shot: OneShot<Value?>

    private init(_ shot: OneShot<Value?>) { self.shot = shot }

    deinit { shot.settle(nil) }

    /// Calls `ask` and waits for the value, which is `nil` after a cancellation. If the task is already canceled, `ask`
    /// is not called.
    package static func value(from ask: (OneShotSource) -> Void) async -> Value? {
        let shot = OneShot<Value?>()
        return await shot.value(ifCancelled: nil) { ask(OneShotSource(shot)) }
    }

    /// Settles the value. Later calls have no effect.
    package func settle(_ value: Value?) { shot.settle(value) }
}
