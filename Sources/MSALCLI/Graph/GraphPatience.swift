// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// Limits the waits that a service asks for: a command waits at most five times, and 120 seconds in total.
final class GraphPatience: Sendable {
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

    /// Waits as long as a header `Retry-After` says.
    ///
    /// - Returns: Whether to repeat the request: `false` without the header, or if the limit is reached.
    /// - Throws: `CancellationError`.
    func waits(for header: String?) async throws -> Bool {
        guard let header, let pause = Self.pause(header, now: now()) else { return false }
        return try await waits(pause)
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

    /// The time that a header `Retry-After` names; `nil` if it cannot be read. A date in the past gives zero.
    ///
    /// RFC 9110 §10.2.3: a number of seconds, or a date.
    static func pause(_ header: String, now: Date) -> Duration? {
        let text = header.trimmingCharacters(in: .whitespaces)
        if !text.isEmpty, text.utf8.count <= 9,
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        {
            return Int(text).map { .seconds($0) }
        }
        return date(text).map { date in
            .seconds(max(0, date.timeIntervalSince(now).rounded(.up)))
        }
    }

    /// The date of a header (RFC 9110 §5.6.7, IMF-fixdate).
    static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text)
    }
}
