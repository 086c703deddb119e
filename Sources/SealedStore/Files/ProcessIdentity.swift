// Licensed under the MIT License. See LICENSE.

import Glibc

/// The number of this process, without the system call that `getpid` is.
///
/// A child of a `fork` must not use its parent's connections, so every use asks. The kernel empties a marked page in each
/// child, however it was made, and in no other process (MADV_WIPEONFORK, since Linux 4.14).
enum ProcessIdentity {
    private struct Mark {
        /// One byte that is 1 until the kernel empties it; `nil` where the kernel cannot do that.
        let byte: UnsafePointer<UInt8>?
        /// The number of the process in which the byte was written.
        let process: pid_t
    }

    // Proof for `nonisolated(unsafe)`: written once, before anybody reads it. The byte is never written again by this
    // program: the kernel gives a child a page of its own.
    private nonisolated(unsafe) static let mark: Mark = {
        let size = Int(sysconf(Int32(_SC_PAGESIZE)))
        let page = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let page, page != MAP_FAILED, madvise(page, size, MADV_WIPEONFORK) == 0 else {
            return Mark(byte: nil, process: getpid())
        }
        let byte = page.assumingMemoryBound(to: UInt8.self)
        byte.pointee = 1
        return Mark(byte: UnsafePointer(byte), process: getpid())
    }()

    /// The number that `getpid` returns. In a child, and where the kernel marks no pages, it is asked.
    static var current: pid_t {
        mark.byte?.pointee == 1 ? mark.process : getpid()
    }
}
