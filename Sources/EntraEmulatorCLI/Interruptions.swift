// Licensed under the MIT License. See LICENSE.

import Dispatch
import Foundation

/// SIGINT and SIGTERM as something to wait for.
struct Interruptions {
    private static let signals = [SIGINT, SIGTERM]

    private let stream: AsyncStream<Void>
    private let sources: [any DispatchSourceSignal]

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        self.stream = stream
        sources = Self.signals.map { number in
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
        for number in Self.signals { signal(number, SIG_DFL) }
    }
}
