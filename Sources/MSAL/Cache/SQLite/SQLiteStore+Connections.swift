// Licensed under the MIT License. See LICENSE.

import GRDB
import Glibc
import Synchronization

extension SQLiteStore {
    /// What a store holds open: one connection that reads, one that writes, and the keys.
    struct Connections {
        /// Grows with every file that is opened, so that counters of two files never look alike.
        var generation: Int64 = 0
        var process = getpid()
        var identity: StoreFile.Identity?
        var reader: ReadingConnection?
        var writer: DatabaseQueue?
        var ring: KeyRing?
        /// The keys before the present ones: most of them are still right, and need not be fetched again.
        var former: KeyRing?

        /// Lets go of what belongs to another file; of everything if `isMoved` says that a connection does, whatever
        /// was noted of it.
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
                former = ring ?? former
                ring = nil
            }
            self.identity = identity
            // In this order: the last one of all has the log written into the file, which only this one can.
            reader = nil
            writer = nil
        }
    }

    struct Reader: Sendable {
        let connection: ReadingConnection?
        let generation: Int64
        /// The file it reads.
        let identity: StoreFile.Identity?
    }

    /// The connection for reading, opened if need be; none while there is no store.
    func reader() throws(StoreError) -> Reader {
        try connections.withLock { (connections) throws(StoreError) -> Reader in
            // Who deletes the file starts anew: the old connections would go on with an unlinked one.
            leave(&connections, for: try settledIdentity())
            if connections.reader == nil, connections.identity != nil {
                let queue = try Self.opening.withLock { _ throws(StoreError) in try openReader() }
                if let queue {
                    connections.reader = try run(.unreadable) { try ReadingConnection(queue) }
                    connections.generation += 1
                }
            }
            return Reader(
                connection: connections.reader,
                generation: connections.generation,
                identity: connections.identity
            )
        }
    }

    /// The connection for writing. Creates the store, its directories and its key where there are none.
    func writer(_ patience: KeyPatience) throws(StoreError) -> DatabaseQueue {
        if let present = try presentWriter() { return present }
        // There is no store. Its key may be a while in coming: nobody waits for that but those who want to write.
        return try whileKeying(patience) { () throws(StoreError) -> DatabaseQueue in
            try whileAlone { () throws(StoreError) -> DatabaseQueue in
                let late = try connections.withLock { (connections) throws(StoreError) -> DatabaseQueue? in
                    if let writer = connections.writer { return writer }
                    return try open(&connections, nil)
                }
                if let late { return late }
                let founding = try found(patience)
                let writer = try connections.withLock { (connections) throws(StoreError) -> DatabaseQueue? in
                    try open(&connections, founding)
                }
                guard let writer else {
                    throw StoreError(.unwritable, "The token store \(location.file) could not be created. Try again.")
                }
                return writer
            }
        }
    }

    /// The connection for writing to a store that is there; `nil` if none is.
    func presentWriter() throws(StoreError) -> DatabaseQueue? {
        try connections.withLock { (connections) throws(StoreError) -> DatabaseQueue? in
            leave(&connections, for: try settledIdentity())
            if let writer = connections.writer { return writer }
            return try open(&connections, nil)
        }
    }

    private func open(_ connections: inout Connections, _ founding: StoreFounding?) throws(StoreError) -> DatabaseQueue?
    {
        let writer = try Self.opening.withLock { _ throws(StoreError) in try openWriter(founding) }
        leave(&connections, for: file.identity)
        connections.writer = writer
        return writer
    }

    /// Lets go of what belongs to another file, and says so to who asks whether the keys are at hand.
    func leave(_ connections: inout Connections, for identity: StoreFile.Identity?, isMoved: Bool = false) {
        connections.leave(for: identity, isMoved: isMoved)
        if connections.ring == nil { hasKeys.store(false, ordering: .relaxed) }
    }

    /// Runs `work` while no other process creates the store or changes its keys.
    func whileAlone<R>(_ work: () throws(StoreError) -> R) throws(StoreError) -> R {
        var result: R?
        try run(.unwritable) {
            try file.whileAlone { result = try work() }
        }
        guard let result else { preconditionFailure("Work that did not throw has a result.") }
        return result
    }
}
