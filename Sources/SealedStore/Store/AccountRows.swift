// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// The rows of one account, or those of no account, as one walk over their part of the table found them.
///
/// They lie beside each other, so all of them cost little more than one. A transaction asks for several of them one after
/// the other.
struct AccountRows {
    /// A row, not yet opened.
    struct Entry {
        let id: Data
        let kind: Int
        /// `nil` if a damaged column hides what is sealed.
        let sealed: SealedRow?
        /// The number of its last change.
        let number: Int64
        var client: Data?
        let realm: Data?
        var family: Data?
    }

    /// The account; `nil` for the rows of no account.
    let account: String?
    /// `nil` if there are too many to be held. They are found by the indexes then.
    private(set) var entries: [Entry]?

    /// The number of rows that are held at most.
    private static let most = 16

    /// Reads the rows.
    init(of account: String?, in db: Database, _ index: TermIndex) throws {
        self.account = account
        let first = index.rowPrefix(ofAccount: account)
        // No key is greater than the prefix with these bytes behind it.
        let last = first + Data(repeating: 0xFF, count: 17)
        let sql = """
            SELECT id, key_id, sealed, kind, modified, client_ix, realm_ix, family_ix FROM record
            WHERE id >= ? AND id <= ? LIMIT \(Self.most + 1)
            """
        var found: [Entry] = []
        try RawStatement(sql, in: db).rows([.blob(first), .blob(last)]) { row in
            found.append(
                Entry(
                    id: row.data(0) ?? Data(),
                    kind: row.integer(3).flatMap { Int(exactly: $0) } ?? 0,
                    sealed: SealedRow(leading: row),
                    number: row.integer(4) ?? 0,
                    client: row.data(5),
                    realm: row.data(6),
                    family: row.data(7)
                )
            )
        }
        entries = found.count > Self.most ? nil : found
    }

    /// Takes the place of the row with the same key, like the statement that saves it.
    mutating func save(_ entry: Entry, of row: PlainRow) {
        guard var held = entries else { return }
        var entry = entry
        if let position = held.firstIndex(where: { $0.id == entry.id }) {
            if !row.replacesClient { entry.client = held[position].client }
            if !row.replacesFamily { entry.family = held[position].family }
            held[position] = entry
        } else {
            held.append(entry)
        }
        entries = held.count > Self.most ? nil : held
    }

    mutating func delete(_ id: Data) { entries?.removeAll { $0.id == id } }
}

extension RowQuery {
    /// Whether the rows of one account, or of none, hold everything that the query may find.
    var isOfOneAccount: Bool { (account != nil || hasNoAccount) && name == nil }

    /// Those of the rows that the query finds. Scopes are left to the caller, who compares them with the payload.
    func picks(_ index: TermIndex) -> (AccountRows.Entry) -> Bool {
        let wanted = (
            client: client.map { index($0) }, family: family.map { index($0) },
            realms: account == nil ? nil : realms?.map { index($0) }
        )
        return { row in
            row.kind == kind
                && (wanted.client == nil ? !hasNoClient || row.client == nil : row.client == wanted.client)
                && (wanted.family == nil || row.family == wanted.family)
                && (wanted.realms.map { $0.contains { $0 == row.realm } } ?? true)
        }
    }
}

extension RowPresence {
    func picks(_ index: TermIndex) -> (AccountRows.Entry) -> Bool {
        switch owner {
        case .client(let client):
            let client = index(client)
            return { $0.kind == kind && $0.client == client && $0.family == nil }
        case .family(let family):
            let family = index(family)
            return { $0.kind == kind && $0.family == family }
        }
    }
}
