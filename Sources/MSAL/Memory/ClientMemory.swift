// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
private import Synchronization

/// The memory of a client: which stored tokens served which requests, and which accounts there are.
///
/// A repeated request costs one look at the store's change counter. The rules of authorities and of lookups are not
/// applied again. After a change, what is remembered of an account goes on if the account's records have the same
/// version as before (docs/reference/Silent.md#memory). Whether a token is still good is decided anew each time.
///
/// All of it is limited in bytes. A full memory drops one entry at a time, and keeps those that were used lately
/// (``ClockTable``).
package final class ClientMemory: Sendable {
    /// The bytes that a client remembers at most, unless its app says otherwise: some 50,000 accounts with a token each.
    package static let defaultLimit = 256 << 20

    /// An entry is one reference (`indirect`), so that each place of the table stays small.
    fileprivate enum Entry {
        case token(Token)
        case account(RememberedAccount)
        indirect case name(RememberedName)
        indirect case list(RememberedList)
        indirect case current(RememberedCurrent)
    }

    /// The keys of entries that are no tokens.
    fileprivate enum Key: Hashable {
        case account(String)
        case name(String)
        case list, current
    }

    private let table: Mutex<ClockTable<Entry>>
    /// The tokens that were served of late, by the hashes of their requests: for each thread its own. A hit finds its
    /// token here, and then writes nothing that another thread writes. These tokens do not count for the limit.
    private let near = Striped { Mutex<[Int: Token]>([:]) }

    /// The most tokens of one thread. Then it begins anew.
    private static let mostNear = 1024

    /// `limit`: The number of bytes.
    package init(limit: Int = ClientMemory.defaultLimit) {
        table = Mutex(ClockTable(limit: limit))
    }

    /// About how many bytes are in use.
    var cost: Int { table.withLock(\.cost) }

    /// Forgets everything of an account that was signed out.
    func forget(homeAccountID: String) {
        let wanted = homeAccountID.normalizedKey
        defer { forgetNear() }
        table.withLock { table in
            table.removeAll { entry in
                switch entry {
                case .token(let token): token.identity.account.homeAccountID?.normalizedKey == wanted
                case .account(let account): account.homeAccountID == wanted
                case .name(let name): name.homeAccountIDs.contains(wanted)
                case .list, .current: true
                }
            }
        }
    }

    /// Forgets everything.
    func forget() {
        table.withLock { table in table.removeAll { _ in true } }
        forgetNear()
    }

    private func forgetNear() { near.forEach { tokens in tokens.withLock { $0 = [:] } } }
}

// MARK: - Tokens

extension ClientMemory {
    /// The token that served such a request, if nothing changed since.
    package func token(for identity: RequestIdentity, at counter: Int64) -> Token? {
        let hash = identity.hash
        let own = near.withOwn { tokens in tokens.withLock { $0[hash] } }
        if let own, own.known.isCurrent(at: counter), own.identity == identity { return own }
        return table.withLock { table in
            guard case .token(let token) = table[hash], token.known.isCurrent(at: counter), token.identity == identity
            else { return nil }
            let taken = token.taken()
            // The table is still locked. Otherwise the thread could keep a token that the table has just forgotten.
            near.withOwn { tokens in
                tokens.withLock { tokens in
                    if tokens.count >= Self.mostNear { tokens.removeAll(keepingCapacity: true) }
                    tokens[hash] = taken
                }
            }
            return taken
        }
    }

    /// The token that served such a request. Its account may have changed since.
    func token(for identity: RequestIdentity) -> Token? {
        let hash = identity.hash
        let entry = table.withLock { $0[hash] }
        guard case .token(let token) = entry, token.identity == identity else { return nil }
        return token
    }

