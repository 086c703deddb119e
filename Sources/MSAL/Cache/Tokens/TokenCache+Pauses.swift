// Licensed under the MIT License. See LICENSE.

import Foundation
package import SealedStore

/// The service's wish to be left alone with a request, which holds for all processes.
package struct ServicePause: Sendable, Hashable {
    /// The HTTP status of the response that asked for it.
    package let status: Int
    /// When the request may be sent again.
    package let until: Date

    package init(status: Int, until: Date) {
        self.status = status
        self.until = until
    }
}

// The store has one table for words that lose their worth by themselves. A pause lies there beside the leases: under a
// blind index, swept when it is over, and nothing breaks if it is lost.
extension TokenCache {
    /// No pause is longer; one that is must be the work of a wrong clock.
    private static let longestPause: TimeInterval = 3600

    /// Whether a request of this name has to wait; `nil` if it may be sent.
    package func pause(_ name: String, now: Date) throws(StoreError) -> ServicePause? {
        let word = try store.read { (transaction) throws(StoreError) in
            try transaction.lease(name.pauseName)
        }
        guard let word, let status = Int(word.holder), word.until > now,
            word.until <= now.wholeSeconds + Self.longestPause + 1
        else { return nil }
        return ServicePause(status: status, until: word.until)
    }

    /// Tells all processes that a request of this name has to wait.
    package func keep(_ pause: ServicePause, for name: String) throws(StoreError) {
        let word = RefreshLease(
            name: name.pauseName,
            holder: String(pause.status),
            until: Date(timeIntervalSince1970: pause.until.timeIntervalSince1970.rounded(.up))
        )
        try store.write(.normal) { (transaction) throws(StoreError) in try transaction.saveLease(word) }
    }
}

extension String {
    /// Apart from the names of leases, which begin with an account.
    fileprivate var pauseName: String { "pause\u{1F}" + self }
}
