// Licensed under the MIT License. See LICENSE.

package import MSALBase
import MSALCore
package import SealedStore
private import Synchronization

/// The memory of a client: which stored tokens served which requests, and which accounts exist.
///
/// A repeated request reads only the store's change counter, and skips the rules for authorities and lookups. After a
/// change, the entries of an account stay valid if the version of its records is the same
/// (docs/reference/Silent.md#memory). Whether a token is still valid is checked each time.
///
/// Its size in bytes is limited. A full memory evicts one entry at a time, and keeps those that were used recently
/// (``ClockTable``).
package final class ClientMemory: Sendable {
    /// The default limit in bytes: some 50,000 accounts with a token each.
    package static let defaultLimit = 256 << 20

    /// An entry is one reference (`indirect`), so that each slot of the table stays small.
    fileprivate enum Entry {
        case token(Token)
        case account(RememberedAccount)
        indirect case name(RememberedName)
        indirect case list(RememberedList)
        indirect case current(RememberedCurrent)
    }

    /// The keys of entries that are not tokens.
    fileprivate enum Key: Hashable {
        case account(String)
        case name(String)
        case list, current
    }

    private let store: any TokenStore
    private let time: any TimeSource
    private let buffer: Duration
    private let table: Mutex<ClockTable<Entry>>
    /// The recently served tokens of each thread, by the hashes of their requests. A hit in this table writes no memory
    /// that other threads write. These tokens do not count toward the limit.
    private let near = Striped { Mutex<[Int: Token]>([:]) }

    /// The most tokens of one thread. Beyond it the table is cleared.
    private static let mostNear = 1024

    /// - Parameters:
    ///   - store: The store from which the remembered values come.
    ///   - time: The clock that decides whether a token is still usable.
    ///   - buffer: The time for which a token must still be valid to be usable.
    ///   - limit: The number of bytes.
    package init(
        store: any TokenStore,
        time: any TimeSource,
        buffer: Duration,
        limit: Int = ClientMemory.defaultLimit
    ) {
        self.store = store
        self.time = time
        self.buffer = buffer
        table = Mutex(ClockTable(limit: limit))
    }

    /// About how many bytes are in use.
    var cost: Int { table.withLock(\.cost) }

    /// Removes all entries of an account that was signed out.
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

    /// Removes all entries.
    func forget() {
        table.withLock { table in table.removeAll { _ in true } }
        forgetNear()
    }

    private func forgetNear() { near.forEach { tokens in tokens.withLock { $0 = [:] } } }
}

// MARK: - Tokens

extension ClientMemory {
    /// The content of the memory for a request.
    package struct Lookup: Sendable {
        /// The store's change counter, read before the memory; `nil` if it could not be read.
        var counter: Int64?
        /// The token that served an equal request before. Its account may have changed since.
        var token: Token?
        /// The state of ``token``; `nil` if the store has changed since. Then the account's version decides.
        var state: TokenLife.State?

        /// The token that serves the request.
        var usable: Token? { state == .usable ? token : nil }
    }

    /// Looks up the token that served an equal request. The call reads only the change counter of the store.
    ///
    /// It is synchronous: a call from the main actor stays on the main thread, which saves time.
    ///
    /// - Throws: The store's failure if the change counter cannot be read.
    package func lookup(_ identity: RequestIdentity) throws(StoreError) -> Lookup {
        lookup(identity, at: try store.changeCounter())
    }

    /// Looks up the token at a change counter of the store.
    func lookup(_ identity: RequestIdentity, at counter: Int64) -> Lookup {
        guard let token = token(for: identity, at: counter) else { return Lookup(counter: counter) }
        return Lookup(
            counter: counter,
            token: token,
            state: token.known.isCurrent(at: counter) ? state(of: token) : nil
        )
    }

    /// Does the same for a caller that cannot wait until the store is open. `nil` if the store has to be opened first, or
    /// if its change counter cannot be read.
    func lookupIfOpen(_ identity: RequestIdentity) -> Lookup? {
        guard store.isPrepared else { return nil }
        return try? lookup(identity)
    }

    /// The state of a remembered token now.
    func state(of token: Token) -> TokenLife.State { token.life.state(at: time.now, buffer: buffer) }

