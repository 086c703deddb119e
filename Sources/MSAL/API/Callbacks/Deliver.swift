// Licensed under the MIT License. See LICENSE.

import Dispatch

/// Carries an app's closure or object from the call that brought it to the one place where it is used.
///
/// Completion blocks are not `Sendable` in Microsoft's API (decision S4). They are called once, after the work they
/// wait for, so nothing of theirs runs at two places at once because of the library.
package struct Carried<Value>: Sendable {
    package nonisolated(unsafe) let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}

/// Runs `work` and hands its outcome to a completion block, exactly once.
///
/// - Parameters:
///   - block: Gets either the value or an `NSError`.
///   - queue: Where the block runs; `nil` for straight from the task, on any thread.
///   - work: The asynchronous form of the call.
func deliver<Value: Sendable>(
    to block: @escaping (Value?, (any Error)?) -> Void,
    on queue: DispatchQueue?,
    _ work: @escaping @Sendable () async throws -> Value
) {
    let carried = Carried(block)
    // Nobody awaits this task: the completion block is how the app learns of its end.
    Task {
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await work())
        } catch {
            outcome = .failure(error)
        }
        let finish: @Sendable () -> Void = {
            switch outcome {
            case .success(let value): carried.value(value, nil)
            case .failure(let error): carried.value(nil, error)
            }
        }
        if let queue { queue.async(execute: finish) } else { finish() }
    }
}
