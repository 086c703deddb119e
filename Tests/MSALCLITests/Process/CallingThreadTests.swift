// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization
import Testing

@testable import MSALCLI

struct CallingThreadTests {
    /// Runs `work` as a command does, on a separate thread: a thread of the pool, which all tests share, must not wait.
    private func run(_ work: @escaping @Sendable (Trail) async -> Void) async -> [Bool] {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let trail = Trail()
                CallingThread.run { await work(trail) }
                continuation.resume(returning: trail.isHere)
            }
        }
    }

    /// Records whether the current thread is the one on which it was created.
    private final class Trail: Sendable {
        private let thread = pthread_self()
        private let steps = Mutex<[Bool]>([])

        var isHere: [Bool] { steps.withLock(\.self) }

        func step() {
            let isHere = pthread_equal(thread, pthread_self()) != 0
            steps.withLock { $0.append(isHere) }
        }
    }

    private actor Walker {
        func step(_ trail: Trail) { trail.step() }
    }

    @Test func `a task, its children and its actors run on the thread that waits for it`() async {
        let isHere = await run { trail in
            trail.step()
            await Walker().step(trail)
            await withTaskGroup { group in
                for _ in 0..<3 { group.addTask { trail.step() } }
            }
            trail.step()
        }

        #expect(isHere == Array(repeating: true, count: 6))
    }

    @Test func `while the task waits for something else, the thread is notified repeatedly`() async {
        let (turns, continuation) = AsyncStream.makeStream(of: Int.self)
        let seen = Mutex<[Int]>([])
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            Thread.detachNewThread {
                var count = 0
                CallingThread.run {
                    count += 1
                    continuation.yield(count)
                } _: {
                    for await turn in turns {
                        seen.withLock { $0.append(turn) }
                        if turn == 3 { return }
                    }
                }
                done.resume()
            }
        }

        #expect(seen.withLock(\.self) == [1, 2, 3])
    }

    @Test func `an unstructured task runs elsewhere, and code that waits for it returns`() async {
        let isHere = await run { trail in
            await Task { trail.step() }.value
            trail.step()
        }

        #expect(isHere == [false, true])
    }
}
