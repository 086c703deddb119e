// Licensed under the MIT License. See LICENSE.

import Glibc
import MSALSupport
import Synchronization

/// Notes that this process uses a store: a shared lock on `<group>/.users`, kept as long as the store is open.
///
/// Who finds a write-ahead log and nobody with this lock knows that the last process did not end cleanly.
final class StorePresence: Sendable {
    private let held = Mutex<Int32?>(nil)

    /// Notes the use.
    ///
    /// - Returns: Whether nobody else used the store at that moment. `false` also where no lock can be had, for
    ///   instance in a read-only directory: then there is nothing to mend either.
    func begin(at location: StoreLocation) -> Bool {
        held.withLock { held in
            guard held == nil else { return false }
            let descriptor = PrivateFile.create(location.directory + "/.users", O_RDWR)
            guard descriptor >= 0 else { return false }
            held = descriptor
            let isAlone = flock(descriptor, LOCK_EX | LOCK_NB) == 0
            // Fails only while another process asks the same question; then it is not alone, nor are we.
            _ = flock(descriptor, LOCK_SH | LOCK_NB)
            return isAlone
        }
    }

    deinit { held.withLock { if let descriptor = $0 { close(descriptor) } } }
}
