// Licensed under the MIT License. See LICENSE.

package import Foundation
import GRDB

/// One transaction on a connection of a store. Valid only inside the body that received it.
///
/// Rows are found by blind indexes and opened one by one; the caller decides which of the opened payloads fit.
package final class RowTransaction {
    let db: Database
    let ring: KeyRing
    private let index: TermIndex
    private let origin: Origin
    /// The running number of the row sealed last; `nil` until the first is.
    private(set) var number: Int64?
    /// Whether this transaction swept expired rows.
    var hasSwept = false

    /// The file of a transaction.
    struct Origin: Sendable {
        /// Its path.
        let file: String
        /// Distinguishes it from other files that were at the same path.
        var generation: Int64 = 0
    }

    /// - Throws: ``StaleKeys`` if the keys of the store are not those of `ring` any more.
    init(_ db: Database, ring: KeyRing, origin: Origin) throws {
        try StoredKeys.check(db, store: ring.store, generation: ring.generation)
        self.db = db
        self.ring = ring
        index = TermIndex(ring.index)
        self.origin = origin
    }

    var file: String { origin.file }

    /// Stores the running number; the last act of a transaction.
    func finish() throws {
        if let number { try StoredKeys.setMeta(.counter, to: number, in: db) }
    }

    func run<R>(_ kind: StoreError.Kind, work: () throws -> R) throws(StoreError) -> R {
        try StoreError.catching(kind, file: file, work: work)
    }
}

// MARK: - Rows

extension RowTransaction {
    /// The payload of the row with this identity; `nil` also for one that cannot be opened.
    package func payload(ofKind kind: Int, identity: String) throws(StoreError) -> Data? {
        try run(.unreadable) {
            let statement = try db.cachedStatement(sql: "SELECT id, key_id, sealed FROM record WHERE id = ?")
            guard let row = try Row.fetchOne(statement, arguments: [index(identity)]) else { return nil }
            return try open(row, kind: kind)
        }
    }

    /// A number that differs from the last one if the row was saved in between, even unchanged; `nil` if there is no
    /// such row.
    package func changeNumber(of identity: String) throws(StoreError) -> Int64? {
        try run(.unreadable) {
            let statement = try db.cachedStatement(sql: "SELECT modified FROM record WHERE id = ?")
            return try Int64.fetchOne(statement, arguments: [index(identity)])
        }
    }

    /// The version of the rows of this account; for `nil`, of those that belong to none. Reads an index, and opens
    /// nothing.
    package func version(ofAccount account: String?) throws(StoreError) -> RowVersion {
        try run(.unreadable) {
            let statement = try db.cachedStatement(
                sql: """
                    SELECT ifnull(sum(modified & 0xFFFFFFFFFF), 0), count(*) FROM record INDEXED BY record_ix
                    WHERE account_ix IS ?
                    """
            )
            guard let row = try Row.fetchOne(statement, arguments: [account.map { index($0) }]) else {
                preconditionFailure("An aggregate has one row.")
            }
            var hasher = Hasher()
            hasher.combine(ring.store)
            hasher.combine(origin.generation)
            // SQLite makes a number of whatever damage left in a column.
            return RowVersion(
                store: hasher.finalize(),
                sum: try row.decode(atIndex: 0),
                count: try row.decode(atIndex: 1)
            )
        }
    }

    /// Those of these accounts of which a row fits. Looks at index terms alone, and opens nothing.
    package func accounts(_ accounts: [String], having presence: RowPresence) throws(StoreError) -> Set<String> {
        try run(.unreadable) {
            guard accounts.count > Self.fewAccounts else {
                return Set(try accounts.filter { try has(presence, account: $0) })
            }
            let condition = presence.condition(index)
            let statement = try db.cachedStatement(
                sql: "SELECT account_ix FROM record INDEXED BY record_kind_ix WHERE " + condition.sql
            )
            var present: Set<Data> = []
            let rows = try Row.fetchCursor(statement, arguments: condition.arguments)
            while let row = try rows.next() {
                if let account = try? row.decode(Data?.self, atIndex: 0) { present.insert(account) }
            }
            // Each text comes once, so none is worth remembering.
            return Set(accounts.filter { present.contains(ring.index($0)) })
        }
    }

    /// For up to so many accounts a look at each costs less than a walk over the rows of all of them.
    private static let fewAccounts = 16

    private func has(_ presence: RowPresence, account: String) throws -> Bool {
        let condition = presence.condition(index)
        let statement = try db.cachedStatement(
            sql: "SELECT 1 FROM record INDEXED BY record_ix WHERE \(condition.sql) AND account_ix = ? LIMIT 1"
        )
        return try Int.fetchOne(statement, arguments: condition.arguments + [index(account)]) != nil
    }

    /// The payloads of all rows that the query finds. Those of one account come in the order of their change, the last
    /// one first.
    package func payloads(_ query: RowQuery) throws(StoreError) -> [Data] {
        try run(.unreadable) {
            let condition = query.condition(index)
            let statement = try db.cachedStatement(
                sql: "SELECT id, key_id, sealed, modified FROM record " + condition.sql
            )
            var payloads: [(payload: Data, number: Int64)] = []
            let rows = try Row.fetchCursor(statement, arguments: condition.arguments)
            while let row = try rows.next() {
                // A row that cannot be read stays where it is and is not served.
                guard let payload = try open(row, kind: query.kind) else { continue }
                payloads.append((payload, (try? row.decode(Int64.self, atIndex: 3)) ?? 0))
            }
            // There are few of one account. SQLite would copy each into a table of its own to order them.
            if query.account != nil, payloads.count > 1 { payloads.sort { $0.number > $1.number } }
            return payloads.map(\.payload)
        }
    }

