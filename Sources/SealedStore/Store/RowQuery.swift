// Licensed under the MIT License. See LICENSE.

import Foundation

/// Selects rows of one kind by their terms. A term that is `nil` does not restrict the selection.
///
/// The query may return more rows than match, never fewer. The caller filters the opened payloads.
package struct RowQuery: Sendable {
    package let kind: Int
    package var account: String?
    /// Whether rows of this kind have no account.
    package var hasNoAccount = false
    package var client: String?
    /// Whether rows of this kind have no client. This lets the index continue to the realm.
    package var hasNoClient = false
    /// The realms, one of which a row must have; `nil` for all.
    package var realms: [String]?
    package var family: String?
    /// Restricts the selection by itself, or together with an account.
    package var name: String?
    /// The maximum number of rows that the query returns.
    package var most: Int?
    /// Any of these; only has an effect together with an account and a client.
    package var scopes: [String] = []

    package init(kind: Int) { self.kind = kind }
}

extension RowQuery {
    /// The query in SQL, after `FROM`, with the indexes of the terms.
    struct Condition {
        fileprivate(set) var sql = ""
        fileprivate(set) var arguments: [RawStatement.Argument] = []
    }

    /// With more scopes than this, only the account and the client restrict the search: SQLite accepts 32,766 arguments
    /// by default, and the number of scopes is not under our control.
    private static let mostScopes = 1000

    func condition(_ index: TermIndex) -> Condition {
        if let account, let client, (1...Self.mostScopes).contains(scopes.count) {
            return byScope(account: account, client: client, index)
        }
        return byKey(index)
    }

    private func byScope(account: String, client: String, _ index: TermIndex) -> Condition {
        var condition = Condition()
        var term = "record_scope.scope_ix \(Self.isOneOf(scopes.count))"
        for scope in scopes { condition.arguments.append(.blob(index.scope(scope, account: account, client: client))) }
        if let realms {
            term += " AND record_scope.realm_ix \(Self.isOneOf(realms.count))"
            for realm in realms { condition.arguments.append(.blob(index(realm))) }
        }
        // A row has each scope once. For several of them, SQLite needs a temporary table to remove duplicates.
        condition.sql =
            scopes.count == 1
            ? "record_scope CROSS JOIN record ON record.id = record_scope.id WHERE " + term
            : "record WHERE record.id IN (SELECT id FROM record_scope WHERE \(term))"
        return condition
    }

    private func byKey(_ index: TermIndex) -> Condition {
        var condition = Condition()
        var terms: [String] = []
        if let account {
            terms.append("account_ix = ?")
            condition.arguments.append(.blob(index(account)))
        }
        terms.append("kind = ?")
        condition.arguments.append(.integer(Int64(kind)))
        if let client {
            terms.append("client_ix = ?")
            condition.arguments.append(.blob(index(client)))
        } else if hasNoClient {
            terms.append("client_ix IS NULL")
        }
        if account != nil, let realms {
            terms.append("realm_ix \(Self.isOneOf(realms.count))")
            for realm in realms { condition.arguments.append(.blob(index(realm))) }
        }
        if let family {
            terms.append("family_ix = ?")
            condition.arguments.append(.blob(index(family)))
        }
        if let name {
            terms.append("name_ix = ?")
            condition.arguments.append(.blob(index(name)))
        }
        condition.sql = "record INDEXED BY \(byKeyIndex) WHERE " + terms.joined(separator: " AND ")
        if let most {
            condition.sql += " LIMIT ?"
            condition.arguments.append(.integer(Int64(most)))
        }
        return condition
    }

    private var byKeyIndex: String {
        if account != nil { return "record_ix" }
        return name == nil ? "record_kind_ix" : "record_name_ix"
    }

    private static func isOneOf(_ count: Int) -> String {
        count == 1 ? "= ?" : "IN (" + Array(repeating: "?", count: count).joined(separator: ", ") + ")"
    }
}

/// A query for whether rows of one kind with these terms exist. One index has all the terms, so no row is read.
package struct RowPresence: Sendable {
    /// The owner of the rows.
    package enum Owner: Sendable {
        /// The rows of this client that belong to no family.
        case client(String)
        /// The rows of this family, whatever the client.
        case family(String)
    }

    package let kind: Int
    package let owner: Owner

    package init(kind: Int, owner: Owner) {
        self.kind = kind
        self.owner = owner
    }

    /// The terms in SQL, with their indexes.
    func condition(_ index: TermIndex) -> RowQuery.Condition {
        var condition = RowQuery.Condition()
        switch owner {
        case .client(let client):
            condition.sql = "kind = ? AND client_ix = ? AND family_ix IS NULL"
            condition.arguments = [.integer(Int64(kind)), .blob(index(client))]
        case .family(let family):
            condition.sql = "kind = ? AND family_ix = ?"
            condition.arguments = [.integer(Int64(kind)), .blob(index(family))]
        }
        return condition
    }
}

/// The blind indexes of one transaction. Calls need the indexes of the same few texts again and again, and each takes
/// two hashes, so they are cached together with the keys.
///
/// Not `Sendable` because it belongs to the thread of the transaction, and lives as long as the transaction.
final class TermIndex {
    /// The key of the index, prepared for this transaction.
    private lazy var prepared = index.prepared
    private let index: BlindIndex
    private let known: BlindIndexCache

    init(_ ring: KeyRing) {
        index = ring.index
        known = ring.knownTerms
    }

    func callAsFunction(_ text: String) -> Data {
        if let value = known[text] { return value }
        let value = once(text)
        known.remember(value, of: text)
        return value
    }

    /// The index of a text that is used only once; it is not cached.
    func once(_ text: String) -> Data { prepared(text) }

    /// The primary key of a row (docs/reference/Store.md#row-keys).
    func row(_ identity: RowIdentity) -> Data { rowPrefix(ofAccount: identity.account) + self(identity.text) }

    /// The prefix of the keys of an account's rows. It keeps these rows next to each other in the file. Rows without an
    /// account precede all others.
    func rowPrefix(ofAccount account: String?) -> Data {
        account.map { self($0).prefix(8) } ?? Data(count: 8)
    }

    /// The index of a scope of an account and a client. It has the same prefix as the keys of the account's rows.
    func scope(_ scope: String, account: String, client: String) -> Data {
        rowPrefix(ofAccount: account) + self(BlindIndex.text(of: [account, client, scope]))
    }
}
