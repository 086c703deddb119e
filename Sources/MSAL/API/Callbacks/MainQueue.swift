// Licensed under the MIT License. See LICENSE.

import Dispatch
import MSALBase
private import Synchronization

/// The main queue, with a record of whether the program serves it.
///
/// A Linux program need not serve it: its main thread may wait for something, or run a main loop that does not know
/// the queue, such as GTK's. The library therefore puts probes on the queue, blocks that note that they ran. It puts
/// one there when the application object is made and one when an interactive call begins, and waits for neither. A
/// single probe is not enough: a program may serve the queue for a moment at its start and then never again.
package struct MainQueue: Sendable {
    /// The time that a call's own probe gets to run. A call that ends sooner uses the result of the application
    /// object's probe.
    static let probeTime = Duration.milliseconds(100)
    /// The time that a block may wait on the queue before the log reports it.
    static let patience = Duration.seconds(5)

    /// Marks the blocks of the queue. Under `dispatchMain()` they run on other threads than the main one.
    private static let mark = DispatchSpecificKey<ObjectIdentifier>()

    private let queue: DispatchQueue
    private let time: any TimeSource
    private let first: Probe

    /// Puts the application object's probe on the queue.
    ///
    /// `queue` is another one in tests only.
    init(_ queue: DispatchQueue = .main, time: any TimeSource) {
        self.queue = queue
        self.time = time
        queue.setSpecific(key: Self.mark, value: ObjectIdentifier(queue))
        first = Probe(on: queue)
    }

    /// Puts the probe of an interactive call on the queue; `correlationID` is that of the call.
    func beginCall(_ correlationID: UUID?) -> Call {
        Call(queue: self, correlationID: correlationID, began: time.now, probe: Probe(on: queue))
    }

    /// An interactive call, whose completion block runs on the main queue.
    struct Call: Sendable {
        fileprivate let queue: MainQueue
        fileprivate let correlationID: UUID?
        fileprivate let began: Date
        fileprivate let probe: Probe

        /// Runs the call's block: on the main queue if that is served, else here and now.
        func run(_ block: @escaping @Sendable () -> Void) {
            let isShort = queue.time.now.timeIntervalSince(began) <= MainQueue.probeTime.seconds
            let isServed = isShort ? queue.first.hasRun : probe.hasRun
            if isServed { Log.lines(of: correlationID) { queue.enqueue(block) } } else { block() }
        }
    }

    /// Whether the caller is on the main thread or in a block of the queue.
    var isCurrent: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: Self.mark) == ObjectIdentifier(queue)
    }

    /// Whether the app means this queue when it names one.
    func isQueue(_ other: DispatchQueue) -> Bool { queue === other }

    /// Puts a block on the queue, and an error into the log if it does not begin.
    func enqueue(_ block: @escaping @Sendable () -> Void) {
        // Nobody awaits this task. It ends when the block begins, or when it has written its line.
        let watch = Task { [time] in
            guard (try? await time.sleep(for: Self.patience)) != nil else { return }  // The block began.
            Log.error(
                "A completion block waits for the main queue, which has started nothing for \(Self.patience): the main "
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

    init(on queue: DispatchQueue) {
        queue.async { self.flag.store(true, ordering: .relaxed) }
    }
}
