// Licensed under the MIT License. See LICENSE.

import GRDB
import Glibc

/// The parts of a store that are open: one connection that reads, one that writes, and the keys. Guarded by one lock.
struct OpenStore: ~Copyable, Sendable {
    /// Grows whenever connections are let go, so that the counters and versions of two files never look alike.
    private(set) var generation: Int64 = 0
    var process = getpid()
    var identity: StoreFile.Identity?
    var reader: ReadingConnection?
    var writer: DatabaseQueue?
    var ring: KeyRing?
    /// The keys before the present ones: most of them are still right, and need not be fetched again.
    var previous: KeyRing?
    /// Tells other processes that the store is in use.
    var presence = StorePresence()
    /// The last repair of damage by this process.
    var recovered: StoreRecovered?

    /// The connection for reading, with the file that it reads.
    struct Reader: Sendable {
        /// None while there is no store.
        let connection: ReadingConnection?
        let generation: Int64
        let identity: StoreFile.Identity?
    }

    /// Lets go of everything that belongs to another file than this one.
    ///
    /// `isMoved`: Whether a connection belongs to another file, whatever was noted of it: then all of them go.
    mutating func leave(for identity: StoreFile.Identity?, isMoved: Bool = false) {
        if process != getpid() {
            // From before a `fork`, they belong to the parent: never used and never closed here
            // (docs/reference/Store.md#fork).
            _ = reader.map(Unmanaged.passRetained)
            _ = writer.map(Unmanaged.passRetained)
            process = getpid()
        } else if self.identity == identity, !isMoved {
            return
        } else {
            forgetKeys()
        }
        generation += 1
        self.identity = identity
        // The order matters. The last connection of all must write the log into the file, and a reading one cannot.
        reader = nil
        writer = nil
    }

    /// Makes the next use of the keys read them anew.
    mutating func forgetKeys() {
        previous = ring ?? previous
        ring = nil
    }
}
