// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// Pauses calls to a store that does not respond (docs/reference/Services.md#shared-breaker).
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

    init(pause: Duration) { self.pause = pause }

    func admit(at uptime: Duration) -> Admission {
        state.withLock { state in
            guard let end = state.pausedUntil else { return .usual }
            guard uptime >= end, !state.isTrialInProgress else { return .refused }
            state.isTrialInProgress = true
            return .trial
        }
    }

    /// Records a response. Returns whether the store is back from a pause.
    func succeeded() -> Bool {
        state.withLock { state in
            defer { state = State() }
            return state.pausedUntil != nil
        }
    }

    /// Records a failure. Returns whether a new pause begins.
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

    /// Records that the caller of a trial was canceled. The next call is then the trial.
    func abandoned(_ admission: Admission) {
        if admission == .trial { state.withLock { $0.isTrialInProgress = false } }
    }

    private static let mostFailures = 5
}
