// Licensed under the MIT License. See LICENSE.

import Foundation
package import SealedStore

/// The service's demand to wait before a request is sent again. It holds for all processes.
package struct ServicePause: Sendable, Hashable {
    /// The HTTP status of the response that asked for it.
    package let status: Int
    /// When the request may be sent again.
    let until: Date

    package init(status: Int, until: Date) {
        self.status = status
        self.until = until
    }
}

// The lease table holds short-lived notes, and a pause is stored there too. It lies under a blind index and is swept
// when it is over. Nothing breaks if it is lost.
extension TokenCache {
    /// Whether a request of this name has to wait; `nil` if it may be sent.
    package func pause(_ name: String, now: Date) throws(StoreError) -> ServicePause? {
        try store.read { (transaction) throws(StoreError) in try transaction.pause(name, now: now) }
    }

    /// Tells all processes that a request of this name has to wait.
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
    /// Whether a request of this name has to wait; `nil` if it may be sent.
    func pause(_ name: String, now: Date) throws(StoreError) -> ServicePause? {
        // A longer pause than an hour must come from a wrong clock.
        guard let note = try lease(name.pauseName), let status = Int(note.holder), note.until > now,
            note.until <= now.wholeSeconds + 3601
        else { return nil }
        return ServicePause(status: status, until: note.until)
    }
}

extension String {
    /// A name that no lease has: those begin with an account.
    fileprivate var pauseName: String { "pause\u{1F}" + self }
}
