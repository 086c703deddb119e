// Licensed under the MIT License. See LICENSE.

import Glibc
import MSALBase

/// Each thread's last snapshot of the log's index, so that concurrent calls do not write shared memory. The values are
/// copies of those in ``OpenStore``.
///
/// Only a thread that holds the lock `open` sets or clears a snapshot. None outlives the connection whose memory it
/// reads because ``OpenStore`` clears the snapshots before it releases that connection.
final class WALIndexViews: Sendable {
    private struct View {
        let log: WALIndex
        let counter: Int64
        /// The tick in which the identity of the file was last checked.
        let tick: Int64
        let process: pid_t
    }

    private let views = Striped { OrderedMutex<View?>(nil, rank: .view) }

    /// The stored counter, if the log has not changed since and the tick is still the same.
    func counter(at tick: Int64) -> Int64? {
        views.withOwn { view in
            view.withLock { view in
                guard let view, view.tick == tick, view.process == ProcessIdentity.current, view.log.isUnchanged else {
                    return nil
                }
                return view.counter
            }
        }
    }

    /// Stores the snapshot for this thread. The caller holds the lock `open`.
    ///
    /// `log`: Its state when `counter` was determined.
    func note(_ log: WALIndex, counter: Int64, tick: Int64) {
        let view = View(log: log, counter: counter, tick: tick, process: ProcessIdentity.current)
        views.withOwn { place in place.withLock { $0 = view } }
    }

    /// Clears all snapshots, and waits for threads that are using one. The caller holds the lock `open`.
    func clear() { views.forEach { place in place.withLock { $0 = nil } } }
}
