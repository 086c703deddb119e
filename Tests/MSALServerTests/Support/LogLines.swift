// Licensed under the MIT License. See LICENSE.

import MSALBase
import Synchronization

/// The log lines of a test, by level.
final class LogLines: Sendable {
    private let lines = Mutex<[(level: Log.Level, text: String)]>([])

    /// The lines of one level, in order.
    func of(_ level: Log.Level) -> [String] {
        lines.withLock { $0.filter { $0.level == level }.map(\.text) }
    }

    /// Runs `body`, and keeps the lines that it logs.
    nonisolated(nonsending) func hear<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        let listener = Log.Listener { level, text in self.lines.withLock { $0.append((level, text)) } }
        return try await Log.$listener.withValue(listener, operation: body)
    }
}
