// Licensed under the MIT License. See LICENSE.

import Dispatch
import MSALBase

/// The thread or queue on which a completion block runs.
enum CompletionTarget: Sendable {
    /// The block runs on the queue that the app named.
    case queue(DispatchQueue)
    /// The block runs on the main queue, which the app named.
    case mainQueue(MainQueue)
    /// The block runs on the main queue if the program services it, otherwise directly in the task.
    case mainQueueIfServed(MainQueue.Call)
    /// The block runs on the thread that has the outcome: the caller's before the call returns, or the task's.
    case here

    func run(_ block: @escaping @Sendable () -> Void) {
        switch self {
        case .queue(let queue): queue.async(execute: block)
        case .mainQueue(let main): main.enqueue(block)
        case .mainQueueIfServed(let call): call.run(block)
        case .here: block()
        }
    }
}

extension MSALPublicClientApplication {
    /// The queue of the parameters, otherwise that of the process, otherwise the default for this kind of call.
    func target(_ queue: DispatchQueue?, else usual: @autoclosure () -> CompletionTarget = .here) -> CompletionTarget {
        guard let queue = queue ?? MSALGlobalConfig.defaultCompletionBlockQueue else { return usual() }
        return mainQueue.isQueue(queue) ? .mainQueue(mainQueue) : .queue(queue)
    }

    /// The target of an interactive call or a sign-out with invalid parameters; `id` is that of the call.
    ///
    /// A caller on the main thread receives the error before its call returns. Any other receives it where it would
    /// receive the outcome: its block may update the user interface.
    func refusalTarget(_ queue: DispatchQueue?, of id: UUID?) -> CompletionTarget {
        target(queue, else: mainQueue.isCurrent ? .here : .mainQueueIfServed(mainQueue.beginCall(id)))
    }
}

/// Receives a value or an `NSError`.
typealias Completion<Value> = @Sendable (Value?, (any Error)?) -> Void

/// Runs `work` in a task and passes its outcome to a completion block, exactly once.
func deliver<Value: Sendable>(
    to block: @escaping Completion<Value>,
    on target: CompletionTarget,
    _ work: @escaping @Sendable () async throws -> Value
) {
    // This task is not awaited: the completion block informs the app when it ends.
    Task {
        let outcome = await Result(catching: work)
        target.run { hand(outcome, to: block) }
    }
}

/// Runs `work`, which does not suspend, and passes its outcome to a completion block. On the target `here`, the block
/// runs before the call returns: iOS apps expect that of silent calls and queries.
func deliverImmediately<Value: Sendable>(
    to block: @escaping Completion<Value>,
    on target: CompletionTarget,
    _ work: () throws -> Value
) {
    let outcome = Result { try work() }
    target.run { hand(outcome, to: block) }
}

private func hand<Value>(_ outcome: Result<Value, any Error>, to block: Completion<Value>) {
    switch outcome {
    case .success(let value): block(value, nil)
    case .failure(let error): block(nil, error)
    }
}
