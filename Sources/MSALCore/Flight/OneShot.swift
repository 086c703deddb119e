// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// A value that several parties may bring about, and one caller waits for. The first value counts.
package final class OneShot<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case settled(Value)
    }

    private let state = Mutex(State.open)

    package init() {}

    /// Brings the value, unless there is one.
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

    /// Waits for the value, for one caller. The cancellation of its task settles it, too.
    ///
    /// `begin`: Runs when the caller waits; not at all if the value is there already.
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

/// Lets a block of the app bring a value: from anywhere, any number of times, or never. A block that is released without
/// having been called brings `nil`.
package final class OneShotSource<Value: Sendable>: Sendable {
    // Outlives the block, so that cancellation is heard for as long as somebody waits.
    private let shot: OneShot<Value?>

    private init(_ shot: OneShot<Value?>) {
        self.shot = shot
    }

    deinit {
        shot.settle(nil)
    }

    /// Waits for the value that `ask` arranges for; `nil` after a cancellation. A task that is cancelled already asks
    /// nobody.
    package static func value(from ask: (OneShotSource) -> Void) async -> Value? {
        let shot = OneShot<Value?>()
        return await shot.value(ifCancelled: nil) { ask(OneShotSource(shot)) }
    }

    /// Brings the value, if this is the first time.
    package func settle(_ value: Value?) { shot.settle(value) }
}
