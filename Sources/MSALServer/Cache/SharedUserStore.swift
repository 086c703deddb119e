// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A user's entry in the store, as of the last lookup.
struct SharedUserSnapshot: Sendable {
    let place: StoredValue
    /// `nil` if there is no entry, or none that can be read.
    let grant: SharedGrant?
    /// The access token that was looked for.
    let token: CachedAccessToken?

    /// The grant that replaces the one that was found. The access tokens that the store has stay.
    func successor(of user: TokenUser, refreshToken: Secret?) -> SharedGrant {
        SharedGrant(user: user, refreshToken: refreshToken, resources: grant?.resources ?? [])
    }
}

/// A change to a user's entry in the store.
struct SharedUserChange: Sendable {
    let key: UserTokenCache.Key
    let query: UserTokenCache.Query
    let grant: SharedGrant
    var token: CachedAccessToken?
    /// The entry that is replaced.
    let snapshot: SharedUserSnapshot
    /// The state that the entry must still have; the one in `snapshot` unless set.
    var condition: MSALWriteCondition?
    var lease: (any MSALStoreLease)?
}

/// The users or the sessions of one application, in the store that instances share.
struct SharedUserStore: Sendable {
    let store: SharedStore
    let kind: MSALSharedCacheConfiguration.Kind
    let environment: String
    let clientID: String
    /// The time that a renewal may take, and with it the life of a lease.
    let leaseTime: Duration

    /// The time for which the service accepts an unused refresh token.
    static let grantLife = Duration.seconds(90 * 86_400)

    private func owner(_ key: UserTokenCache.Key) -> SharedOwner {
        SharedOwner(kind: kind, environment: environment, clientID: clientID, id: key.homeAccountID)
    }

    private static let grantEntry = ["grant"]

    private static func entry(realm: String, asked: [String]) -> [String] { ["token", realm] + asked }

    /// Looks up a user, and a token that satisfies `query`. It takes one round trip, and a second one if the token is
    /// stored under other scopes.
    func lookUp(
        for key: UserTokenCache.Key,
        query: UserTokenCache.Query,
        at now: Int64
    ) async throws(SharedStoreError) -> SharedUserSnapshot {
        let owner = owner(key)
        let asked = query.scopes.sorted()
        var entry = Self.entry(realm: query.realm, asked: asked)
        let found = try await store.read([Self.grantEntry, entry], of: owner)
        guard let plain = found[0].plain else { return SharedUserSnapshot(place: found[0], grant: nil, token: nil) }
        guard let grant = SharedGrant(plain) else {
            store.warnOfUnreadableValue()
            return SharedUserSnapshot(place: found[0], grant: nil, token: nil)
        }
        var value = found[1]
        if value.plain == nil, let other = grant.resource(serving: query), other.asked != asked {
            entry = Self.entry(realm: other.realm, asked: other.asked)
            value = try await store.read([entry], of: owner)[0]
        }
        let token = value.plain.flatMap {
            SharedToken.token($0, named: entry, remaining: value.expiresIn, of: grant.user, at: now)
        }
        return SharedUserSnapshot(place: found[0], grant: grant, token: token)
    }

    /// Writes the result of a renewal or a sign-in, replacing the entry that the last lookup found.
    ///
    /// - Returns: The version that the store gave it, as far as it is known; `nil` if it was not written, because the
    ///   user has signed out or a newer entry exists.
    func write(_ entry: SharedUserChange, at now: Int64) async throws(SharedStoreError) -> Version? {
        let query = entry.query
        var grant = entry.grant
        var removed: [SharedGrant.Resource] = []
        let asked = query.scopes.sorted()
        let target = entry.token.map(query.target) ?? []
        let name = Self.entry(realm: query.realm, asked: asked)
        // A token that lacks a scope would serve others who ask for it.
        var value =
            query.scopes.isSubset(of: target)
            ? entry.token.map { SharedToken.bytes(of: $0, named: name, at: now) } : nil
        if let bytes = value?.count {
            let resource = SharedGrant.Resource(realm: query.realm, asked: asked, target: target, bytes: bytes)
            removed = grant.keep(resource)
            if removed.contains(resource) {
                store.warnOfTooLargeValue()
                value = nil
            }
        }
        let owner = owner(entry.key)
        guard try await write(grant, of: owner, for: entry) else { return nil }
        if let token = entry.token, let value {
            _ = try await store.write(
                value,
                to: self.name(of: name, of: owner),
                of: owner,
                expiresIn: .seconds(token.expiresAt - now),
                if: .always
            )
        }
        if !removed.isEmpty {
            let names = removed.map { self.name(of: Self.entry(realm: $0.realm, asked: $0.asked), of: owner) }
            try await store.ask(.remove) { try await $0.remove(names) }
        }
        // If another instance has written since, the bytes differ.
        let latest = try await store.read([Self.grantEntry], of: owner)[0]
        return latest.plain == grant.bytes ? latest.version.map(Version.known) : .unknown
    }

    /// The version of what was written.
    enum Version: Sendable {
        case known(MSALStoreVersion)
        case unknown
    }

    private func name(of entry: [String], of owner: SharedOwner) -> MSALStoreName {
        owner.name(of: entry, under: store.configuration.keys[0])
    }

    /// Writes a grant under the name of the first key, and moves it there if it was under another.
    private func write(
        _ grant: SharedGrant,
        of owner: SharedOwner,
        for entry: SharedUserChange
    ) async throws(SharedStoreError) -> Bool {
        let name = name(of: Self.grantEntry, of: owner)
        let place = entry.snapshot.place
        let condition = entry.condition ?? place.condition
        let isMove = name != place.name
        let isWritten = try await store.write(
            grant.bytes,
            to: name,
            of: owner,
            expiresIn: Self.grantLife,
            if: isMove ? place.moveCondition : condition,
            lease: isMove ? nil : entry.lease
        )
        guard isWritten, isMove else { return isWritten }
        // The old value says whether the user is still signed in, and whether nothing newer has come.
        let old = try await store.ask(.read) { try await $0.read([place.name]) }
        let isMoved = old.first??.version == place.version || condition == .always
        let outdated = isMoved ? place.name : name
        try await store.ask(.remove) { try await $0.remove([outdated]) }
        return isMoved
    }

    func removeAll(of key: UserTokenCache.Key) async throws(SharedStoreError) {
        try await store.removeAll(of: owner(key))
    }

    /// Acquires the lease for the renewal of a user; `nil` if another instance holds it.
    func lease(on place: StoredValue) async throws(SharedStoreError) -> (any MSALStoreLease)? {
        let time = leaseTime
        return try await store.ask(.lease, isHit: { $0 != nil }) { try await $0.lease(on: place.name, for: time) }
    }

    /// Releases a lease. If that fails, the lease expires on its own.
    ///
    /// The callers may have canceled the task of the renewal. A request in that task would fail at once, and other
    /// instances would wait for an unused lease.
    func release(_ lease: any MSALStoreLease) async {
        // This function awaits the task. The store reports its failures itself.
        _ = await Task { try? await store.ask(.release) { try await $0.release(lease) } }.value
    }
}

extension SharedGrant {
    fileprivate func resource(serving query: UserTokenCache.Query) -> Resource? {
        resources.last { $0.realm == query.realm && query.scopes.isSubset(of: $0.target) }
    }
}
