// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// One thread. Tasks that prefer it run there, and nowhere else.
final class OneThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let waiting = DispatchSemaphore(value: 0)
    private let number = Atomic<Int32>(0)

    /// The number by which the kernel knows the thread.
    var id: Int32 { number.load(ordering: .acquiring) }

    init() {
        let started = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [self] in
            // It ends with the number of the thread.
            let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
            number.store(path.split(separator: "/").last.flatMap { Int32($0) } ?? 0, ordering: .releasing)
            // The threads of the pool, one of which made this one, block nearly all signals. A tracer waits for this one.
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
