// Licensed under the MIT License. See LICENSE.

import Foundation
package import SealedStore

/// The outcome of an attempt to take the lease on a refresh token.
package enum LeaseOutcome: Sendable {
    case taken(RefreshLease)
    /// Somebody else is at it: wait for a change of the store, then look again for an access token.
    case held(RefreshLease)
}

extension TokenCache {
    /// The time for which a lease is valid (docs/reference/Store.md#leases).
    package static let leaseLife: TimeInterval = 30

    /// Says to all processes that `token` is about to be spent, unless somebody else said so before.
    ///
    /// `holder`: Tells the caller from everybody else.
    /// `over`: A lease whose holder was waited for in vain; it is taken over if it is still the one that stands.
    package func takeLease(
        for token: RefreshTokenRecord,
        holder: String,
        now: Date,
        over abandoned: RefreshLease? = nil
    ) throws(StoreError) -> LeaseOutcome {
        let until = now.wholeSeconds + Self.leaseLife
        let lease = RefreshLease(name: token.leaseName, holder: holder, until: until)
        return try store.write(.normal) { (transaction) throws(StoreError) -> LeaseOutcome in
            // One from the far future is the work of a wrong clock.
            if let held = try transaction.lease(lease.name), held.until > now, held.until <= until, held != abandoned {
                return .held(held)
            }
            try transaction.saveLease(lease)
            return .taken(lease)
        }
    }

    /// Gives a lease back, unless it was taken over meanwhile.
    package func release(_ lease: RefreshLease) throws(StoreError) {
        try store.write(.normal) { (transaction) throws(StoreError) in
            guard try transaction.lease(lease.name)?.holder == lease.holder else { return }
            try transaction.deleteLease(lease.name)
        }
    }
}

extension RefreshTokenRecord {
    /// A family's token is spent by all its members, another one by its client alone.
    fileprivate var leaseName: String {
        [homeAccountID, familyID.map { "family \($0)" } ?? clientID.normalizedKey].joined(separator: "\u{1F}")
    }
}
