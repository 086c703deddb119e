// Licensed under the MIT License. See LICENSE.

import Glibc

/// Exclusive locks of the kernel on an open descriptor (`flock`). They die with the descriptor, however its process
/// ends.
enum KernelLock {
    /// Waits up to five seconds, as SQLite's own busy time-out, for the lock on `descriptor`.
    ///
    /// - Throws: `.busy` if another process keeps it longer.
    static func wait(for descriptor: Int32, of location: StoreLocation) throws(StoreError) {
        var pauses = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            guard code == EWOULDBLOCK else {
                throw StoreFile.failure(.unwritable, to: "lock", at: location.directory, code: code)
            }
            guard pauses < 250 else {
                throw StoreError(
                    .busy,
                    message: "Another process is preparing the token store \(location.file). Try again."
                )
            }
            pauses += 1
            usleep(20_000)
        }
    }
}
