// Licensed under the MIT License. See LICENSE.

import Glibc
import MSALBase

/// Marks a store as in use by this process: a shared lock on `<group>/.users`, held while the store is open.
///
/// If a write-ahead log exists while no process holds this lock, the last process did not exit cleanly.
struct StorePresence: ~Copyable, Sendable {
    private var descriptor: Int32?

    init() {}

    /// Marks the store as in use.
    ///
    /// - Returns: Whether no other process used the store at that moment. Also `false` if the lock cannot be acquired,
    ///   for instance in a read-only directory, where nothing can be repaired either.
    mutating func begin(at location: StoreLocation) -> Bool {
        guard descriptor == nil else { return false }
        let opened = PrivateFile.create(location.directory + "/.users", flags: O_RDWR)
        guard opened >= 0 else { return false }
        descriptor = opened
        let isAlone = flock(opened, LOCK_EX | LOCK_NB) == 0
        // This fails only while another process does the same. Then neither of the two is the only user.
        _ = flock(opened, LOCK_SH | LOCK_NB)
        return isAlone
    }

    deinit { if let descriptor { close(descriptor) } }
}
