// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore
private import Synchronization

// The entries of ``ClientMemory``. They never change. The exception is ``KnownVersion``, which is atomic. So they can be
// used outside its lock. Their costs in bytes are those of the texts, and what objects and dictionaries
// take besides, as it was measured.

/// The remembered facts of one account.
final class RememberedAccount: Sendable {
    let homeAccountID: String
    let known: KnownVersion
    /// The account as lists of those that are signed in show it; `nil` while it was not asked for.
    let snapshot: AccountSnapshot?
    /// The users of its tokens, each kept once for all its tokens.
    let holders: [TokenHolder]

    init(
        _ homeAccountID: String,
        known: KnownVersion,
        snapshot: AccountSnapshot? = nil,
        holders: [TokenHolder] = []
    ) {
        self.homeAccountID = homeAccountID
        self.known = known
        self.snapshot = snapshot
        self.holders = holders
    }

    func with(_ snapshot: AccountSnapshot) -> RememberedAccount {
        RememberedAccount(homeAccountID, known: known, snapshot: snapshot, holders: holders)
    }

    func with(_ holder: TokenHolder) -> RememberedAccount {
        // An account has few tenants and authorities. A request may still name many.
        RememberedAccount(homeAccountID, known: known, snapshot: snapshot, holders: holders.suffix(7) + [holder])
    }

    var cost: Int { holders.reduce(500 + (snapshot?.cost ?? 0)) { $0 + $1.cost } }
}

extension ClientMemory {
    /// A stored token that served a request. It is an object, because a caller then copies one reference and not all
    /// members.
    package final class Token: Sendable {
        let identity: RequestIdentity
        let life: TokenLife
        let known: KnownVersion
        /// The result for requests of the identity, with the correlation id of the first.
        let given: GivenToken
        private let isTaken = Atomic(false)

        init(_ given: GivenToken, life: TokenLife, for identity: RequestIdentity, known: KnownVersion) {
            self.identity = identity
            self.life = life
            self.known = known
            self.given = given
        }

        /// The token for one more thread: the first gets this object, every other a copy.
        func taken() -> Token {
            guard isTaken.exchange(true, ordering: .relaxed) else { return self }
            return Token(given.copied(), life: life, for: identity.copied(), known: known)
        }

        /// The result for another request of the same identity.
        func result(correlationID: UUID) -> TokenResult {
            var result = given.result
            result.correlationID = correlationID
            return result
        }

        /// The cost includes the holder, because it lives as long as one of its tokens.
        var cost: Int {
            let own = 700 + given.result.accessToken.exposed.utf8.count + given.result.holder.cost
            return identity.scopes.values.reduce(own) { $0 + $1.utf8.count }
        }
    }
}

/// The accounts that have a user name.
struct RememberedName: Sendable {
    let name: String
    let homeAccountIDs: [String]
    let counter: Int64

    var cost: Int { homeAccountIDs.reduce(200 + name.utf8.count) { $0 + $1.utf8.count + 32 } }
}

/// The list of all accounts that are signed in.
struct RememberedList: Sendable {
    let accounts: [AccountSnapshot]
    let counter: Int64

    var cost: Int { accounts.reduce(200) { $0 + $1.cost } }
}

/// The facts from which the current account follows.
struct SignedInAccounts: Sendable {
    /// Two of the accounts that are signed in, or all, if they are fewer.
    let some: [AccountSnapshot]
    /// The account that was current last.
    let principal: PrincipalAccount?
}

/// The accounts that are signed in, as they were at a change counter of the store.
struct RememberedCurrent: Sendable {
    let accounts: SignedInAccounts
    let counter: Int64

    var cost: Int { accounts.some.reduce(600) { $0 + $1.cost } }
}

extension AccountSnapshot {
    /// About how many bytes it takes.
    var cost: Int {
        tenantProfiles.reduce(600 + (idToken?.exposed.utf8.count ?? 0) + (clientInfo?.utf8.count ?? 0)) {
            $0 + 250 + ($1.idToken.map { $0 == idToken ? 0 : $0.exposed.utf8.count } ?? 0)
        }
    }
}

extension TokenHolder {
    var cost: Int { 900 + (idToken?.exposed.utf8.count ?? 0) }

    /// This holder with the texts of a snapshot in place of its own copies, where they are the same.
    func sharing(_ snapshot: AccountSnapshot?) -> TokenHolder {
        guard let snapshot, let idToken,
            let known = snapshot.tenantProfiles.lazy.compactMap(\.idToken).first(where: { $0 == idToken })
        else { return self }
        var (account, profile) = (account, tenantProfile)
        account.homeAccountID = snapshot.homeAccountID
        if account.username == snapshot.username { account.username = snapshot.username }
        if account.clientInfo == snapshot.clientInfo { account.clientInfo = snapshot.clientInfo }
        if account.idToken != nil { account.idToken = known }
        profile.idToken = known
        return TokenHolder(idToken: known, account: account, tenantProfile: profile, authority: authority)
    }
}

/// The version of an account from which a remembered value was made. It has the store's change counter at the time when
/// that version was last found to be the present one.
final class KnownVersion: Sendable {
    let version: AccountVersion
    private let counter: Atomic<Int64>

    /// `counter`: The store's change counter, read before the version. A commit in between then only costs another look.
    init(_ version: AccountVersion, at counter: Int64) {
        self.version = version
        self.counter = Atomic(counter)
    }

    /// Whether this version is surely the present one. `false` means that a look at the store decides.
    func isCurrent(at counter: Int64) -> Bool { self.counter.load(ordering: .relaxed) == counter }

    /// Notes that the version was read again and is the same.
    func confirm(at counter: Int64) { self.counter.store(counter, ordering: .relaxed) }
}
