// Licensed under the MIT License. See LICENSE.

import GRDB
import Glibc

/// Waiting for another process's transaction.
///
/// SQLite sleeps longer the longer it waits, up to a tenth of a second. A process that has waited long is overtaken by
/// later ones, and under load some give up. Here every process tries again after the same short random time.
enum BusyWait {
    /// The mean pause is three milliseconds, so this many tries are five seconds (docs/reference/Store.md#busy).
    private static let tries = 1_650

    static let mode = Database.BusyMode.callback { count in
        guard count < tries else { return false }
        usleep(.random(in: 1_000...5_000))
        return true
    }
}