    /// The token that served an equal request. Only if nothing has changed since, this thread keeps it in its own table.
    private func token(for identity: RequestIdentity, at counter: Int64) -> Token? {
        let hash = identity.hash
        let own = near.withOwn { tokens in tokens.withLock { $0[hash] } }
        if let own, own.known.isCurrent(at: counter), own.identity == identity { return own }
        return table.withLock { table in
            guard case .token(let token) = table[hash], token.identity == identity else { return nil }
            guard token.known.isCurrent(at: counter) else { return token }
            let taken = token.copyForThread()
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

    /// `result`: The result made from the stored token.
    /// `life`: The token's validity.
    /// `version`: The account's version, read together with the token.
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
            let token = Token(SharedTokenResult(result), life: life, for: identity, known: account.known)
            table.insert(.token(token), hash: hash, cost: token.cost)
        }
        // Without this, a thread would keep a token that is never requested again.
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
    /// `version`: The account's version, read together with it.
    func remember(_ snapshot: AccountSnapshot, version: AccountVersion, at counter: Int64) {
        table.withLock { table in
            let account =
                table.account(snapshot.homeAccountID, version: version)
                ?? RememberedAccount(snapshot.homeAccountID, known: KnownVersion(version, at: counter))
            account.known.confirm(at: counter)
            table.insert(account.with(snapshot))
        }
    }

    /// The accounts with this normalized user name, if nothing changed since they were looked up.
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

// MARK: - Entries

// Entries never change. The exception is ``KnownVersion``, which is atomic. So they can be used outside the lock. Their
// costs in bytes are those of the texts, and what objects and dictionaries take in addition, as it was measured.

extension ClientMemory {
    /// A stored token that served a request. It is an object, because a caller then copies one reference and not all
    /// members.
    package final class Token: Sendable {
        let identity: RequestIdentity
        let life: TokenLife
        let known: KnownVersion
        /// The result for requests of the identity, with the correlation ID of the first.
        let shared: SharedTokenResult
        private let isTaken = Atomic(false)

        init(_ shared: SharedTokenResult, life: TokenLife, for identity: RequestIdentity, known: KnownVersion) {
            self.identity = identity
            self.life = life
            self.known = known
            self.shared = shared
        }

        /// The token for one more thread: the first gets this object, every other a copy.
        func copyForThread() -> Token {
            guard isTaken.exchange(true, ordering: .relaxed) else { return self }
            return Token(shared.copied(), life: life, for: identity.copied(), known: known)
        }

        /// The result for another request of the same identity.
        func result(correlationID: UUID) -> TokenResult {
            var result = shared.result
            result.correlationID = correlationID
            return result
        }

        /// The cost includes the holder, because it lives as long as one of its tokens.
        var cost: Int {
            let own = 700 + shared.result.accessToken.exposed.utf8.count + shared.result.holder.cost
            return identity.scopes.values.reduce(own) { $0 + $1.utf8.count }
        }
    }
}

/// The accounts that have a user name.
private struct RememberedName: Sendable {
    let name: String
    let homeAccountIDs: [String]
    let counter: Int64

    var cost: Int { homeAccountIDs.reduce(200 + name.utf8.count) { $0 + $1.utf8.count + 32 } }
}

/// The list of all accounts that are signed in.
private struct RememberedList: Sendable {
    let accounts: [AccountSnapshot]
    let counter: Int64

    var cost: Int { accounts.reduce(200) { $0 + $1.cost } }
}

/// The accounts that are signed in, as they were at a change counter of the store.
private struct RememberedCurrent: Sendable {
    let accounts: SignedInAccounts
    let counter: Int64

    var cost: Int { accounts.some.reduce(600) { $0 + $1.cost } }
}

/// The version of an account from which a remembered value was made. It has the store's change counter at the time when
/// that version was last found to be the present one.
final class KnownVersion: Sendable {
    let version: AccountVersion
    private let counter: Atomic<Int64>

    /// `counter`: The store's change counter, read before the version. A commit in between then only costs another lookup.
    init(_ version: AccountVersion, at counter: Int64) {
        self.version = version
        self.counter = Atomic(counter)
    }

    /// Whether this version is certainly current. `false` means that the store has to be read.
    func isCurrent(at counter: Int64) -> Bool { self.counter.load(ordering: .relaxed) == counter }

    /// Records that the version was read again and is unchanged.
    func confirm(at counter: Int64) { self.counter.store(counter, ordering: .relaxed) }
}

/// The identity of a silent request: equal identities request the same token. One stored token serves all requests of
/// one identity.
///
/// Each step of a silent request uses it. The memory compares all of it, the store is asked with the `query` that is
/// made of it, and shared redemptions and the throttle use a ``RefreshKey`` that is made of it.
///
/// It is an object, which parameters keep: a repeated request then counts one reference, and not those of all its texts.
package final class RequestIdentity: Sendable, Hashable {
    let account: AccountReference
    /// The authority that the app named; `nil` for the configured one.
    let authority: Authority?
    let scopes: ScopeSet
    /// The claims of the request; `nil` if the request asks for none.
    let claims: JSONValue?
    /// The key of a bound token; `nil` for bearer tokens.
    let keyID: String?
    let isAuthorityValidated: Bool
    /// The hash of the members by which requests of one process usually differ. `==` compares the others, too.
    let hash: Int

    init(
        account: AccountReference,
        authority: Authority? = nil,
        scopes: ScopeSet,
        claims: JSONValue? = nil,
        keyID: String? = nil,
        isAuthorityValidated: Bool = true
    ) {
        self.account = account
        self.authority = authority
        self.scopes = scopes
        self.claims = claims?.object?.isEmpty == true ? nil : claims
        self.keyID = keyID
        self.isAuthorityValidated = isAuthorityValidated
        var hasher = Hasher()
        hasher.combine(account.homeAccountID)
        hasher.combine(scopes)
        hasher.combine(authority?.address)
        hasher.combine(keyID)
        hash = hasher.finalize()
    }

    var withoutClaims: RequestIdentity { claims == nil ? self : copied(claims: nil) }

    /// An equal object, so that each thread can keep one of its own.
    func copied() -> RequestIdentity { copied(claims: claims) }

    private func copied(claims: JSONValue?) -> RequestIdentity {
        RequestIdentity(
            account: account,
            authority: authority,
            scopes: scopes,
            claims: claims,
            keyID: keyID,
            isAuthorityValidated: isAuthorityValidated
        )
    }

    /// The type of the token on the wire and in the store.
    var tokenType: String { keyID == nil ? "Bearer" : "Pop" }

    package static func == (left: RequestIdentity, right: RequestIdentity) -> Bool {
        left === right
            || left.hash == right.hash
                && left.account == right.account
                && left.authority == right.authority
                && left.scopes == right.scopes
                && left.claims == right.claims
                && left.keyID == right.keyID
                && left.isAuthorityValidated == right.isAuthorityValidated
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
