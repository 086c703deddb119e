// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// Fetches that concurrent callers share: who asks for a key while its fetch is under way waits for the same result.
///
/// A caller that is cancelled stops waiting at once. The fetch goes on for the others, and ends with the last of them.
final class SharedFetch<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, AuthorityError>

    private struct Flight {
        var task: Task<Void, Never>?
        var waiting: [UUID: CheckedContinuation<Outcome, Never>] = [:]
    }

    private let flights = Mutex<[String: Flight]>([:])

    /// The outcome of `fetch`, or of the fetch for `key` that is already under way.
    func value(
        for key: String,
        _ fetch: @escaping @Sendable () async -> Outcome
    ) async throws(AuthorityError) -> Value {
        let caller = UUID()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                join(key, caller, continuation, fetch)
            }
        } onCancel: {
            leave(key, caller)
        }
        return try outcome.get()
    }

    private func join(
        _ key: String,
        _ caller: UUID,
        _ continuation: CheckedContinuation<Outcome, Never>,
        _ fetch: @escaping @Sendable () async -> Outcome
    ) {
        let hasJoined = flights.withLock { flights in
            // Cancellation before this line found nobody to dismiss; after it, `leave` waits for the lock.
            guard !Task.isCancelled else { return false }
            flights[key, default: Flight()].waiting[caller] = continuation
            if flights[key]?.task == nil {
                // Owned by the flight: `leave` cancels it when nobody waits any more.
                flights[key]?.task = Task { self.finish(key, with: await fetch()) }
            }
            return true
        }
        if !hasJoined { continuation.resume(returning: Self.canceled) }
    }

    private func leave(_ key: String, _ caller: UUID) {
        let (continuation, abandoned) = flights.withLock { flights in
            let continuation = flights[key]?.waiting.removeValue(forKey: caller)
            guard let flight = flights[key], flight.waiting.isEmpty else { return (continuation, nil as Flight?) }
            return (continuation, flights.removeValue(forKey: key))
        }
        abandoned?.task?.cancel()
        continuation?.resume(returning: Self.canceled)
    }

    private func finish(_ key: String, with outcome: Outcome) {
        // A cancelled fetch was abandoned; the flight under this key, if there is one, is another.
        guard !Task.isCancelled else { return }
        let waiting = flights.withLock { $0.removeValue(forKey: key)?.waiting ?? [:] }
        for continuation in waiting.values { continuation.resume(returning: outcome) }
    }

    private static var canceled: Outcome {
        .failure(AuthorityError(TransportError(.canceled, "The call was cancelled.")))
    }
}
