// Licensed under the MIT License. See LICENSE.

import Dispatch
import MSALBase

/// The thread or queue on which a completion block runs.
enum CompletionTarget: Sendable {
    /// The block runs on the queue that the app named.
    case queue(DispatchQueue)
    /// The block runs on the main queue, which the app named.
    case mainQueue(MainQueue)
    /// The block runs on the main queue if that is served, else straight from the task.
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
    /// The queue of the parameters, else that of the process, else the usual one of the kind of call.
    func target(_ queue: DispatchQueue?, else usual: @autoclosure () -> CompletionTarget = .here) -> CompletionTarget {
        guard let queue = queue ?? MSALGlobalConfig.defaultCompletionBlockQueue else { return usual() }
        return mainQueue.isQueue(queue) ? .mainQueue(mainQueue) : .queue(queue)
    }

    /// The target of an interactive call or a sign-out whose parameters are at fault; `id` is that of the call.
    ///
    /// A caller on the main thread has the error before its call returns. Any other gets it where it would get the
    /// outcome: its block may change what the user sees.
    func refusalTarget(_ queue: DispatchQueue?, of id: UUID?) -> CompletionTarget {
        target(queue, else: mainQueue.isCurrent ? .here : .mainQueueIfServed(mainQueue.beginCall(id)))
    }
}

/// Takes a value or an `NSError`.
typealias Completion<Value> = @Sendable (Value?, (any Error)?) -> Void

/// Runs `work` in a task and hands its outcome to a completion block, exactly once.
func deliver<Value: Sendable>(
    to block: @escaping Completion<Value>,
    on target: CompletionTarget,
    _ work: @escaping @Sendable () async throws -> Value
) {
    // Nobody awaits this task: the completion block is how the app learns of its end.
    Task {
        let outcome = await Result(catching: work)
        target.run { hand(outcome, to: block) }
    }
}

/// Runs `work`, which waits for nothing, and hands its outcome to a completion block. On the target `here` the block
/// runs before the call returns: apps of iOS expect that of silent calls and queries.
func deliverAtOnce<Value: Sendable>(
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
