// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// Counts wrong passwords on the pages and in native authentication, and temporarily locks accounts.
final class FailedSignIns: Sendable {
    private struct Record {
        var count = 0
        var lockedUntil: Date?
    }

    private let records = Mutex<[String: Record]>([:])
    private let directory: ServedDirectory

    /// `directory`: Its settings define how many wrong passwords lock an account, and for how long.
    init(directory: ServedDirectory) { self.directory = directory }

    /// Whether the account is locked at that time.
    func isLocked(_ userID: String, at now: Date) -> Bool {
        records.withLock { ($0[userID]?.lockedUntil).map { $0 > now } ?? false }
    }

    /// Counts a wrong password.
    func record(_ userID: String, at now: Date) {
        let settings = directory.native
        records.withLock { records in
            var record = records[userID] ?? Record()
            record.count += 1
            if record.count >= settings.wrongPasswordsAllowed {
                record = Record(count: 0, lockedUntil: now.addingTimeInterval(settings.lockoutDuration.seconds))
            }
            records[userID] = record
        }
    }

    /// Resets the count of one user.
    func forget(_ userID: String) { records.withLock { $0[userID] = nil } }

    /// Resets all counts.
    func clear() { records.withLock { $0.removeAll() } }
}
