// Licensed under the MIT License. See LICENSE.

import GRDB
import Glibc
import Synchronization

extension RowStore {
    /// The read connection, opened if necessary; its connection is `nil` if no store exists.
    func reader() throws(StoreError) -> OpenStore.Reader {
        try withOpen { (open) throws(StoreError) -> OpenStore.Reader in
            // If the file was deleted, the store starts over. The old connections would continue with an unlinked file.
            open.leave(for: try settledIdentity(&open))
            if open.reader == nil, open.identity != nil, let queue = try opening.reader(&open.presence) {
                open.use(ReadingConnection(queue), log: try run(.unreadable) { try queue.unsafeRead(WALIndex.init) })
            }
            return OpenStore.Reader(connection: open.reader, generation: open.generation, identity: open.identity)
        }
    }

    /// The write connection. Creates the store, its directories, and its key if they do not exist.
    ///
    /// A thread that has exclusive access to the directory must not call this because it may have to wait for its turn.
    func writer(_ keyAccess: KeyAccessOptions) throws(StoreError) -> DatabaseQueue {
        if let present = try presentWriter() { return present }
        // No store exists. Its key may take a while, and only threads that want to write wait for it.
        return try keyTurn.take(keyAccess, file: location.file) { () throws(StoreError) -> DatabaseQueue in
            try withExclusiveAccess { () throws(StoreError) -> DatabaseQueue in
                // Another thread or process may have been faster.
                if let late = try openWriter(creatingWith: nil) { return late }
                let keys = try keys.initialKeys(created: seconds, keyAccess: keyAccess)
                guard let writer = try openWriter(creatingWith: keys) else {
                    throw StoreError(
                        .unwritable,
                        message: "The token store \(location.file) could not be created. Try again."
                    )
                }
                return writer
            }
        }
    }

    /// The write connection to an existing store; `nil` if none exists.
    func presentWriter() throws(StoreError) -> DatabaseQueue? {
        try withOpen { (open) throws(StoreError) -> DatabaseQueue? in
            open.leave(for: try settledIdentity(&open))
            return try writer(&open, creatingWith: nil)
        }
    }

    /// The write connection to a store that this thread has just found to exist.
    ///
    /// - Throws: `.busy` if it was deleted meanwhile; try again.
    func expectedWriter() throws(StoreError) -> DatabaseQueue {
        guard let writer = try presentWriter() else { throw StoreReplacedError.error }
        return writer
    }

    /// Whether the store exists.
    func exists() throws(StoreError) -> Bool {
        try withOpen { (open) throws(StoreError) -> Bool in try settledIdentity(&open) != nil }
    }

    /// The last repair of the store by this process; normally `nil`.
    package var recovered: StoreRecoveryReport? { open.withLock { $0.recovered } }

    /// Lets one thread at a time use the open resources. Updates the hint that the keys are in memory.
    func withOpen<R, Failure: Error>(_ body: (inout OpenStore) throws(Failure) -> R) throws(Failure) -> R {
        try open.withLock { (open) throws(Failure) -> R in
            defer { hasKeys.store(open.ring != nil, ordering: .relaxed) }
            return try body(&open)
        }
    }

    /// Releases the connections. Operations in progress keep theirs until they finish; a later call opens new ones.
    ///
    /// When the last connection of all processes closes, SQLite writes the log into the file, which is then complete by
    /// itself. A connection in use stays open because this call must not wait for long.
    ///
    /// `forGood`: The process is exiting and will not use the store again.
    func close(forGood: Bool = false) {
        open.withLockIfAvailable { open in
            // A read connection cannot write the log into the file.
            let hasOnlyRead = open.reader != nil && open.writer == nil && open.process == ProcessIdentity.current
            if forGood, open.process == ProcessIdentity.current {
                open.dropLog()
                open.reader?.closeAtExit()
            }
            open.leave(for: nil)
            hasKeys.store(false, ordering: .relaxed)
            guard hasOnlyRead, !file.isComplete, file.takesCompanions else { return }
            opening.writeLog(&open.presence)
        }
    }

    private var opening: StoreOpening { StoreOpening(file: file) }

    private func openWriter(creatingWith keys: InitialKeys?) throws(StoreError) -> DatabaseQueue? {
        try withOpen { (open) throws(StoreError) -> DatabaseQueue? in try writer(&open, creatingWith: keys) }
    }

    private func writer(_ open: inout OpenStore, creatingWith keys: InitialKeys?) throws(StoreError) -> DatabaseQueue? {
        if let writer = open.writer { return writer }
        let writer = try opening.writer(creatingWith: keys, presence: &open.presence)
        open.leave(for: file.identity)
        open.writer = writer
        return writer
    }

    /// The existing file; waits while another process repairs it.
    private func settledIdentity(_ open: inout OpenStore) throws(StoreError) -> StoreFile.Identity? {
        if let identity = try file.currentIdentity() { return identity }
        if let report = try care.settle(file) { open.recovered = report }
        return try file.currentIdentity()
    }
}
