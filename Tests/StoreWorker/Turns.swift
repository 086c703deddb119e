// Licensed under the MIT License. See LICENSE.

package import Foundation
import Glibc
import Synchronization

/// The state that a test and its worker exchange, in shared memory. A million turns through pipes would take an hour.
package struct Turns {
    package struct Failure: Error {
        let code: Int32
    }

    /// The requested turn, and the last committed one.
    private let numbers: UnsafeMutablePointer<Atomic<Int>>

    /// Maps a file, which is created if it does not exist. It stays mapped until the process exits.
    package init(_ file: URL) throws {
        let size = 2 * MemoryLayout<Atomic<Int>>.stride
        let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        defer { close(descriptor) }
        guard
            ftruncate(descriptor, off_t(size)) == 0,
            let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            memory != MAP_FAILED
        else { throw Failure(code: errno) }
        numbers = memory.bindMemory(to: Atomic<Int>.self, capacity: 2)
    }

    /// The turn that the worker is to take.
    package var asked: Int {
        get { numbers[0].load(ordering: .acquiring) }
        nonmutating set { numbers[0].store(newValue, ordering: .releasing) }
    }

    /// The last committed turn.
    package var done: Int {
        get { numbers[1].load(ordering: .acquiring) }
        nonmutating set { numbers[1].store(newValue, ordering: .releasing) }
    }

    /// Lets another thread or process run.
    package static func pause() { sched_yield() }

    /// Whether the account is signed out in this turn.
    package static func isSignOut(_ turn: Int) -> Bool { turn % 50 == 0 }
}
