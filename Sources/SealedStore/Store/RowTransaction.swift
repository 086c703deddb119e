// Licensed under the MIT License. See LICENSE.

package import Foundation
import GRDB

/// A transaction on a connection of a store. Valid only inside the body that received it.
///
/// Rows are found by blind indexes and opened one by one; the caller decides which of the opened payloads match.
package final class RowTransaction {
    let db: Database
    let ring: KeyRing
    private let index: TermIndex
    private let origin: Origin
    /// The rows of the account that was queried last, and the rows without an account.
    private var accountRows: AccountRows?
    private var sharedRows: AccountRows?
    /// The counter value of the row sealed last; `nil` until the first one.
    private(set) var number: Int64?
    /// The number of rows that this transaction tried to open.
    package private(set) var openedRows = 0
    /// Whether this transaction swept expired rows.
    var hasSwept = false { didSet { forgetRows() } }

    /// The file that a transaction uses.
    struct Origin: Sendable {
        /// The path of the file.
        let file: String
        /// Distinguishes the file from others that were at the same path.
        var generation: Int64 = 0
    }

    /// - Throws: ``StaleKeysError`` if `ring` no longer has the keys of the store.
    init(_ db: Database, ring: KeyRing, origin: Origin) throws {
        try StoredKeys.check(db, store: ring.store, generation: ring.generation)
        self.db = db
        self.ring = ring
        index = TermIndex(ring)
        self.origin = origin
    }

    var file: String { origin.file }

    /// Stores the counter. Call it at the end of a transaction.
    func finish() throws { if let number { try StoredKeys.setCounter(to: number, in: db) } }

    func run<R>(_ kind: StoreError.Kind, work: () throws -> R) throws(StoreError) -> R {
        try StoreError.catching(kind, file: file, work: work)
    }
}

// MARK: - Rows

extension RowTransaction {
    /// The rows of an account or, for `nil`, the rows without an account; `nil` if there are too many to keep.
    ///
    /// They are read once; changes of this transaction are applied to them, too.
    private func rows(ofAccount account: String?) throws -> [AccountRows.Entry]? {
        if account == nil {
            if sharedRows == nil { sharedRows = try AccountRows(of: nil, in: db, index) }
            return sharedRows?.entries
        }
        if accountRows == nil || accountRows?.account != account {
            accountRows = try AccountRows(of: account, in: db, index)
        }
        return accountRows?.entries
    }

    private func changeRows(ofAccount account: String?, _ change: (inout AccountRows) -> Void) {
        if account == nil {
            if var rows = sharedRows {
                sharedRows = nil
                change(&rows)
                sharedRows = rows
            }
        } else if var rows = accountRows, rows.account == account {
            accountRows = nil
            change(&rows)
            accountRows = rows
        }
    }

    private func forgetRows() {
        accountRows = nil
        sharedRows = nil
    }

    /// The payload of the row with this identity; also `nil` if it cannot be opened.
    package func payload(ofKind kind: Int, identity: RowIdentity) throws(StoreError) -> Data? {
        try run(.unreadable) {
            let id = index.row(identity)
            let found: SealedRow??
            if let rows = try rows(ofAccount: identity.account) {
                found = rows.first { $0.id == id }.map(\.sealed)
            } else {
                found = try RawStatement("SELECT id, key_id, sealed FROM record WHERE id = ?", in: db)
                    .first([.blob(id)]) { .some(SealedRow(leading: $0)) }
            }
            guard let found else { return nil }
            openedRows += 1
            if let payload = ring.open(found, in: .record, kind: kind) { return payload }
            try checkForUnreadableRows()
            return nil
        }
    }

    /// A number that differs from the last one if the row was saved in between, even unchanged; `nil` if there is no
    /// such row.
    package func changeNumber(of identity: RowIdentity) throws(StoreError) -> Int64? {
        try run(.unreadable) {
            let id = index.row(identity)
            if let rows = try rows(ofAccount: identity.account) { return rows.first { $0.id == id }?.number }
            return try RawStatement("SELECT modified FROM record WHERE id = ?", in: db).first([.blob(id)]) {
                $0.integer(0)
            }
        }
    }

