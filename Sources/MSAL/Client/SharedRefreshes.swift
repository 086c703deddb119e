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
        let number: UInt64
        let task: Task<Void, Never>
        var waiters: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
    }

    private var flights: [Key: Flight] = [:]
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
            Task { await self.leave(key, waiter) }
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
        if let flight = flights[key], ticket.map({ flight.number > $0 }) ?? true {
            flights[key]?.waiters[waiter] = continuation
            return
        }
        // Those who wait for an older flight, which a forced refresh may not join, get the newer answer.
        let displaced = flights[key]?.waiters ?? [:]
        let number = self.ticket()
        let task = Task { land(key, number, await body()) }
        flights[key] = Flight(number: number, task: task, waiters: displaced.merging([waiter: continuation]) { $1 })
    }

    private func land(_ key: Key, _ number: UInt64, _ outcome: Outcome) {
        guard let flight = flights[key], flight.number == number else { return }
        flights[key] = nil
        for continuation in flight.waiters.values { continuation.resume(returning: outcome) }
    }

    private func leave(_ key: Key, _ waiter: UInt64) {
        guard let continuation = flights[key]?.waiters.removeValue(forKey: waiter) else { return }
        continuation.resume(returning: .failure(.canceledCall))
        if flights[key]?.waiters.isEmpty == true {
            flights[key]?.task.cancel()
            flights[key] = nil
        }
    }
}
