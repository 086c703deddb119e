// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// Counts wrong passwords, in the pages and natively, and locks accounts for a while.
final class FailedSignIns: Sendable {
    private struct Record {
        var count = 0
        var lockedUntil: Date?
    }

    private let records = Mutex<[String: Record]>([:])
    private let allowed: Int
    private let duration: Duration

    /// `allowed`: The number of wrong passwords that locks an account.
    /// `duration`: The time until the account is unlocked.
    init(allowed: Int, duration: Duration) {
        self.allowed = allowed
        self.duration = duration
    }

    /// Whether the account is locked at that time.
    func isLocked(_ userID: String, at now: Date) -> Bool {
        records.withLock { ($0[userID]?.lockedUntil).map { $0 > now } ?? false }
    }

    /// Counts a wrong password.
    func record(_ userID: String, at now: Date) {
        records.withLock { records in
            var record = records[userID] ?? Record()
            record.count += 1
            if record.count >= allowed {
                record = Record(count: 0, lockedUntil: now.addingTimeInterval(duration.seconds))
            }
            records[userID] = record
        }
    }

    /// Resets the count of one user.
    func forget(_ userID: String) {
        records.withLock { $0[userID] = nil }
    }

    /// Forgets everything.
    func clear() {
        records.withLock { $0.removeAll() }
    }
}
