// Licensed under the MIT License. See LICENSE.

import GRDB

/// Narrows a search to few rows by the blind indexes; the rest is decided on the opened rows.
struct RecordQuery {
    /// What follows the name of the table.
    private(set) var condition: String
    private(set) var arguments = StatementArguments()

    /// With more scopes than this the account and the client narrow the search: SQLite by itself takes 32,766 arguments,
    /// and how many scopes there are is for the server to say.
    private static let mostScopes = 1000

    init(_ filter: RecordFilter, _ index: BlindIndex) {
        condition = ""
        if let account = filter.homeAccountID, let client = filter.clientID, let scopes = filter.scopes {
            switch scopes {
            case .containing(let wanted):
                // One scope is selective enough: tokens of one account, client and realm share none.
                if let scope = wanted.min() { search([scope], account, client, filter.realms, index) }
            case .sharing(let wanted):
                if wanted.count <= Self.mostScopes { search(wanted.sorted(), account, client, filter.realms, index) }
            }
        }
        if condition.isEmpty { searchKeys(filter, index) }
    }

    private mutating func search(
        _ scopes: [String],
        _ account: String,
        _ client: String,
        _ realms: [String]?,
        _ index: BlindIndex
    ) {
        var term = "scope_ix IN (\(Self.places(scopes.count)))"
        for scope in scopes { arguments += [index(account, client, scope)] }
        if let realms {
            term += " AND realm_ix IN (\(Self.places(realms.count)))"
            for realm in realms { arguments += [index(realm)] }
        }
        condition = "WHERE id IN (SELECT id FROM record_scope WHERE \(term)) ORDER BY modified DESC"
    }

    private mutating func searchKeys(_ filter: RecordFilter, _ index: BlindIndex) {
        var terms: [String] = []
        if let account = filter.homeAccountID {
            terms.append("account_ix = ?")
            arguments += [index(account)]
        }
        terms.append("kind = ?")
        arguments += [filter.kind.rawValue]
        if let client = filter.clientID {
            terms.append("client_ix = ?")
            arguments += [index(client)]
        } else if filter.kind == .account {
            // Accounts belong to no client; saying so lets the index go on to the realm.
            terms.append("client_ix IS NULL")
        }
        if filter.homeAccountID != nil, let realms = filter.realms {
            terms.append("realm_ix IN (\(Self.places(realms.count)))")
            for realm in realms { arguments += [index(realm)] }
        }
        if let family = filter.familyID {
            terms.append("family_ix = ?")
            arguments += [index(family)]
        }
        let name = filter.homeAccountID == nil ? "record_kind_ix" : "record_ix"
        let order = filter.homeAccountID == nil ? "" : " ORDER BY modified DESC"
        condition = "INDEXED BY \(name) WHERE " + terms.joined(separator: " AND ") + order
    }

    private static func places(_ count: Int) -> String {
        Array(repeating: "?", count: count).joined(separator: ", ")
    }
}
