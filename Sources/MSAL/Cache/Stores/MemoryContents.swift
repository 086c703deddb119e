// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The contents of a ``MemoryStore``, with indexes so that a lookup does not scan the records of other accounts.
struct MemoryContents: Sendable {
    /// The name of an extra item.
    struct ExtraName: Sendable, Hashable, Comparable {
        let section: String
        let name: String

        static func < (left: Self, right: Self) -> Bool { (left.section, left.name) < (right.section, right.name) }
    }

    /// The number of records saved so far. It orders the changes, which clocks cannot do reliably.
    var saves: Int64 = 0
    var lastPurge: Date?
    var extras: [ExtraName: JSONValue] = [:]
    var leases: [String: RefreshLease] = [:]

    /// The number of all records.
    private(set) var count = 0
    /// By home account ID; records without an account are under the empty ID.
    private var accounts: [String: MemoryAccount] = [:]
    /// The accounts of each normalized user name.
    private var usernames: [String: MemoryAccounts] = [:]
    /// The accounts of which each client has a record.
    private var clients: [String: MemoryAccounts] = [:]
    /// Environments, tenants, clients, and similar texts that nearly all records have in common.
    private var texts = StringInterner()

    func entry(_ identity: RecordIdentity) -> MemoryEntry? {
        accounts[identity.homeAccountID ?? ""]?.entry(identity)
    }

    func account(_ homeAccountID: String) -> MemoryAccount? { accounts[homeAccountID] }

    /// The matching entries; those of one account in the order of their change, latest first.
    func entries(_ filter: RecordFilter) -> [MemoryEntry] {
        var found: [MemoryEntry] = []
        func isEnough(after account: MemoryAccount) -> Bool {
            let start = found.count
            for entry in account.entries where filter.matches(entry.record) { found.append(entry) }
            if found.count > start + 1 { found[start...].sort { $0.number > $1.number } }
            return filter.most.map { found.count >= $0 } ?? false
        }
        if let names = names(for: filter) {
            for name in names { if let account = accounts[name], isEnough(after: account) { break } }
        } else {
            for account in accounts.values where isEnough(after: account) { break }
        }
        return found
    }

    /// The accounts that may have matching records; `nil` for all of them.
    func names(for filter: RecordFilter) -> MemoryAccounts? {
        if let homeAccountID = filter.homeAccountID { return MemoryAccounts(homeAccountID) }
        // App metadata belongs to a client. The client has many accounts, none of which has any.
        if filter.kind == .appMetadata { return MemoryAccounts("") }
        if let username = filter.username { return usernames[username] ?? MemoryAccounts() }
        return filter.clientID.map { clients[$0] ?? MemoryAccounts() }
    }

    /// Saves an entry, or replaces the one with the same identity, which is that of the record.
    ///
    /// - Returns: The previous entry.
    @discardableResult
    mutating func put(_ entry: MemoryEntry, identity: RecordIdentity) -> MemoryEntry? {
        var account = identity.homeAccountID ?? ""
        // The first string for an account's name is kept as long as the account, so the others share it.
        if let known = accounts.index(forKey: account) { account = accounts[known].key }
        texts.share(&account)
        let entry = entry.sharing(&texts)
        let old = accounts[account, default: MemoryAccount()].put(entry, identity: identity)
        if old == nil { count += 1 }
        let (terms, oldTerms) = (RecordIndexTerms(entry.record), old.map { RecordIndexTerms($0.record) })
        Self.move(account, from: oldTerms?.username, to: terms.username, in: &usernames)
        Self.move(account, from: oldTerms?.clientID, to: terms.clientID, in: &clients)
        return old
    }

    /// - Returns: The removed entry.
    @discardableResult
    mutating func remove(_ identity: RecordIdentity) -> MemoryEntry? {
        let account = identity.homeAccountID ?? ""
        guard let old = accounts[account]?.remove(identity) else { return nil }
        if accounts[account]?.entries.isEmpty == true { accounts[account] = nil }
        count -= 1
        let terms = RecordIndexTerms(old.record)
        Self.move(account, from: terms.username, to: nil, in: &usernames)
        Self.move(account, from: terms.clientID, to: nil, in: &clients)
        return old
    }

    mutating func removeAllRecords() {
        count = 0
        accounts = [:]
        usernames = [:]
        clients = [:]
    }

    private static func move(
        _ account: String,
        from old: String?,
        to new: String?,
        in index: inout [String: MemoryAccounts]
    ) {
        guard old != new else { return }
        if let old {
            index[old]?.remove(account)
            if index[old]?.isEmpty == true { index[old] = nil }
        }
        // If no account has the term yet, its list begins with this one.
        if let new, index[new]?.add(account) == nil { index[new] = MemoryAccounts(account) }
    }
}

/// The index terms of a record, in addition to its account.
private struct RecordIndexTerms {
    let username: String?
    let clientID: String?

    init(_ record: CacheRecord) {
        if case .account(let account) = record { username = account.username?.normalizedKey } else { username = nil }
        clientID = record.keys.clientID
    }
}
