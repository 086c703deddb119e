// Licensed under the MIT License. See LICENSE.

import Foundation
package import SealedStore

/// A request for the lease on a refresh token, with the caller's knowledge about the account.
package struct LeaseRequest: Sendable {
    let token: RefreshTokenRecord
    /// The unique name of the caller.
    let holder: String
    /// The version of the account records that the caller read; `nil` if the version does not matter.
    var version: AccountVersion?
    /// An access token that has expired. The transaction that acquires the lease deletes it.
    var expired: AccessTokenRecord?
    /// The name for a pause if the service has requested one.
    var pauseName: String?
}

/// Whether this caller may redeem the refresh token now.
package enum LeaseOutcome: Sendable {
    case taken(RefreshLease)
    /// Another caller is redeeming the token. Wait until the store changes, then look up the access token again.
    case held(RefreshLease)
    /// The account's records have changed since the caller read them. Read them again.
    case overtaken
    /// The service requested a pause, so no request may be sent yet.
    case paused(ServicePause)
}

extension TokenCache {
    /// The lifetime of a lease (docs/reference/Store.md#leases).
    static let leaseLife: TimeInterval = 30

    /// Announces to all processes that this caller will redeem a token, unless another caller holds the lease.
    ///
    /// The same transaction checks two conditions for sending the token: the account's records have not changed, and
    /// the service has not requested a pause.
    ///
    /// `over`: A lease whose holder did not finish while this caller waited. If the store still has that lease, this
    /// caller takes it over.
    func takeLease(
        _ request: LeaseRequest,
        now: Date,
        over abandoned: RefreshLease? = nil
    ) throws(StoreError) -> LeaseOutcome {
        let until = now.wholeSeconds + Self.leaseLife
        let lease = RefreshLease(name: request.token.leaseName, holder: request.holder, until: until)
        return try store.write(.normal) { (transaction) throws(StoreError) -> LeaseOutcome in
            // No lease is valid for that long. If one is, a wrong clock wrote it.
            if let held = try transaction.lease(lease.name), held.until > now, held.until <= until, held != abandoned {
                return .held(held)
            }
            if let version = request.version,
                try version != AccountVersion(of: request.token.homeAccountID, in: transaction)
            {
                return .overtaken
            }
            if let name = request.pauseName, let pause = try transaction.pause(name, now: now) { return .paused(pause) }
            if let expired = request.expired { try transaction.delete(expired) }
            try transaction.saveLease(lease)
            return .taken(lease)
        }
    }

    /// Releases a lease, unless it was taken over meanwhile.
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
    /// The name of the lease. All members of a family redeem the family's token. A token without a family is redeemed
    /// only by its client.
    fileprivate var leaseName: String {
        [homeAccountID, familyID.map { "family \($0)" } ?? clientID.normalizedKey].joined(separator: "\u{1F}")
    }
}

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
