// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import Logging

/// Writes the log lines of `MSALServer` to standard error, if the user asked for them. See ``CommandLog``.
struct ServiceLog: LogHandler {
    private static let started: Void = LoggingSystem.bootstrap { _ in ServiceLog() }

    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = Logger.Level(rawValue: CommandLog.serviceLevelName) ?? .critical

    /// Replaces the default log handler of swift-log, which writes every line. A second call does nothing.
    static func begin() { started }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        guard CommandLog.isWanted else { return }
        let id = event.metadata?["correlation-id"].map { " (\($0))" } ?? ""
        Terminal.errors.write("\("\(event.message)")\(id)")
    }
}
