// Licensed under the MIT License. See LICENSE.

import Dispatch
import Foundation

/// The signals that end a process, as something to wait for: what it leaves has to be removed.
struct Interruptions {
    /// Does what a signal does, for other reasons to end.
    let end: @Sendable () -> Void
    private let signals: [CInt]
    private let stream: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    init() {
        signals = EndingSignals.usual + EndingSignals.others
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

    /// Returns at the first of them; a second one ends the process at once.
    func first() async {
        for await _ in stream { break }
        for number in signals { signal(number, SIG_DFL) }
    }
}
