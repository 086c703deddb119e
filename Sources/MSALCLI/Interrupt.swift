// Licensed under the MIT License. See LICENSE.

import Dispatch
import Foundation

/// Runs work that Ctrl-C cancels instead of killing, so that it can tidy up. A second Ctrl-C kills as usual.
///
/// - Throws: `CancellationError` after a Ctrl-C, else what `work` throws.
func cancelledByInterrupt<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    // The task is awaited below; it is unstructured because a signal handler has to reach it.
    let task = Task { try await work() }
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler {
        signal(SIGINT, SIG_DFL)
        SilenceKeeper.endAll()  // The second Ctrl-C has no time for it.
        task.cancel()
    }
    source.resume()
    defer {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
    do {
        return try await task.value
    } catch  where task.isCancelled {
        throw CancellationError()
    }
}
