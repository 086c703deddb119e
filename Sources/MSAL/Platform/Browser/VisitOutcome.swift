// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// The end of a visit, which several parties may bring about: the first one counts, the others change nothing.
final class VisitOutcome: Sendable {
    typealias Value = Result<[String: String], AgentError>

    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case settled(Value)
    }

    private let state = Mutex(State.open)

    /// Ends the visit, unless it has ended.
    func settle(_ value: Value) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .open:
                state = .settled(value)
                return nil
            case .awaited(let continuation):
                state = .settled(value)
                return continuation
            case .settled:
                return nil
            }
        }
        waiter?.resume(returning: value)
    }

    /// Waits for the end, for one caller: with its task's cancellation, or the time over, the visit ends too.
    func value(within timeout: Duration, time: any TimeSource) async throws(AgentError) -> [String: String] {
        let value = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await time.sleep(for: timeout)
                } catch {
                    return  // The visit has ended otherwise.
                }
                self.settle(.failure(.noReturn(after: timeout)))
            }
            let value = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in register(continuation) }
            } onCancel: {
                settle(.failure(.canceledByProgram))
            }
            group.cancelAll()
            return value
        }
        return try value.get()
    }

    private func register(_ continuation: CheckedContinuation<Value, Never>) {
        let settled = state.withLock { state -> Value? in
            switch state {
            case .open:
                state = .awaited(continuation)
                return nil
            case .awaited:
                preconditionFailure("Two callers wait for one visit.")
            case .settled(let value):
                return value
            }
        }
        if let settled { continuation.resume(returning: settled) }
    }
}

extension AgentError {
    static func noReturn(after timeout: Duration) -> AgentError {
        let style = Duration.UnitsFormatStyle.units(allowed: [.minutes, .seconds], width: .wide)
        // The text is English, whatever the user's language is.
        let time = timeout.formatted(style.locale(Locale(identifier: "en_US_POSIX")))
        return AgentError(
            .timedOut,
            "The browser brought no answer within \(time). Closing a tab cannot be seen, so this counts as giving up. "
                + "Try again."
        )
    }

    static let canceledByProgram = AgentError(.canceled, "The sign-in was cancelled by the program.")
}
