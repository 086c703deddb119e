// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import Synchronization

extension UserTokenCache {
    /// The time from a user's first entry in the memory to the sign-out. It tells a write that is under way when the user
    /// signs out. An entry that is removed for another reason does not end it.
    final class SignInPeriod: Sendable {
        private let end = Atomic(false)

        var isOver: Bool { end.load(ordering: .acquiring) }

        func finish() { end.store(true, ordering: .releasing) }
    }

    /// The relation between a user's entry in the memory and the one in the store that instances share.
    enum SyncState: Sendable, Hashable {
        /// The entry came with a sign-in, and was not compared with the store yet. It is newer than what the store has.
        case new
        /// The store does not have the entry. It is newer than this version of the store, if there was one.
        case own(since: MSALStoreVersion?)
        /// The entry is this version of the store's.
        case copy(of: MSALStoreVersion)

        /// The relation after a change of the entry.
        var changed: SyncState { if case .copy(let version) = self { .own(since: version) } else { self } }
    }

    struct CachedToken {
        let token: CachedAccessToken
        let realm: String
        let target: Set<String>
    }

    /// The tokens of one user, and how they compare with the store's.
    struct Entry {
        var user: TokenUser
        var refreshToken: Secret?
        var tokens: [CachedToken] = []
        var lastUse: Int64
        var syncState: SyncState
        /// The time of the last comparison with the store; before the first one, the time at which the entry came.
        var checkedAt: Int64
        var bytes = 0
        let signInPeriod = SignInPeriod()

        var renewable: Renewable { Renewable(user: user, refreshToken: refreshToken, signInPeriod: signInPeriod) }

        func token(for query: Query, at now: Int64) -> CachedAccessToken? {
            tokens.last {
                $0.realm == query.realm && query.scopes.isSubset(of: $0.target) && $0.token.isUsable(at: now)
            }?.token
        }

        mutating func keep(_ token: CachedAccessToken, for query: Query) {
            let target = query.target(of: token)
            let bare = target.subtracting(ScopeSet.openID.normalized)
            tokens.removeAll { held in
                held.realm == query.realm
                    && (!held.target.isDisjoint(with: bare) || held.target.isSubset(of: target)
                        || !held.token.isUsable(at: lastUse))
            }
            tokens.append(CachedToken(token: token, realm: query.realm, target: target))
            if tokens.count > SharedGrant.mostResources,
                let oldest = tokens.indices.dropLast().min(by: {
                    tokens[$0].token.lastUsedAt < tokens[$1].token.lastUsedAt
                })
            {
                tokens.remove(at: oldest)
            }
            measure()
        }

        /// Takes over what the store has, unless this entry is newer.
        mutating func adopt(
            _ grant: SharedGrant,
            version: MSALStoreVersion,
            token stored: CachedAccessToken?,
            of key: Key,
            for query: Query,
            at now: Int64
        ) {
            let isNewer =
                switch syncState {
                // The key of a user names the user. That of a session may be another user's.
                case .new: user.homeAccountID == key.homeAccountID || user.isSamePerson(as: grant.user)
                // A version without a refresh token says that the service has refused an older one than the own.
                case .own(let since): since == version || grant.refreshToken == nil
                case .copy: false
                }
            if isNewer {
                syncState = .own(since: version)
                // A sign-in may have brought no refresh token.
                refreshToken = refreshToken ?? grant.refreshToken
            } else {
                if !user.isSamePerson(as: grant.user) { tokens = [] }
                user = grant.user
                refreshToken = grant.refreshToken
                syncState = .copy(of: version)
            }
            checkedAt = now
            lastUse = now
            // The store's token may be as old as its grant.
            if let stored, !isNewer || token(for: query, at: now) == nil { keep(stored, for: query) }
            measure()
        }

        mutating func measure() {
            bytes =
                Self.overhead + (refreshToken?.exposed.utf8.count ?? 0)
                + tokens.reduce(0) { $0 + $1.token.accessToken.exposed.utf8.count + Self.tokenOverhead }
        }

        /// The claims of the user, and the dictionaries around them.
        private static let overhead = 2048
        private static let tokenOverhead = 512
    }
}