    /// Inserts the row, or replaces the one of the same identity.
    package func save(_ row: PlainRow) throws(StoreError) {
        try run(.unwritable) {
            let terms = row.terms
            let id = index(row.identity)
            let payload = try ring.seal(row.payload, in: .record, row: id, kind: row.kind)
            try db.cachedStatement(sql: Self.insertion(of: row)).execute(arguments: [
                id, row.kind, terms.account.map { index($0) }, terms.client.map { index($0) },
                terms.environment.map { index($0) }, terms.realm.map { index($0) }, terms.family.map { index($0) },
                terms.name.map { index($0) }, row.expiresOn?.seconds, row.cachedAt?.seconds, try nextNumber(),
                payload.keyID, payload.sealed,
            ])
            guard !terms.scopes.isEmpty, let account = terms.account, let client = terms.client,
                let realm = terms.realm
            else { return }
            let statement = try db.cachedStatement(
                sql: "INSERT OR IGNORE INTO record_scope(scope_ix, realm_ix, id) VALUES (?, ?, ?)"
            )
            let realmIndex = index(realm)
            for scope in terms.scopes {
                try statement.execute(arguments: [index(account, client, scope), realmIndex, id])
            }
        }
    }

    /// Deletes the row with this identity, if it exists.
    package func delete(_ identity: String) throws(StoreError) {
        try run(.unwritable) {
            try db.cachedStatement(sql: "DELETE FROM record WHERE id = ?").execute(arguments: [index(identity)])
        }
    }

    /// Deletes every row and extra item.
    package func deleteAll() throws(StoreError) {
        try run(.unwritable) { try db.execute(sql: "DELETE FROM record_scope; DELETE FROM record; DELETE FROM extra") }
    }

    /// Notes that an opened payload makes no sense, and logs that once.
    package func noteUnreadable() {
        ring.health.reportUnreadable(in: file)
    }

    /// An older row of the same identity has the same terms, but for its name. So only the indexes change that the row
    /// says it replaces.
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

    /// A new number for a row that is sealed now.
    @discardableResult
    private func nextNumber() throws -> Int64 {
        let next = try (number ?? StoredKeys.counter(db)) + 1
        number = next
        return next
    }

    /// The payload of a row that begins with the columns `id`, `key_id` and `sealed`.
    private func open(_ row: Row, kind: Int) throws -> Data? {
        if case .plain(let payload) = ring.open(leading: row, in: .record, kind: kind) { return payload }
        try judgeUnreadable()
        return nil
    }

    /// Judges a row that could not be opened. If no row from before this transaction can be opened, the key is wrong.
    /// Then nothing may be concluded from a missing row.
    private func judgeUnreadable() throws {
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
                if case .plain = ring.open(row, in: .record, kind: kind) { isRight = true }
            }
            guard isRight else {
                throw StoreError(
                    .keyUnavailable,
                    message: """
                        No row of the token store \(file) can be opened with its key (in \(ring.provider.words)): the key \
                        or the file was exchanged. Nothing was changed. Restore the one that fits; to sign in anew \
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
            let rows = try Row.fetchCursor(db.cachedStatement(sql: "SELECT id, key_id, sealed FROM extra"))
            var payloads: [Data] = []
            while let row = try rows.next() {
                if case .plain(let payload) = ring.open(row, in: .extra) {
                    payloads.append(payload)
                } else {
                    try judgeUnreadable()
                }
            }
            return payloads
        }
    }

    /// Inserts the item, or replaces the one of the same identity.
    package func saveExtra(_ item: PlainExtra) throws(StoreError) {
        try run(.unwritable) {
            let id = index(item.identity)
            let payload = try ring.seal(item.payload, in: .extra, row: id)
            try nextNumber()
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO extra(id, key_id, sealed) VALUES (?, ?, ?)")
                .execute(arguments: [id, payload.keyID, payload.sealed])
        }
    }

    /// Deletes the item with this identity, if it exists.
    package func deleteExtra(_ identity: String) throws(StoreError) {
        try run(.unwritable) {
            try db.cachedStatement(sql: "DELETE FROM extra WHERE id = ?").execute(arguments: [index(identity)])
        }
    }

    /// The lease of this name, whether or not it is over.
    package func lease(_ name: String) throws(StoreError) -> LeaseNote? {
        try run(.unreadable) {
            let statement = try db.cachedStatement(sql: "SELECT holder, until FROM lease WHERE id = ?")
            // A lease is advisory, so a damaged one stops nobody.
            guard let row = try Row.fetchOne(statement, arguments: [index(name)]),
                let holder = try? row.decode(String.self, forColumn: "holder"),
                let until = try? row.decode(Int64.self, forColumn: "until")
            else { return nil }
            return LeaseNote(holder: holder, until: Date(timeIntervalSince1970: TimeInterval(until)))
        }
    }

    /// Inserts the lease, or replaces the one of the same name.
    package func saveLease(_ lease: LeaseNote, as name: String) throws(StoreError) {
        try run(.unwritable) {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO lease(id, holder, until) VALUES (?, ?, ?)")
                .execute(arguments: [index(name), lease.holder, lease.until.seconds])
        }
    }

    /// Deletes the lease of this name, if it exists.
    package func deleteLease(_ name: String) throws(StoreError) {
        try run(.unwritable) {
            try db.cachedStatement(sql: "DELETE FROM lease WHERE id = ?").execute(arguments: [index(name)])
        }
    }
}