    /// `result`: Made of a token out of the store.
    /// `life`: That of the token.
    /// `version`: That of the account, read together with the token.
    func remember(
        _ result: TokenResult,
        life: TokenLife,
        for identity: RequestIdentity,
        version: AccountVersion,
        at counter: Int64
    ) {
        var result = result
        let homeAccountID = result.account.homeAccountID
        let hash = identity.hash
        table.withLock { table in
            var account =
                table.account(homeAccountID, version: version)
                ?? RememberedAccount(homeAccountID, known: KnownVersion(version, at: counter))
            account.known.confirm(at: counter)
            if let known = account.holders.first(where: { $0 == result.holder }) {
                result.holder = known
            } else {
                result.holder = result.holder.sharing(account.snapshot)
                account = account.with(result.holder)
            }
            table.insert(account)
            let token = Token(GivenToken(result), life: life, for: identity, known: account.known)
            table.insert(.token(token), hash: hash, cost: token.cost)
        }
        // Without this, a thread would keep a token that nobody asks for again.
        near.forEach { tokens in tokens.withLock { $0[hash] = nil } }
    }
}

// MARK: - Accounts

extension ClientMemory {
    /// The remembered facts of the account, from any version of its records.
    func account(_ homeAccountID: String) -> RememberedAccount? {
        table.withLock { $0.account(homeAccountID) }
    }

    /// `snapshot`: The account as lists of those that are signed in show it.
    /// `version`: That of the account, read together with it.
    func remember(_ snapshot: AccountSnapshot, version: AccountVersion, at counter: Int64) {
        table.withLock { table in
            let account =
                table.account(snapshot.homeAccountID, version: version)
                ?? RememberedAccount(snapshot.homeAccountID, known: KnownVersion(version, at: counter))
            account.known.confirm(at: counter)
            table.insert(account.with(snapshot))
        }
    }

    /// The accounts with this normalised user name, if nothing changed since they were looked for.
    func homeAccountIDs(named name: String, at counter: Int64) -> [String]? {
        let entry = table.withLock { $0[Key.name(name).hashValue] }
        guard case .name(let known) = entry, known.name == name, known.counter == counter else { return nil }
        return known.homeAccountIDs
    }

    func remember(_ homeAccountIDs: [String], named name: String, at counter: Int64) {
        let entry = RememberedName(name: name, homeAccountIDs: homeAccountIDs, counter: counter)
        table.withLock { $0.insert(.name(entry), hash: Key.name(name).hashValue, cost: entry.cost) }
    }

    /// All accounts that are signed in, by user name, if nothing changed since they were read.
    func accounts(at counter: Int64) -> [AccountSnapshot]? {
        let entry = table.withLock { $0[Key.list.hashValue] }
        guard case .list(let list) = entry, list.counter == counter else { return nil }
        return list.accounts
    }

    func remember(_ accounts: [AccountSnapshot], at counter: Int64) {
        let list = RememberedList(accounts: accounts, counter: counter)
        table.withLock { $0.insert(.list(list), hash: Key.list.hashValue, cost: list.cost) }
    }

    /// The accounts that are signed in, if the store has not changed since they were read.
    func signedIn(at counter: Int64) -> SignedInAccounts? {
        let entry = table.withLock { $0[Key.current.hashValue] }
        guard case .current(let current) = entry, current.counter == counter else { return nil }
        return current.accounts
    }

    func remember(_ accounts: SignedInAccounts, at counter: Int64) {
        let current = RememberedCurrent(accounts: accounts, counter: counter)
        table.withLock { $0.insert(.current(current), hash: Key.current.hashValue, cost: current.cost) }
    }
}

extension ClockTable<ClientMemory.Entry> {
    fileprivate mutating func account(_ homeAccountID: String) -> RememberedAccount? {
        guard case .account(let account) = self[ClientMemory.Key.account(homeAccountID).hashValue],
            account.homeAccountID == homeAccountID
        else { return nil }
        return account
    }

    /// The remembered facts of the account in this version of its records.
    fileprivate mutating func account(_ homeAccountID: String, version: AccountVersion) -> RememberedAccount? {
        account(homeAccountID).flatMap { $0.known.version == version ? $0 : nil }
    }

    fileprivate mutating func insert(_ account: RememberedAccount) {
        let hash = ClientMemory.Key.account(account.homeAccountID).hashValue
        insert(.account(account), hash: hash, cost: account.cost)
    }
}
