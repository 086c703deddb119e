// Licensed under the MIT License. See LICENSE.

import Glibc
import MSALBase

/// Notes that this process uses a store: a shared lock on `<group>/.users`, kept as long as the store is open.
///
/// If a process sees a write-ahead log and nobody holds this lock, the last process did not end cleanly.
struct StorePresence: ~Copyable, Sendable {
    private var descriptor: Int32?

    init() {}

    /// Notes the use.
    ///
    /// - Returns: Whether nobody else used the store at that moment. `false` also if the lock cannot be taken, for
    ///   instance in a read-only directory. Then there is nothing to mend either.
    mutating func begin(at location: StoreLocation) -> Bool {
        guard descriptor == nil else { return false }
        let opened = PrivateFile.create(location.directory + "/.users", flags: O_RDWR)
        guard opened >= 0 else { return false }
        descriptor = opened
        let isAlone = flock(opened, LOCK_EX | LOCK_NB) == 0
        // This fails only while another process does the same. Then neither of the two is alone.
        _ = flock(opened, LOCK_SH | LOCK_NB)
        return isAlone
    }

    deinit { if let descriptor { close(descriptor) } }
}
