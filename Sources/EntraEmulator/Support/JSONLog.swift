// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import Logging
import MSALBase

/// Log lines on standard error for programs: a JSON object per line, with `time`, `level`, `label`, `message`,
/// `metadata`, and optionally `error`.
struct JSONLog: LogHandler {
    let label: String
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    private let write: @Sendable (TerminalText) -> Void

    init(label: String, write: @escaping @Sendable (TerminalText) -> Void = { Terminal.errors.write($0) }) {
        self.label = label
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line: [String: JSONValue] = [
            "time": .string(EmulatorClock.systemNow.formatted(.iso8601)), "level": .string(event.level.rawValue),
            "label": .string(label), "message": .string(event.message.description),
        ]
        let values = metadata.merging(event.metadata ?? [:]) { _, newer in newer }
        if !values.isEmpty { line["metadata"] = .object(values.mapValues(Self.json)) }
        line["error"] = event.error.map { .string("\($0)") }
        write(TerminalText(json: JSONValue.object(line).text))
    }

    private static func json(_ value: Logger.Metadata.Value) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let value): .string(value.description)
        case .array(let values): .array(values.map(json))
        case .dictionary(let values): .object(values.mapValues(json))
        }
    }
}
