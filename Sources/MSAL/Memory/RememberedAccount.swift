// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// The remembered facts of one account.
final class RememberedAccount: Sendable {
    let homeAccountID: String
    let known: KnownVersion
    /// The account as lists of those that are signed in show it; `nil` while it was not asked for.
    let snapshot: AccountSnapshot?
    /// The users of its tokens, each kept once for all its tokens.
    let holders: [TokenHolder]

    init(_ homeAccountID: String, known: KnownVersion, snapshot: AccountSnapshot? = nil, holders: [TokenHolder] = []) {
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

/// The facts from which the current account follows.
struct SignedInAccounts: Sendable {
    /// Two of the accounts that are signed in, or all, if they are fewer.
    let some: [AccountSnapshot]
    /// The account that was current last.
    let principal: PrincipalAccount?
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

    /// This holder with the texts of a snapshot instead of its own copies, where they are the same.
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
