// Licensed under the MIT License. See LICENSE.

import Glibc
import MSALBase

/// What each thread last saw of the log's index, so that calls at the same time write nothing that they
/// share. What is written here is a copy of what ``OpenStore`` has.
///
/// A view is noted and cleared by a thread that holds the lock `open`. So none outlives the connection whose memory it
/// looks at: ``OpenStore`` clears the views before it lets go of that.
final class LogViews: Sendable {
    private struct View {
        let log: LogIndex
        let counter: Int64
        /// The tick in which somebody looked whether the file is still the same.
        let tick: Int64
        let process: pid_t
    }

    private let views = Striped { OrderedMutex<View?>(nil, rank: .view) }

    /// The counter that was noted, if the log has not changed since and the tick is still the same.
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

    /// Notes what this thread may go by. The caller holds the lock `open`.
    ///
    /// `log`: As it was when `counter` was made.
    func note(_ log: LogIndex, counter: Int64, tick: Int64) {
        let view = View(log: log, counter: counter, tick: tick, process: ProcessIdentity.current)
        views.withOwn { place in place.withLock { $0 = view } }
    }

    /// Waits until nobody looks, and forgets all views. The caller holds the lock `open`.
    func clear() {
        views.forEach { place in place.withLock { $0 = nil } }
    }
}
