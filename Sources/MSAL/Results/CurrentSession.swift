// Licensed under the MIT License. See LICENSE.

import MSALBase
private import Synchronization

/// The one sign-in or sign-out with the user that a process may have open.
///
/// There is one for the process, because the public API is static here (`cancelCurrentWebAuthSession()`).
package final class CurrentSession: Sendable {
    package static let shared = CurrentSession()

    private struct Open {
        let id: UUID
        let cancel: @Sendable () -> Void
    }

    private let open = Mutex<Open?>(nil)

    package init() {}

    /// Runs `work` as the open session. ``cancel()`` also cancels it.
    ///
    /// - Throws: `.sessionAlreadyRunning` if another is open; else what `work` threw.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable () async throws(AuthError) -> Value
    ) async throws(AuthError) -> Value {
        let id = UUID()
        let task = open.withLock { current -> Task<Result<Value, AuthError>, Never>? in
            guard current == nil else { return nil }
            // This function owns the task and awaits it. It is a task of its own, so that ``cancel()`` can reach it.
            let task = Task { await Result(catching: work) }
            current = Open(id: id, cancel: { task.cancel() })
            return task
        }
        guard let task else {
            throw AuthError(
                .sessionAlreadyRunning,
                message: "Another sign-in or sign-out of this program waits for the user; finish or cancel it first."
            )
        }
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        open.withLock { current in
            if current?.id == id { current = nil }
        }
        return try outcome.get()
    }

    /// Ends the open session; its caller gets the cancellation error.
    ///
    /// - Returns: Whether there was one.
    package func cancel() -> Bool {
        let session = open.withLock { $0 }
        session?.cancel()
        return session != nil
    }
}
