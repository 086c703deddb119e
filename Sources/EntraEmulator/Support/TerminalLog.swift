// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import Logging

/// Log lines on standard error. Control characters from requests are escaped, so that they cannot control a terminal.
struct TerminalLog: LogHandler {
    let label: String
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let values = metadata.merging(event.metadata ?? [:]) { _, newer in newer }
        let pairs = values.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
        let cause = event.error.map { " \($0)" } ?? ""
        let time = EmulatorClock.systemNow.formatted(.iso8601)
        Terminal.errors.write("\(time) \(event.level.rawValue) \(label):\(pairs) \(event.message.description)\(cause)")
    }
}
