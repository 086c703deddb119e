// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// The rows of one account, or the rows without an account, found in one scan of their part of the table.
///
/// They are stored next to each other, so reading all of them costs little more than one. A transaction queries several
/// of them in sequence.
struct AccountRows {
    /// A row that has not been opened yet.
    struct Entry {
        let id: Data
        let kind: Int
        /// `nil` if a damaged column hides the sealed value.
        let sealed: SealedRow?
        /// The number of its last change.
        let number: Int64
        var client: Data?
        let realm: Data?
        var family: Data?
    }

    /// The account; `nil` for the rows without an account.
    let account: String?
    /// `nil` if there are too many to keep in memory; they are then found through the indexes.
    private(set) var entries: [Entry]?

    /// The maximum number of rows to keep.
    private static let most = 16

    /// Reads the rows.
    init(of account: String?, in db: Database, _ index: TermIndex) throws {
        self.account = account
        let first = index.rowPrefix(ofAccount: account)
        // No key is greater than the prefix followed by these bytes.
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

    /// Replaces the row with the same key, like the statement that saves it.
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
    /// Whether the rows of one account, or those without an account, contain everything that the query can find.
    var isOfOneAccount: Bool { (account != nil || hasNoAccount) && name == nil }

    /// Selects the rows that the query finds. Does not check scopes, which the caller compares with the payload.
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
