// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// An executor that runs tasks on one dedicated thread.
final class OneThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let waiting = DispatchSemaphore(value: 0)
    private let number = Atomic<Int32>(0)

    /// The kernel's ID of the thread.
    var id: Int32 { number.load(ordering: .acquiring) }

    init() {
        let started = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            // The path ends with the thread's ID.
            let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
            number.store(path.split(separator: "/").last.flatMap { Int32($0) } ?? 0, ordering: .releasing)
            // This thread inherits a mask from the thread pool that blocks nearly all signals. The tracer waits for SIGUSR2.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGUSR2)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            started.signal()
            while true {
                waiting.wait()
                let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                job?.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
        started.wait()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        waiting.signal()
    }
}
