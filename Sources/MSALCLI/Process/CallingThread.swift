// Licensed under the MIT License. See LICENSE.

import Dispatch
import Synchronization

/// Runs a task on the thread that waits for it. That suits a command, because its process does nothing else.
///
/// A token from the store takes a few milliseconds. The system's thread pool would add about a tenth: it starts three
/// threads, each with its own heap, and the work moves to a core with cold caches.
///
/// Child tasks and actors run on this thread too. Unstructured tasks run on the pool, so they cannot block this thread.
final class CallingThread: TaskExecutor {
    /// The jobs of the task, in the order in which they arrived. A `nil` after them means that the task has ended.
    private let parts = Mutex<[UnownedJob?]>([])
    private let count = DispatchSemaphore(value: 0)

    /// Runs `work` and returns when it has ended.
    ///
    /// The work must not wait for the main actor or for signals: the first thread does not serve them meanwhile.
    ///
    /// `idle` is called about eight times a second while the task waits for something outside of the process.
    static func run(whileIdle idle: () -> Void = {}, _ work: @escaping @Sendable () async -> Void) {
        let thread = CallingThread()
        Task(executorPreference: thread) {
            await work()
            thread.append(nil)
        }
        while let part = thread.next(whileIdle: idle) { part.runSynchronously(on: thread.asUnownedTaskExecutor()) }
    }

    func enqueue(_ job: consuming ExecutorJob) { append(UnownedJob(job)) }

    private func append(_ part: UnownedJob?) {
        parts.withLock { $0.append(part) }
        count.signal()
    }

    private func next(whileIdle idle: () -> Void) -> UnownedJob? {
        while count.wait(timeout: .now() + .milliseconds(120)) == .timedOut { idle() }
        return parts.withLock { $0.removeFirst() }
    }
}
