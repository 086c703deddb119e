// Licensed under the MIT License. See LICENSE.

/// Lets equal silent requests that run at the same time share one redemption (decision D-29).
package actor SharedRefreshes {
    /// What makes two redemptions the same. The refresh token compares in constant time.
    struct Key: Sendable, Hashable {
        let endpoint: URL
        let refreshToken: Secret
        let scopes: Set<String>
        let claims: JSONValue?
        /// The key of a bound token; `nil` for bearer tokens.
        let keyID: String?
        let queryParameters: [String: String]
        /// A forced refresh must not get what an unforced one found stored meanwhile.
        let mayAnswerFromCache: Bool
    }

    typealias Outcome = Result<TokenResult, AuthError>

    private struct Flight {
        let key: Key
        let task: Task<Void, Never>
        var waiters: [UInt64: CheckedContinuation<Outcome, Never>]
    }

    /// All under way, by their number.
    private var flights: [UInt64: Flight] = [:]
    /// The one of each kind that others may join.
    private var youngest: [Key: UInt64] = [:]
    private var counter: UInt64 = 0

    package init() {}

    /// A number that grows; a forced refresh takes one when it is asked for, and joins younger flights only.
    func ticket() -> UInt64 {
        counter += 1
        return counter
    }

    /// Runs `body`, or waits for the same redemption already under way.
    ///
    /// A canceled caller leaves at once. The redemption goes on while anyone waits for it and is canceled with the
    /// last, so a canceled leader costs its followers nothing. The task belongs to this actor, which forgets it when
    /// it ends.
    ///
    /// `ticket`: Joins only a flight that started after this number was given; `nil` joins any.
    func run(
        _ key: Key,
        startedAfter ticket: UInt64?,
        _ body: @escaping @concurrent @Sendable () async -> Outcome
    ) async -> Outcome {
        let waiter = self.ticket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                board(key, startedAfter: ticket, waiter: waiter, continuation, body)
            }
        } onCancel: {
            Task { await self.leave(waiter) }
        }
    }

    private func board(
        _ key: Key,
        startedAfter ticket: UInt64?,
        waiter: UInt64,
        _ continuation: CheckedContinuation<Outcome, Never>,
        _ body: @escaping @concurrent @Sendable () async -> Outcome
    ) {
        if Task.isCancelled {
            continuation.resume(returning: .failure(.canceledCall))
            return
        }
        if let number = youngest[key], ticket.map({ number > $0 }) ?? true {
            flights[number]?.waiters[waiter] = continuation
            return
        }
        // An older flight that may not be joined goes on, for those who wait for it.
        let number = self.ticket()
        let task = Task { land(number, await body()) }
        flights[number] = Flight(key: key, task: task, waiters: [waiter: continuation])
        youngest[key] = number
    }

    private func land(_ number: UInt64, _ outcome: Outcome) {
        forget(number)?.waiters.values.forEach { $0.resume(returning: outcome) }
    }

    private func leave(_ waiter: UInt64) {
        guard
            let number = flights.first(where: { $0.value.waiters[waiter] != nil })?.key,
            let continuation = flights[number]?.waiters.removeValue(forKey: waiter)
        else { return }
        continuation.resume(returning: .failure(.canceledCall))
        if flights[number]?.waiters.isEmpty == true { forget(number)?.task.cancel() }
    }

    private func forget(_ number: UInt64) -> Flight? {
        let flight = flights.removeValue(forKey: number)
        if let key = flight?.key, youngest[key] == number { youngest[key] = nil }
        return flight
    }
}
