// Licensed under the MIT License. See LICENSE.

import Dispatch
import MSALBase
private import Synchronization

/// The main queue, with a record of whether the program services it.
///
/// A Linux program need not service it: its main thread may block, or run a main loop that does not know the queue,
/// such as GTK's. Therefore, the library enqueues probes, blocks that record that they ran. It enqueues one when the
/// application object is created and one when an interactive call begins, and does not wait for either. A single probe
/// is not sufficient: a program may service the queue briefly at its start and then never again.
package struct MainQueue: Sendable {
    /// How long a call waits for its own probe to run. A call that ends sooner uses the result of the application
    /// object's probe.
    static let probeTime = Duration.milliseconds(100)
    /// How long a block may wait on the queue before the log reports it.
    static let warningDelay = Duration.seconds(5)

    /// Marks the blocks of the queue. Under `dispatchMain()`, they run on threads other than the main one.
    private static let mark = DispatchSpecificKey<ObjectIdentifier>()

    private let queue: DispatchQueue
    private let time: any TimeSource
    private let first: Probe

    /// Enqueues the application object's probe.
    ///
    /// `queue` is only a different one in tests.
    init(_ queue: DispatchQueue = .main, time: any TimeSource) {
        self.queue = queue
        self.time = time
        queue.setSpecific(key: Self.mark, value: ObjectIdentifier(queue))
        first = Probe(on: queue)
    }

    /// Enqueues the probe of an interactive call; `correlationID` is that of the call.
    func beginCall(_ correlationID: UUID?) -> Call {
        Call(queue: self, correlationID: correlationID, began: time.now, probe: Probe(on: queue))
    }

    /// An interactive call, whose completion block runs on the main queue.
    struct Call: Sendable {
        fileprivate let queue: MainQueue
        fileprivate let correlationID: UUID?
        fileprivate let began: Date
        fileprivate let probe: Probe

        /// Runs the call's block: on the main queue if the program services it, otherwise immediately.
        func run(_ block: @escaping @Sendable () -> Void) {
            let isShort = queue.time.now.timeIntervalSince(began) <= MainQueue.probeTime.seconds
            let isServed = isShort ? queue.first.hasRun : probe.hasRun
            if isServed { Log.lines(of: correlationID) { queue.enqueue(block) } } else { block() }
        }
    }

    /// Whether the caller is on the main thread or in a block of the queue.
    var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: Self.mark) == ObjectIdentifier(queue) }

    /// Whether the queue that the app specified is this one.
    func isQueue(_ other: DispatchQueue) -> Bool { queue === other }

    /// Enqueues a block, and logs an error if it does not start.
    func enqueue(_ block: @escaping @Sendable () -> Void) {
        // This task is not awaited. It ends when the block starts, or when it has logged its line.
        let watch = Task { [time] in
            guard (try? await time.sleep(for: Self.warningDelay)) != nil else { return }  // The block began.
            Log.error(
                "A completion block waits for the main queue, which has started nothing for \(Self.warningDelay): the main "
                    + "thread is busy, or its main loop does not serve the queue. Name a queue that is served in "
                    + "completionBlockQueue of the parameters or in MSALGlobalConfig.defaultCompletionBlockQueue."
            )
        }
        queue.async {
            watch.cancel()
            block()
        }
    }
}

/// A block on a queue. It records that the queue ran it.
private final class Probe: Sendable {
    private let flag = Atomic(false)

    var hasRun: Bool { flag.load(ordering: .relaxed) }

    init(on queue: DispatchQueue) { queue.async { self.flag.store(true, ordering: .relaxed) } }
}
