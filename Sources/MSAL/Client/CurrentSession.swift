// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// The one browser session a process may have open.
///
/// Process-wide because the public API is static here (`cancelCurrentWebAuthSession()`).
package final class CurrentSession: Sendable {
    package static let shared = CurrentSession()

    private struct Open {
        let id: UUID
        let visit: Task<Result<AuthorizationReturn, AgentError>, Never>
    }

    private let open = Mutex<Open?>(nil)

    package init() {}

    /// Runs `visit` as the open session.
    ///
    /// - Throws: `.sessionAlreadyRunning` if another is open; `.canceled` if it is canceled by ``cancel()`` or with the
    ///   calling task; else what the agent threw.
    func run(
        _ visit: AuthorizationVisit,
        with agent: any AuthorizationAgent
    ) async throws(AuthError) -> AuthorizationReturn {
        let id = UUID()
        let task = open.withLock { current -> Task<Result<AuthorizationReturn, AgentError>, Never>? in
            guard current == nil else { return nil }
            // Owned by this function, which awaits it; a task of its own so that ``cancel()`` can reach it.
            let task = Task { () async -> Result<AuthorizationReturn, AgentError> in
                do throws(AgentError) {
                    return .success(try await agent.authorize(visit))
                } catch {
                    return .failure(error)
                }
            }
            current = Open(id: id, visit: task)
            return task
        }
        guard let task else {
            throw AuthError(
                .sessionAlreadyRunning,
                message: "Another sign-in of this program is open in the browser; finish or cancel it first."
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
        switch outcome {
        case .success(let redirect): return redirect
        case .failure(let error): throw AuthError(error)
        }
    }

    /// Ends the open session; its caller gets the cancellation error.
    ///
    /// - Returns: Whether there was one.
    package func cancel() -> Bool {
        let session = open.withLock { $0 }
        session?.visit.cancel()
        return session != nil
    }
}
