// Licensed under the MIT License. See LICENSE.

import Glibc

/// Closes the stores when the process exits because few programs release all their objects first.
///
/// A process that is killed leaves its log behind, which does no harm (docs/reference/Store.md#log-left-behind).
///
/// Stores are also closed before a `fork`. While the parent holds a connection, SQLite assumes that the child already
/// has its lock; but the lock belongs to the parent process and is released with it, so the log that the child writes
/// would be deleted.
enum StoreExitHandler {
    private struct Entry {
        weak var store: RowStore?
    }

    private static let stores = OrderedMutex<[Entry]>([], rank: .ending)
    /// Whether the handlers are registered, which the first access does. If that fails, the log is left behind.
    private static let isRegistered =
        atexit { closeAll(forGood: true) } == 0 && pthread_atfork({ closeAll(forGood: false) }, nil, nil) == 0

    /// Closes `store` when the process exits, if it still exists then.
    static func add(_ store: RowStore) {
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
