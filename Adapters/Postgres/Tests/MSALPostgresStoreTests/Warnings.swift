// Licensed under the MIT License. See LICENSE.
import Logging
import Synchronization

/// The warnings that a logger was given.
final class Warnings: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    var logger: Logger { Logger(label: "tests") { _ in Handler(warnings: self) } }

    private struct Handler: LogHandler {
        let warnings: Warnings
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { warnings.lines.withLock { $0.append("\(event.message)") } }
    }
}
