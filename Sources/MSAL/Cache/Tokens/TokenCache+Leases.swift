// Licensed under the MIT License. See LICENSE.

import Foundation
package import SealedStore

/// Whether this caller may redeem the refresh token now.
package enum LeaseOutcome: Sendable {
    case taken(RefreshLease)
    /// Another caller is redeeming the token. Wait for a change of the store, then look up the access token again.
    case held(RefreshLease)
}

extension TokenCache {
    /// The time for which a lease is valid (docs/reference/Store.md#leases).
    package static let leaseLife: TimeInterval = 30

    /// Takes the lease for redeeming `token`, unless another caller holds it. Other processes see the lease.
    ///
    /// - Parameters:
    ///   - token: The refresh token.
    ///   - holder: A name that no other caller has.
    ///   - now: The time at which the lease begins.
    ///   - abandoned: A lease whose holder was waited for in vain. It is taken over if it is still in the store.
    /// - Returns: The new lease, or that of the other caller.
    /// - Throws: The store's error. Then there is no lease.
    package func takeLease(
        for token: RefreshTokenRecord,
        holder: String,
        now: Date,
        over abandoned: RefreshLease? = nil
    ) throws(StoreError) -> LeaseOutcome {
        let until = now.wholeSeconds + Self.leaseLife
        let lease = RefreshLease(name: token.leaseName, holder: holder, until: until)
        return try store.write(.normal) { (transaction) throws(StoreError) -> LeaseOutcome in
            // A lease that ends too far in the future comes from a wrong clock.
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
    /// All members of a family redeem the family's token. Only its client redeems another one.
    fileprivate var leaseName: String {
        [homeAccountID, familyID.map { "family \($0)" } ?? clientID.normalizedKey].joined(separator: "\u{1F}")
    }
}
