// Licensed under the MIT License. See LICENSE.

import Foundation
package import SealedStore

/// A pause that the service requested before a request is sent again. It applies to all processes.
package struct ServicePause: Sendable, Hashable {
    /// The HTTP status of the response that requested the pause.
    package let status: Int
    /// The time from which the request may be sent again.
    let until: Date

    package init(status: Int, until: Date) {
        self.status = status
        self.until = until
    }
}

// A pause is stored in the lease table because that table is for short-lived notes. Its name is a blind index, and it
// is deleted when it is over. Losing a pause does no harm.
extension TokenCache {
    /// The pause for requests of this name; `nil` if they may be sent.
    package func pause(_ name: String, now: Date) throws(StoreError) -> ServicePause? {
        try store.read { (transaction) throws(StoreError) in try transaction.pause(name, now: now) }
    }

    /// Stores a pause for requests of this name, for all processes.
    package func keep(_ pause: ServicePause, for name: String) throws(StoreError) {
        let note = RefreshLease(
            name: name.pauseName,
            holder: String(pause.status),
            until: Date(timeIntervalSince1970: pause.until.timeIntervalSince1970.rounded(.up))
        )
        try store.write(.normal) { (transaction) throws(StoreError) in try transaction.saveLease(note) }
    }
}

extension TokenStoreReading {
    /// The pause for requests of this name; `nil` if they may be sent.
    func pause(_ name: String, now: Date) throws(StoreError) -> ServicePause? {
        // A pause of more than an hour must come from a wrong clock.
        guard let note = try lease(name.pauseName), let status = Int(note.holder), note.until > now,
            note.until <= now.wholeSeconds + 3601
        else { return nil }
        return ServicePause(status: status, until: note.until)
    }
}

extension String {
    /// A name that is never used for a lease because the names of leases begin with an account.
    fileprivate var pauseName: String { "pause\u{1F}" + self }
}
