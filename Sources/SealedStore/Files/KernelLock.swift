// Licensed under the MIT License. See LICENSE.

import Glibc

/// Exclusive kernel locks on an open descriptor (`flock`). The kernel releases them when the descriptor closes, even if
/// the process crashes.
enum KernelLock {
    /// Waits for the lock on `descriptor` for up to five seconds, the same as SQLite's busy timeout.
    ///
    /// - Throws: `.busy` if another process still holds the lock; try again later.
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
