// Licensed under the MIT License. See LICENSE.

import Dispatch

/// Carries an app's closure or object from the call that brought it to the one place where it is used.
///
/// What apps hand over is not `Sendable` in Microsoft's API (decision S4), and yet the library runs none of it at two
/// places at once: completion blocks are called once, after the work they wait for; the callbacks of log and telemetry
/// on a serial queue each; delegates of native authentication on the main actor; a cache of the app's own under a lock.
/// Two kinds of objects are the exception, and say so: external account providers and request interceptors are called
/// on any thread, by several requests at once.
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
