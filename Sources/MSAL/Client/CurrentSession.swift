// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// The one browser session a process may have open.
///
/// Process-wide because the public API is static here (`cancelCurrentWebAuthSession()`).
package final class CurrentSession: Sendable {
    package static let shared = CurrentSession()

    private struct Open {
        let id: UUID
        /// `nil` for the instant before the browser is asked.
        let cancel: (@Sendable () -> Void)?
    }

    private let open = Mutex<Open?>(nil)

    package init() {}

    /// Runs `visit` as the open session.
    ///
    /// - Throws: `.sessionAlreadyRunning` if another is open; `.canceled` if it is canceled by ``cancel()`` or with the
    ///   calling task; else what the agent threw.
    func run(
        _ agent: any AuthorizationAgent,
        _ visit: AuthorizationVisit
    ) async throws(AuthError) -> AuthorizationReturn {
        let id = UUID()
        let isFirst = open.withLock { current in
            guard current == nil else { return false }
            current = Open(id: id, cancel: nil)
            return true
        }
        guard isFirst else {
            throw AuthError(
                .sessionAlreadyRunning,
                "Another sign-in of this program is open in the browser; finish or cancel it first."
            )
        }
        // Owned by this function, which awaits it; a task of its own so that ``cancel()`` can reach it.
        let task = Task { () async -> Result<AuthorizationReturn, AgentError> in
            do throws(AgentError) {
                return .success(try await agent.authorize(visit))
            } catch {
                return .failure(error)
            }
        }
        open.withLock { $0 = Open(id: id) { task.cancel() } }
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        open.withLock { current in
            if current?.id == id { current = nil }
        }
        switch outcome {
        case .success(let answer): return answer
        case .failure(let error): throw AuthError(error)
        }
    }

    /// Ends the open session; its caller gets the cancellation error.
    ///
    /// - Returns: Whether there was one.
    package func cancel() -> Bool {
        let session = open.withLock { $0 }
        session?.cancel?()
        return session != nil
    }
}
