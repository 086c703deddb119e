// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
private import Synchronization

/// Why a store did not return a result.
package enum SharedStoreError: Error {
    /// The store threw an error, or returned an invalid result.
    case failed
    case timedOut
    /// The store was not called, because calls to it are paused.
    case paused
    /// The caller has left.
    case cancelled
}

/// Calls the shared store, within a time limit, and not at all while it is failing
/// (docs/reference/Services.md#shared-cache).
package final class SharedStore: Sendable {
    /// The subjects of log lines, which are limited to one a minute.
    private enum Subject { case call, value }

    /// The time in which the store's client opens connections (docs/reference/Services.md#shared-connecting).
    private struct Connecting {
        /// The uptime at its start, or at the last response.
        var lastUse: Duration?
        var end = Duration.zero
    }

    package let configuration: MSALSharedCacheConfiguration
    private let breaker: StoreCircuitBreaker
    /// The uptime of the last line about each subject.
    private let lastLines = Mutex<[Subject: Duration]>([:])
    private let connecting = Mutex(Connecting())

    package init(_ configuration: MSALSharedCacheConfiguration) {
        self.configuration = configuration
        breaker = StoreCircuitBreaker(pause: configuration.trialAfter)
    }

    var time: any TimeSource { configuration.time }

    /// Makes one request to the store.
    ///
    /// - Parameters:
    ///   - operation: The name of the request in the metrics.
    ///   - isHit: Whether the result contains a value.
    ///   - body: The request.
    /// - Returns: The result.
    /// - Throws: `.paused` without a request while the store is paused; otherwise the fault of the store.
    func ask<Value: Sendable>(
        _ operation: StoreOperation,
        isHit: @Sendable (Value) -> Bool = { _ in true },
        body: @escaping @Sendable (any MSALDistributedTokenStore) async throws -> Value
    ) async throws(SharedStoreError) -> Value {
        let instruments = Instruments.current
        let admission = breaker.admit(at: time.uptime)
        guard admission != .refused else {
            instruments.note(operation, outcome: .open)
            throw .paused
        }
        let start = time.uptime
        let endWait = CallTimer.begin(.store)
        defer { endWait() }
        return try await instruments.span(.store) { span throws(SharedStoreError) in
            let answer = await admitted(admission, to: operation, body: body)
            if let outcome = StoreOutcome(answer, isHit: isHit) {
                span.set(operation, outcome: outcome)
                instruments.note(operation, outcome: outcome, after: time.uptime - start)
            }
            span.set(correlationID: Log.correlationID)
            return try answer.get()
        }
    }

    /// Calls the store, and reports to the breaker whether it responded.
    private func admitted<Value: Sendable>(
        _ admission: StoreCircuitBreaker.Admission,
        to operation: StoreOperation,
        body: @escaping @Sendable (any MSALDistributedTokenStore) async throws -> Value
    ) async -> Result<Value, SharedStoreError> {
        let limit = limit(of: admission)
        let answer = await answer(of: body, within: limit)
        switch answer {
        case .success:
            connecting.withLock { $0.lastUse = time.uptime }
            if breaker.succeeded() { report(.resumed, message: "The shared cache responds again.") }
        case .failure(.cancelled):
            breaker.abandoned(admission)
        case .failure(let fault):
            if breaker.failed(admission, at: time.uptime) {
                report(
                    .paused,
                    message: "The shared cache does not respond. It is paused for \(configuration.trialAfter)."
                )
            } else if admission != .trial {
                // A store that rejects writes but serves reads is never paused, so no other line reports it. While a
                // store is paused, the line about that is enough.
                let what = fault == .timedOut ? "has not responded within \(limit)" : "has failed"
                logOnceAMinute("The shared cache \(what) (\(operation.rawValue)).", about: .call)
            }
        }
        return answer
    }

    /// The time that a call may take. The library cannot see the connections of a store. So it allows for them where
    /// its client may have none: at first, after a period without responses, and after an outage.
    private func limit(of admission: StoreCircuitBreaker.Admission) -> Duration {
        let now = time.uptime
        return connecting.withLock { state in
            if admission == .trial || state.lastUse.map({ now - $0 >= Self.idleTime }) ?? true {
                state = Connecting(lastUse: now, end: now + configuration.connectTimeLimit)
            }
            return max(configuration.timeLimit, state.end - now)
        }
    }

    /// Clients of engines close connections that have been idle for a minute, and some earlier.
    private static let idleTime = Duration.seconds(30)

    private func answer<Value: Sendable>(
        of body: @escaping @Sendable (any MSALDistributedTokenStore) async throws -> Value,
        within timeLimit: Duration
    ) async -> Result<Value, SharedStoreError> {
        let shot = OneShot<Result<Value, SharedStoreError>>()
        // A store may hang despite cancellation, so its call cannot run in a task group. This function cancels both
        // tasks when it returns.
        let call = Task.begun { [self] in
            do {
                shot.settle(.success(try await body(configuration.store)))
            } catch {
                if !Task.isCancelled { observe(.failed, message: "The store has failed.", error: error) }
                shot.settle(.failure(.failed))
            }
        }
        // A call that did not have to wait needs no limit.
        if let answer = shot.settled { return answer }
        let limit = Task.begun { [self] in
            do throws(CancellationError) {
                try await time.sleep(for: timeLimit)
            } catch {
                return
            }
            shot.settle(.failure(.timedOut))
        }
        let answer = await shot.value(ifCancelled: .failure(.cancelled))
        call.cancel()
        limit.cancel()
        if case .failure(.timedOut) = answer {
            observe(.timedOut, message: "The store has not responded within \(timeLimit).")
        }
        return answer
    }

    /// Records a value that cannot be used. At most one such line a minute is logged.
    ///
    /// - Parameters:
    ///   - kind: What is wrong with the value.
    ///   - operation: What was to be done with it.
    ///   - outcome: What the metrics count.
    ///   - message: The line.
    func warn(_ kind: MSALSharedCacheEvent.Kind, of operation: StoreOperation, outcome: StoreOutcome, message: String) {
        observe(kind, message: message)
        Instruments.current.note(operation, outcome: outcome)
        logOnceAMinute(message, about: .value)
    }

    private func logOnceAMinute(_ message: String, about subject: Subject) {
        let now = time.uptime
        let isDue = lastLines.withLock { last in
            guard last[subject].map({ now - $0 >= .seconds(60) }) ?? true else { return false }
            last[subject] = now
            return true
        }
        if isDue { Log.warning(message) }
    }

    private func report(_ kind: MSALSharedCacheEvent.Kind, message: String) {
        Log.warning(message)
        observe(kind, message: message)
    }

    private func observe(_ kind: MSALSharedCacheEvent.Kind, message: String, error: (any Error)? = nil) {
        configuration.onFailure?(MSALSharedCacheEvent(kind, message: message, underlying: error))
    }
}

extension StoreOutcome {
    /// The outcome of a request; `nil` if its caller has been canceled.
    fileprivate init?<Value>(_ answer: Result<Value, SharedStoreError>, isHit: (Value) -> Bool) {
        switch answer {
        case .success(let value): self = isHit(value) ? .hit : .miss
        case .failure(.failed): self = .error
        case .failure(.timedOut): self = .timeout
        case .failure(.paused): self = .open
        case .failure(.cancelled): return nil
        }
    }
}
