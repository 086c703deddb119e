// Licensed under the MIT License. See LICENSE.

import Dispatch
import Foundation

/// Waits for the signals that end a process, so that it can remove its files before it exits.
struct Interruptions {
    /// Ends the wait like a signal, for other reasons.
    let end: @Sendable () -> Void
    private let signals: [CInt]
    private let stream: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    init() {
        signals = TerminationSignals.usual + TerminationSignals.others
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        self.stream = stream
        end = { continuation.yield() }
        sources = signals.map { number in
            // The default action would end the process before it could close its files.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { continuation.yield() }
            source.resume()
            return source
        }
    }

    /// Returns at the first signal. A second one ends the process immediately.
    func first() async {
        for await _ in stream { break }
        for number in signals { signal(number, SIG_DFL) }
    }
}