    /// The version of the rows of this account or, for `nil`, of the rows without an account. Does not open rows.
    package func version(ofAccount account: String?) throws(StoreError) -> RowVersion {
        try run(.unreadable) {
            var hasher = Hasher()
            hasher.combine(ring.store)
            hasher.combine(origin.generation)
            let store = hasher.finalize()
            if let rows = try rows(ofAccount: account) {
                let sum = rows.reduce(0) { $0 + $1.number & 0xFF_FFFF_FFFF }
                return RowVersion(store: store, sum: sum, count: Int64(rows.count))
            }
            let sql = """
                SELECT ifnull(sum(modified & 0xFFFFFFFFFF), 0), count(*) FROM record INDEXED BY record_ix
                WHERE account_ix IS ?
                """
            // SQLite converts whatever damage left in a column to a number.
            let version = try RawStatement(sql, in: db).first([.blob(account.map { index($0) })]) {
                RowVersion(store: store, sum: $0.integer(0) ?? 0, count: $0.integer(1) ?? 0)
            }
            guard let version else { preconditionFailure("An aggregate has one row.") }
            return version
        }
    }

    /// Those of the given accounts that have such a row. Reads only index terms and does not open rows.
    package func accounts(_ accounts: [String], having presence: RowPresence) throws(StoreError) -> Set<String> {
        try run(.unreadable) {
            guard accounts.count > Self.fewAccounts else {
                return Set(try accounts.filter { try has(presence, account: $0) })
            }
            let condition = presence.condition(index)
            let sql = "SELECT account_ix FROM record INDEXED BY record_kind_ix WHERE " + condition.sql
            var present: Set<Data> = []
            try RawStatement(sql, in: db).rows(condition.arguments) { row in
                if let account = row.data(0) { present.insert(account) }
            }
            return Set(accounts.filter { present.contains(index.once($0)) })
        }
    }

    /// Up to this number of accounts, looking up each is cheaper than scanning the rows of all accounts.
    private static let fewAccounts = 16

    private func has(_ presence: RowPresence, account: String) throws -> Bool {
        if let rows = try rows(ofAccount: account) { return rows.contains(where: presence.picks(index)) }
        let condition = presence.condition(index)
        let sql = "SELECT 1 FROM record INDEXED BY record_ix WHERE \(condition.sql) AND account_ix = ? LIMIT 1"
        return try RawStatement(sql, in: db).first(condition.arguments + [.blob(index(account))]) { _ in true } ?? false
    }

    /// Passes the payloads of all rows that the query finds to `body`. Those of one account come in the order of their
    /// change, latest first. In a longer list, each is passed on before the next row is opened.
    package func payloads(_ query: RowQuery, body: (Data) -> Void) throws(StoreError) {
        try run(.unreadable) {
            var ofAccount: [(payload: Data, number: Int64)] = []
            var isWhole = true
            func take(_ row: SealedRow?, number: Int64) {
                openedRows += 1
                // A row that cannot be read is kept but not used.
                guard let payload = ring.open(row, in: .record, kind: query.kind) else { return isWhole = false }
                if query.account == nil { body(payload) } else { ofAccount.append((payload, number)) }
            }
            if query.isOfOneAccount, let rows = try rows(ofAccount: query.account) {
                for row in rows.filter(query.picks(index)) { take(row.sealed, number: row.number) }
            } else {
                let condition = query.condition(index)
                let sql = "SELECT record.id, record.key_id, record.sealed, record.modified FROM " + condition.sql
                try RawStatement(sql, in: db).rows(condition.arguments) { row in
                    take(SealedRow(leading: row), number: row.integer(3) ?? 0)
                }
            }
            if !isWhole { try checkForUnreadableRows() }
            // An account has few rows. SQLite would copy each into a temporary table to sort them.
            if ofAccount.count > 1 { ofAccount.sort { $0.number > $1.number } }
            for (payload, _) in ofAccount { body(payload) }
        }
    }

