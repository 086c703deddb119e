// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// Limits the waits that a service asks for: a command waits at most five times, and 120 seconds in total.
final class RetryBudget: Sendable {
    static let maximumCount = 5
    static let maximumTime: Duration = .seconds(120)

    private let spent = Mutex<(count: Int, time: Duration)>((0, .zero))
    let now: @Sendable () -> Date
    private let sleep: @Sendable (Duration) async throws -> Void

    /// `now` and `sleep` replace the clock in tests.
    init(
        now: @escaping @Sendable () -> Date = { Date() },
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// Waits as long as a response asks for.
    ///
    /// - Returns: Whether to repeat the request: `false` if the response has no `Retry-After`, or if the limit is reached.
    /// - Throws: `CancellationError`.
    func waits(for answer: GraphHTTPResponse) async throws -> Bool {
        guard answer[header: "Retry-After"] != nil else { return false }
        return try await waits(answer.retryAfter(at: now()) ?? .zero)
    }

    /// Waits for some time.
    ///
    /// - Returns: `false`, without waiting, if the limit is reached.
    /// - Throws: `CancellationError`.
    func waits(_ pause: Duration) async throws -> Bool {
        let isAllowed = spent.withLock { spent in
            guard spent.count < Self.maximumCount, spent.time + pause <= Self.maximumTime else { return false }
            spent.count += 1
            spent.time += pause
            return true
        }
        if isAllowed { try await sleep(pause) }
        return isAllowed
    }
}
