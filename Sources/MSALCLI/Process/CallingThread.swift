// Licensed under the MIT License. See LICENSE.

import Dispatch
import Synchronization

/// Runs a task on the thread that waits for it. That suits a command, because its process does nothing else.
///
/// A token out of the store takes a few milliseconds. To hand the task to the system's pool takes about a tenth of them:
/// three threads are started, each with a heap of its own, and the work goes on at a core that has seen nothing of it.
///
/// Child tasks and actors come along. Unstructured tasks stay on the pool: if they block a thread, it is not this one.
final class CallingThread: TaskExecutor {
    /// The jobs of the task that this thread has to run, in the order in which they came. `nil` means that the task has
    /// ended.
    private let parts = Mutex<[UnownedJob?]>([])
    private let count = DispatchSemaphore(value: 0)

    /// Runs `work` to its end before it returns.
    ///
    /// Not for work that waits for the main actor or for signals: the first thread does not serve them meanwhile.
    ///
    /// `idle` is called again and again, about eight times a second, while nothing of the task can go on: it waits for
    /// something outside of the process.
    static func run(whileIdle idle: () -> Void = {}, _ work: @escaping @Sendable () async -> Void) {
        let thread = CallingThread()
        Task(executorPreference: thread) {
            await work()
            thread.append(nil)
        }
        while let part = thread.next(whileIdle: idle) { part.runSynchronously(on: thread.asUnownedTaskExecutor()) }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        append(UnownedJob(job))
    }

    private func append(_ part: UnownedJob?) {
        parts.withLock { $0.append(part) }
        count.signal()
    }

    private func next(whileIdle idle: () -> Void) -> UnownedJob? {
        while count.wait(timeout: .now() + .milliseconds(120)) == .timedOut { idle() }
        return parts.withLock { $0.removeFirst() }
    }
}