    /// Inserts the row, or replaces the row with the same identity.
    package func save(_ row: PlainRow) throws(StoreError) {
        try run(.unwritable) {
            let (terms, account) = (row.terms, row.identity.account)
            let id = index.row(row.identity)
            let payload = try ring.seal(row.payload, in: .record, row: id, kind: row.kind)
            let entry = AccountRows.Entry(
                id: id,
                kind: row.kind,
                sealed: SealedRow(id: id, keyID: payload.keyID, sealed: payload.sealed),
                number: try nextNumber(),
                client: terms.client.map { index($0) },
                realm: terms.realm.map { index($0) },
                family: terms.family.map { index($0) }
            )
            try RawStatement(Self.insertion(of: row), in: db).run([
                .blob(id), .integer(Int64(row.kind)), .blob(account.map { index($0) }), .blob(entry.client),
                .blob(terms.environment.map { index($0) }), .blob(entry.realm), .blob(entry.family),
                .blob(terms.name.map { index($0) }), .integer(row.expiresOn?.seconds), .integer(row.cachedAt?.seconds),
                .integer(entry.number), .text(payload.keyID), .blob(payload.sealed),
            ])
            changeRows(ofAccount: account) { $0.save(entry, of: row) }
            guard !terms.scopes.isEmpty, let account, let client = terms.client, let realm = terms.realm else { return }
            let sql = "INSERT OR IGNORE INTO record_scope(scope_ix, realm_ix, id) VALUES (?, ?, ?)"
            let statement = try RawStatement(sql, in: db)
            for scope in terms.scopes {
                let scopeIndex = index.scope(scope, account: account, client: client)
                try statement.run([.blob(scopeIndex), .blob(index(realm)), .blob(id)])
            }
        }
    }

    /// Deletes the row with this identity, if it exists.
    package func delete(_ identity: RowIdentity) throws(StoreError) {
        try run(.unwritable) {
            let id = index.row(identity)
            try RawStatement("DELETE FROM record WHERE id = ?", in: db).run([.blob(id)])
            changeRows(ofAccount: identity.account) { $0.delete(id) }
        }
    }

    /// The position of an account's rows among those of others. Rows that are saved in this order are contiguous in the
    /// file.
    package func place(ofAccount account: String) -> UInt64 {
        index.once(account).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Deletes every row and extra item.
    package func deleteAll() throws(StoreError) {
        try run(.unwritable) { try db.execute(sql: "DELETE FROM record_scope; DELETE FROM record; DELETE FROM extra") }
        forgetRows()
    }

    /// Records that an opened payload is invalid, and logs that once.
    package func noteUnreadable() { ring.health.reportUnreadable(in: file) }

    /// An older row with the same identity has the same terms, except for its name. So the statement only changes the
    /// indexes that the row replaces.
    private static func insertion(of row: PlainRow) -> String {
        """
        INSERT INTO record(id, kind, account_ix, client_ix, env_ix, realm_ix, family_ix,
            name_ix, expires_on, cached_at, modified, key_id, sealed)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT(id) DO UPDATE SET \(row.replacesClient ? "client_ix = excluded.client_ix," : "")
            \(row.replacesFamily ? "family_ix = excluded.family_ix," : "")
            \(row.expiresOn != nil ? "expires_on = excluded.expires_on," : "")
            name_ix = excluded.name_ix, cached_at = excluded.cached_at, modified = excluded.modified,
            key_id = excluded.key_id, sealed = excluded.sealed
        """
    }

    /// A new counter value for a row that is being sealed.
    @discardableResult
    private func nextNumber() throws -> Int64 {
        let next = try (number ?? StoredKeys.counter(db)) + 1
        number = next
        return next
    }

    /// Called after a row could not be opened. Throws if no row from before this transaction can be opened: the key is
    /// wrong, and a missing row then has no meaning.
    private func checkForUnreadableRows() throws {
        if !ring.health.isKeyRight, ring.active != nil {
            // The rows that this transaction saved are not counted yet and prove nothing about the key.
            let counted = try StoredKeys.meta(.counter, as: Int64.self, in: db)
            let rows = try Row.fetchCursor(
                db,
                sql: "SELECT id, kind, key_id, sealed FROM record WHERE modified <= ?",
                arguments: [counted]
            )
            var isRight = false
            while !isRight, let row = try rows.next() {
                guard let kind = try? row.decode(Int.self, forColumn: "kind") else { continue }
                isRight = ring.open(row, in: .record, kind: kind) != nil
            }
            guard isRight else {
                throw StoreError(
                    .keyUnavailable,
                    message: """
                        No row of the token store \(file) can be opened with its key (in \(ring.provider.description)): the key \
                        or the file was replaced. Nothing was changed. Restore the matching one; to sign in again \
                        instead: msal cache clear
                        """
                )
            }
        }
        noteUnreadable()
    }
}

// MARK: - Extra items and leases

extension RowTransaction {
    /// The payloads of all extra items that can be opened.
    package func extras() throws(StoreError) -> [Data] {
        try run(.unreadable) {
            var payloads: [Data] = []
            var isWhole = true
            try RawStatement("SELECT id, key_id, sealed FROM extra", in: db).rows { row in
                if let payload = ring.open(SealedRow(leading: row), in: .extra) {
                    payloads.append(payload)
                } else {
                    isWhole = false
                }
            }
            if !isWhole { try checkForUnreadableRows() }
            return payloads
        }
    }

