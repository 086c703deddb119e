// Licensed under the MIT License. See LICENSE.

import Foundation
import SealedStore

/// The wish of a caller to redeem a refresh token, with the caller's knowledge of the account.
package struct LeaseWish: Sendable {
    let token: RefreshTokenRecord
    /// A name that no other caller has.
    let holder: String
    /// The version of the account whose records the caller read; `nil` if it does not matter.
    var version: AccountVersion?
    /// An access token that can never be used again. The same transaction deletes it.
    var expired: AccessTokenRecord?
    /// The name under which the service's wish for a pause would be kept.
    var pauseName: String?

    /// A wish of a caller who knows nothing more.
    init(token: RefreshTokenRecord, holder: String) {
        self.token = token
        self.holder = holder
    }
}

/// Whether this caller may redeem the refresh token now.
package enum LeaseOutcome: Sendable {
    case taken(RefreshLease)
    /// Another caller is redeeming the token. Wait for a change of the store, then look up the access token again.
    case held(RefreshLease)
    /// The account's records are not those that the caller read. Look them up again.
    case overtaken
    /// The service asked for a pause. Nothing may be sent yet.
    case paused(ServicePause)
}

extension TokenCache {
    /// The time for which a lease is valid (docs/reference/Store.md#leases).
    static let leaseLife: TimeInterval = 30

    /// Tells all processes that this caller is about to redeem a token, unless another caller holds the lease.
    ///
    /// The same transaction checks what the caller must know before it sends the token: that the account's records have
    /// not changed, and that the service asked for no pause.
    ///
    /// `over`: A lease whose holder was waited for in vain. It is taken over if it is still in the store.
    func takeLease(
        _ wish: LeaseWish,
        now: Date,
        over abandoned: RefreshLease? = nil
    ) throws(StoreError) -> LeaseOutcome {
        let until = now.wholeSeconds + Self.leaseLife
        let lease = RefreshLease(name: wish.token.leaseName, holder: wish.holder, until: until)
        return try store.write(.normal) { (transaction) throws(StoreError) -> LeaseOutcome in
            // A lease that ends too far in the future comes from a wrong clock.
            if let held = try transaction.lease(lease.name), held.until > now, held.until <= until, held != abandoned {
                return .held(held)
            }
            if let version = wish.version,
                try version != AccountVersion(of: wish.token.homeAccountID, in: transaction)
            {
                return .overtaken
            }
            if let name = wish.pauseName, let pause = try transaction.pause(name, now: now) { return .paused(pause) }
            if let expired = wish.expired { try transaction.delete(expired) }
            try transaction.saveLease(lease)
            return .taken(lease)
        }
    }

    /// Gives a lease back, unless it was taken over meanwhile.
    func release(_ lease: RefreshLease) throws(StoreError) {
        try store.write(.normal) { (transaction) throws(StoreError) in try transaction.end(lease) }
    }
}

extension TokenStoreWriting {
    /// Ends a lease, unless it was taken over meanwhile.
    func end(_ lease: RefreshLease) throws(StoreError) {
        guard try self.lease(lease.name)?.holder == lease.holder else { return }
        try deleteLease(lease.name)
    }
}

extension RefreshTokenRecord {
    /// All members of a family redeem the family's token. Only its client redeems another one.
    fileprivate var leaseName: String {
        [homeAccountID, familyID.map { "family \($0)" } ?? clientID.normalizedKey].joined(separator: "\u{1F}")
    }
}
