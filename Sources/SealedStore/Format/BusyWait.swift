// Licensed under the MIT License. See LICENSE.

import GRDB
import Glibc

/// Waits for another process's transaction.
///
/// SQLite's own handler sleeps longer each time, up to a tenth of a second. Later processes overtake one that has
/// waited long, and under load some time out. Here, every process tries again after a short random pause.
enum BusyWait {
    /// The average pause is three milliseconds, so this number of tries takes five seconds
    /// (docs/reference/Store.md#busy).
    private static let tries = 1_650

    static let mode = Database.BusyMode.callback { count in
        guard count < tries else { return false }
        usleep(.random(in: 1_000...5_000))
        return true
    }
}