    /// Inserts the item, or replaces the item with the same identity.
    package func saveExtra(_ item: PlainExtra) throws(StoreError) {
        try run(.unwritable) {
            let id = index(item.identity)
            let payload = try ring.seal(item.payload, in: .extra, row: id)
            try nextNumber()
            try RawStatement("INSERT OR REPLACE INTO extra(id, key_id, sealed) VALUES (?, ?, ?)", in: db)
                .run([.blob(id), .text(payload.keyID), .blob(payload.sealed)])
        }
    }

    /// Deletes the item with this identity, if it exists.
    package func deleteExtra(_ identity: String) throws(StoreError) {
        try run(.unwritable) {
            try RawStatement("DELETE FROM extra WHERE id = ?", in: db).run([.blob(index(identity))])
        }
    }

    /// The lease of this name, even if it has expired.
    package func lease(_ name: String) throws(StoreError) -> LeaseNote? {
        try run(.unreadable) {
            try RawStatement("SELECT holder, until FROM lease WHERE id = ?", in: db).first([.blob(index(name))]) {
                row in
                // A lease is advisory, so a damaged one does not block anything.
                guard let holder = row.text(0), let until = row.integer(1) else { return nil }
                return LeaseNote(holder: holder, until: Date(timeIntervalSince1970: TimeInterval(until)))
            }
        }
    }

    /// Inserts the lease, or replaces the lease with the same name.
    package func saveLease(_ lease: LeaseNote, as name: String) throws(StoreError) {
        try run(.unwritable) {
            try RawStatement("INSERT OR REPLACE INTO lease(id, holder, until) VALUES (?, ?, ?)", in: db)
                .run([.blob(index(name)), .text(lease.holder), .integer(lease.until.seconds)])
        }
    }

    /// Deletes the lease of this name, if it exists.
    package func deleteLease(_ name: String) throws(StoreError) {
        try run(.unwritable) { try RawStatement("DELETE FROM lease WHERE id = ?", in: db).run([.blob(index(name))]) }
    }
}

/// The version of an account's rows. Two different states have different versions.
///
/// A saved row gets a number larger than any before it. If rows are deleted and the same number is added, the sum of
/// the numbers grows. Therefore, two states with the same sum and the same count are the same state. A row with a
/// forged number does not hide changes of other rows.
package struct RowVersion: Sendable, Hashable {
    /// Distinguishes the stores and files that one process uses in succession, whose numbers are unrelated.
    package let store: Int
    /// The sum of the rows' numbers.
    package let sum: Int64
    /// The count of the rows.
    package let count: Int64
}
