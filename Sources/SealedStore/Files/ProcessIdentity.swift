// Licensed under the MIT License. See LICENSE.

import Glibc

/// The ID of this process, without the system call that `getpid` makes.
///
/// A child of a `fork` must not use its parent's connections, so every use checks the process ID. The kernel zeroes a
/// marked page in each child and in no other process (MADV_WIPEONFORK, since Linux 4.14).
enum ProcessIdentity {
    private struct Mark {
        /// A byte that is 1 until the kernel zeroes it; `nil` where the kernel does not support that.
        let byte: UnsafePointer<UInt8>?
        /// The ID of the process that wrote the byte.
        let process: pid_t
    }

    // Proof for `nonisolated(unsafe)`: written once, before the first read. The program never writes the byte again,
    // and the kernel gives each child its own page.
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

    /// The value of `getpid`. Calls `getpid` only in a child process and where the kernel cannot mark pages.
    static var current: pid_t { mark.byte?.pointee == 1 ? mark.process : getpid() }
}
