// Licensed under the MIT License. See LICENSE.

import Glibc
import Synchronization

extension SQLiteStore {
    /// Lets go of the connections. Work that is under way keeps its own until it is done; a later call opens new ones.
    ///
    /// The last connection to go, of those of all processes, has SQLite write the log into the file, which is then
    /// complete by itself (docs/reference/Store.md#read-only). Waits for nobody whose work may take long: what is in
    /// use, or another process's, stays.
    ///
    /// `forGood`: The process ends, and nothing is to be used again.
    func close(forGood: Bool = false) {
        connections.withLockIfAvailable { connections in
            // Who only read cannot write the log into the file.
            let hasOnlyRead = connections.reader != nil && connections.writer == nil && connections.process == getpid()
            if forGood, connections.process == getpid() { connections.reader?.closeForGood() }
            leave(&connections, for: nil)
            guard hasOnlyRead, !file.isComplete, file.takesCompanions else { return }
            // Another thread opens its store within milliseconds. A log that stays is no loss: the next process reads it.
            for _ in 0..<100 {
                if Self.opening.withLockIfAvailable({ _ in _ = try? openWriter(nil) }) != nil { return }
                usleep(1000)
            }
        }
    }
}

/// Closes the stores of a process that ends: few programs let go of all their objects first.
///
/// A process that is killed leaves its log behind, which costs nothing (docs/reference/Store.md#log-left-behind).
///
/// Closes them before a `fork`, too. While the parent holds a connection, SQLite takes the child for one that has its
/// lock already; but the lock is the parent's, and goes with it: the log that the child writes would be deleted.
enum StoreEnding {
    private struct Entry {
        weak var store: SQLiteStore?
    }

    private static let stores = Mutex<[Entry]>([])
    /// Asked for the first time, it registers. Where that fails, the log is left behind.
    private static let isRegistered =
        atexit { closeAll(forGood: true) } == 0 && pthread_atfork({ closeAll(forGood: false) }, nil, nil) == 0

    /// Has `store` closed at the end of the process, if it still lives then.
    static func add(_ store: SQLiteStore) {
        guard isRegistered else { return }
        stores.withLock { stores in
            stores.removeAll { $0.store == nil }
            stores.append(Entry(store: store))
        }
    }

    private static func closeAll(forGood: Bool) {
        let left = stores.withLockIfAvailable { $0.compactMap(\.store) }
        for store in left ?? [] { store.close(forGood: forGood) }
    }
}
