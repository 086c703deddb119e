// Licensed under the MIT License. See LICENSE.

import MSALBase
private import Synchronization

/// Lets equal calls that run at the same time share one execution.
///
/// A canceled caller returns at once. The execution continues while any caller waits for it, and is canceled when the
/// last one leaves, so canceling the first caller does not affect the others.
package final class SingleFlight<Key: Hashable & Sendable, Success: Sendable, Failure: Error>: Sendable {
    package typealias Outcome = Result<Success, Failure>

    private struct Flight: Sendable {
        let key: Key
        let timer = CallTimer()
        /// `nil` until the execution has begun.
        var task: Task<Void, Never>?
        var waiters: [UInt64: @Sendable (Outcome) -> Void] = [:]
    }

    private struct Flights: Sendable {
        /// All flights under way, by their number.
        var all: [UInt64: Flight] = [:]
        /// The flight for each key that others may join.
        var youngest: [Key: UInt64] = [:]
        /// The flight that each caller waits for. With it, a caller can leave without a search through all flights.
        var joined: [UInt64: UInt64] = [:]
        private var counter: UInt64 = 0

        mutating func number() -> UInt64 {
            counter += 1
            return counter
        }

        /// Adds a caller to a flight, for which the caller's timer waits from now on.
        mutating func add(_ waiter: UInt64, _ continuation: CheckedContinuation<Outcome, Never>, to number: UInt64) {
            let endWait = CallTimer.begin(nil, execution: all[number]?.timer)
            all[number]?.waiters[waiter] = { outcome in
                endWait()
                continuation.resume(returning: outcome)
            }
            joined[waiter] = number
        }

        mutating func remove(_ number: UInt64) -> Flight? {
            guard let flight = all.removeValue(forKey: number) else { return nil }
            if youngest[flight.key] == number { youngest[flight.key] = nil }
            for waiter in flight.waiters.keys { joined[waiter] = nil }
            flight.timer.stop()
            return flight
        }
    }

    /// Locked before the timers.
    private let flights = Mutex(Flights())
    private let cancellation: Failure

    /// `cancellation` is the failure that a canceled caller receives.
    package init(cancellation: Failure) { self.cancellation = cancellation }

    /// A number greater than all earlier ones. A call that takes a ticket when it begins joins only flights that start
    /// later.
    package func ticket() -> UInt64 { flights.withLock { $0.number() } }

    /// The number of callers that wait for an execution, including those that started one.
    package var callers: Int { flights.withLock { $0.all.values.reduce(0) { $0 + $1.waiters.count } } }

    /// Runs `body`, or waits for the execution with the same key that is under way.
    ///
    /// With a `ticket`, the call joins only a flight that started after the ticket was issued.
    package func run(
        _ key: Key,
        startedAfter ticket: UInt64? = nil,
        body: @escaping @concurrent @Sendable () async -> Outcome
    ) async throws(Failure) -> Success {
        let waiter = self.ticket()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                join(key, startedAfter: ticket, waiter: waiter, continuation: continuation, body: body)
            }
        } onCancel: {
            leave(waiter)
        }
        return try outcome.get()
    }

    private func join(
        _ key: Key,
        startedAfter ticket: UInt64?,
        waiter: UInt64,
        continuation: CheckedContinuation<Outcome, Never>,
        body: @escaping @concurrent @Sendable () async -> Outcome
    ) {
        let place = flights.withLock { flights -> Place in
            // If the task was canceled before this line, `leave` found no waiter, so this line must check. A later
            // `leave` waits for the lock.
            guard !Task.isCancelled else { return .none }
            if let number = flights.youngest[key], ticket.map({ number > $0 }) ?? true {
                flights.add(waiter, continuation, to: number)
                return .joined
            }
            // An older flight that this call may not join continues for its own waiters.
            let number = flights.number()
            flights.all[number] = Flight(key: key)
            flights.youngest[key] = number
            flights.add(waiter, continuation, to: number)
            return .first(number)
        }
        switch place {
        case .none: continuation.resume(returning: .failure(cancellation))
        case .joined: break
        case .first(let number): begin(number, running: body)
        }
    }

    /// The state of a caller: it has already left, waits for an execution under way, or starts one.
    private enum Place { case none, joined, first(UInt64) }

    /// Begins an execution without the lock, because it may end before this call does.
    private func begin(_ number: UInt64, running body: @escaping @concurrent @Sendable () async -> Outcome) {
        let timer = flights.withLock { $0.all[number]?.timer }
        let task = Task.begun { self.finish(number, with: await CallTimer.$current.withValue(timer) { await body() }) }
        let isOver = flights.withLock { flights in
            // The flight owns the task. `leave` cancels it when no caller waits any longer.
            flights.all[number]?.task = task
            return flights.all[number] == nil
        }
        // Either it has ended, or the last waiter has left before there was a task to cancel.
        if isOver { task.cancel() }
    }

    private func finish(_ number: UInt64, with outcome: Outcome) {
        let flight = flights.withLock { $0.remove(number) }
        flight?.waiters.values.forEach { $0(outcome) }
    }

    private func leave(_ waiter: UInt64) {
        let (waiter, abandoned) = flights.withLock { flights in
            guard let number = flights.joined.removeValue(forKey: waiter) else {
                return (nil as (@Sendable (Outcome) -> Void)?, nil as Flight?)
            }
            let waiter = flights.all[number]?.waiters.removeValue(forKey: waiter)
            return (waiter, flights.all[number]?.waiters.isEmpty == true ? flights.remove(number) : nil)
        }
        abandoned?.task?.cancel()
        waiter?(.failure(cancellation))
    }
}

extension Task where Success == Void, Failure == Never {
    /// A task that starts on the current thread instead of waking another one.
    package static func begun(_ operation: @escaping @Sendable () async -> Void) -> Task {
        if #available(macOS 26, *) { .immediate { await operation() } } else { Task { await operation() } }
    }
}
