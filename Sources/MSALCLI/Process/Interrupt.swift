// Licensed under the MIT License. See LICENSE.

import Foundation

/// Runs work that Ctrl-C cancels instead of killing the process, so that the work can clean up. A second Ctrl-C kills
/// it.
///
/// - Throws: `CancellationError` after a Ctrl-C, else what `work` throws.
func canceledByInterrupt<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    // The task is awaited below. It is unstructured, because the signal's thread cancels it.
    let task = Task { try await work() }
    SignalThread.handle(SIGINT) {
        SignalThread.handle(SIGINT) { TerminalEchoRestorer.end(by: SIGINT) }
        TerminalEchoRestorer.endAll()
        task.cancel()
    }
    defer { SignalThread.handle(SIGINT) { TerminalEchoRestorer.end(by: SIGINT) } }
    do {
        return try await task.value
    } catch  where task.isCancelled {
        throw CancellationError()
    }
}
