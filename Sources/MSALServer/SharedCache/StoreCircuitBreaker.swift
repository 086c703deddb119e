// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// Leaves a store alone that does not answer (docs/reference/Services.md#shared-breaker).
final class StoreCircuitBreaker: Sendable {
    /// Whether a call may go to the store.
    enum Admission: Sendable {
        case usual
        /// The one call that finds out whether the store is back.
        case trial
        case refused
    }

    private struct State {
        var failures = 0
        /// The uptime at which the store is tried again; `nil` while it is in use.
        var pausedUntil: Duration?
        var isTrialInProgress = false
    }

    private let state = Mutex(State())
    private let pause: Duration

    init(pause: Duration) {
        self.pause = pause
    }

    func admit(at uptime: Duration) -> Admission {
        state.withLock { state in
            guard let end = state.pausedUntil else { return .usual }
            guard uptime >= end, !state.isTrialInProgress else { return .refused }
            state.isTrialInProgress = true
            return .trial
        }
    }

    /// Notes an answer. Returns whether the store is back from a pause.
    func succeeded() -> Bool {
        state.withLock { state in
            defer { state = State() }
            return state.pausedUntil != nil
        }
    }

    /// Notes a failure. Returns whether a pause begins that there was not before.
    func failed(_ admission: Admission, at uptime: Duration) -> Bool {
        state.withLock { state in
            guard state.pausedUntil == nil else {
                // A call that was under way when the pause began says nothing new.
                if admission == .trial { state = State(pausedUntil: uptime + pause) }
                return false
            }
            state.failures += 1
            guard state.failures >= Self.mostFailures else { return false }
            state = State(pausedUntil: uptime + pause)
            return true
        }
    }

    /// Notes that the caller of a trial has left. The next call is the trial then.
    func abandoned(_ admission: Admission) {
        if admission == .trial { state.withLock { $0.isTrialInProgress = false } }
    }

    private static let mostFailures = 5
}
