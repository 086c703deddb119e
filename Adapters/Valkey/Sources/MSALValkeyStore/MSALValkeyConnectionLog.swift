// Licensed under the MIT License. See LICENSE.
public import Logging
import Synchronization

/// Reads in the driver's log why no connection can be opened. The driver reports the reason nowhere else: its calls wait.
///
/// Give its logger to the client, and this object to the store:
///
/// ```swift
/// let connections = MSALValkeyConnectionLog(logger)
/// let client = ValkeyClient(address, configuration: settings, logger: connections.logger)
/// // In a task of its own: await client.run()
/// let store = try await MSALValkeyStore(checking: client, connections: connections)
/// ```
///
/// Each reason is logged as a warning, once a minute as long as it lasts. So a password that becomes wrong while the
/// service runs is in the log as that.
public final class MSALValkeyConnectionLog: Sendable {
    private struct Failure {
        let error: MSALValkeyConnectionError
        let time: ContinuousClock.Instant
    }

    private struct State {
        var last: Failure?
        var logged: Failure?
    }

    private let base: Logger
    private let state = Mutex(State())

    /// A log that passes everything on to a logger.
    public init(_ logger: Logger) { base = logger }

    /// The logger for the client.
    public var logger: Logger { Logger(label: base.label) { [base] _ in Handler(log: self, logLevel: base.logLevel) } }

    /// The last failure to connect, unless it was before a time.
    func failure(since time: ContinuousClock.Instant) -> MSALValkeyConnectionError? {
        state.withLock { state in state.last.flatMap { $0.time >= time ? $0.error : nil } }
    }

    private func note(_ error: MSALValkeyConnectionError) {
        let failure = Failure(error: error, time: .now)
        let isNews = state.withLock { state in
            state.last = failure
            if let logged = state.logged, logged.error == error, failure.time - logged.time < .seconds(60) {
                return false
            }
            state.logged = failure
            return true
        }
        if isNews { base.warning("\(error)") }
    }

    private struct Handler: LogHandler {
        let log: MSALValkeyConnectionLog
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level {
            get { min(level, .debug) }
            set { level = newValue }
        }
        private var level: Logger.Level

        init(log: MSALValkeyConnectionLog, logLevel: Logger.Level) {
            self.log = log
            level = logLevel
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            log.base.log(level: event.level, event.message, metadata: all)
            guard "\(event.message)" == "Connection creation failed", let error = all["error"] else { return }
            log.note(MSALValkeyConnectionError(logged: "\(error)"))
        }
    }
}
