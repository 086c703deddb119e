// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// One transaction on a connection of a SQLite store.
///
/// Rows are found by blind indexes and opened one by one; what fits them decides ``RecordFilter/matches(_:)``.
final class SQLiteTransaction: TokenStoreWriting {
    let db: Database
    let ring: KeyRing
    let file: String
    let cap: Int
    /// The running number of the row sealed last; `nil` until the first is.
    private(set) var number: Int64?
    /// Whether this transaction swept expired tokens out.
    private(set) var hasSwept = false

    /// - Throws: ``StaleKeys`` if the keys of the store are not those of `ring` any more.
    init(_ db: Database, _ ring: KeyRing, file: String, cap: Int) throws {
        try StoredKeys.check(db, store: ring.store, generation: ring.generation)
        self.db = db
        self.ring = ring
        self.file = file
        self.cap = cap
    }

    /// Writes down what the transaction counted; its last act.
    func finish() throws {
        if let number { try StoredKeys.setMeta(db, .counter, number) }
    }

    func record(_ identity: RecordIdentity) throws(StoreError) -> CacheRecord? {
        try run(.unreadable) {
            let statement = try db.cachedStatement(sql: "SELECT id, key_id, sealed FROM record WHERE id = ?")
            guard let row = try Row.fetchOne(statement, arguments: [ring.index(identity.text)]) else { return nil }
            return try open(row, identity.kind)
        }
    }

    func changeNumber(of identity: RecordIdentity) throws(StoreError) -> Int64? {
        try run(.unreadable) {
            let statement = try db.cachedStatement(sql: "SELECT modified FROM record WHERE id = ?")
            return try Int64.fetchOne(statement, arguments: [ring.index(identity.text)])
        }
    }

    func records(_ filter: RecordFilter) throws(StoreError) -> [CacheRecord] {
        try run(.unreadable) {
            let query = RecordQuery(filter, ring.index)
            let statement = try db.cachedStatement(sql: "SELECT id, key_id, sealed FROM record " + query.condition)
            var found: [CacheRecord] = []
            let rows = try Row.fetchCursor(statement, arguments: query.arguments)
            while let row = try rows.next() {
                // A row that cannot be read stays where it is and is not served
                // (docs/reference/Store.md#unreadable-rows).
                if let record = try open(row, filter.kind), filter.matches(record) { found.append(record) }
            }
            return found
        }
    }

    func save(_ record: CacheRecord) throws(StoreError) {
        try run(.unwritable) {
            let index = ring.index
            let id = index(record.identity.text)
            let keys = record.keys
            let payload = try ring.seal(record.recordMembers.data, .record, row: id, kind: record.kind.rawValue)
            try db.cachedStatement(sql: Self.insertion(of: record.kind)).execute(arguments: [
                id, record.kind.rawValue, keys.homeAccountID.map { index($0) }, keys.clientID.map { index($0) },
                keys.environment.map { index($0) }, keys.realm.map { index($0) }, keys.familyID.map { index($0) },
                record.accessToken?.finalExpiry.seconds, record.accessToken?.cachedAt.seconds, try nextNumber(),
                payload.keyID, payload.sealed,
            ])
            guard let token = record.accessToken else { return }
            let statement = try db.cachedStatement(
                sql: "INSERT OR IGNORE INTO record_scope(scope_ix, realm_ix, id) VALUES (?, ?, ?)"
            )
            let realm = index(token.realm)
            for scope in token.target.scopeKeys {
                let place = index(token.homeAccountID, token.clientID.normalizedKey, scope)
                try statement.execute(arguments: [place, realm, id])
            }
        }
    }

    func delete(_ identity: RecordIdentity) throws(StoreError) {
        try run(.unwritable) { try delete(ring.index(identity.text)) }
    }

    func deleteAll() throws(StoreError) {
        try run(.unwritable) { try db.execute(sql: "DELETE FROM record_scope; DELETE FROM record; DELETE FROM extra") }
    }

    func purgeAccessTokens(expiredBefore date: Date) throws(StoreError) {
        try run(.unwritable) { hasSwept = try StoreSweep(db: db, cap: cap).run(date.seconds) }
    }

    private func delete(_ id: Data) throws {
        try db.cachedStatement(sql: "DELETE FROM record WHERE id = ?").execute(arguments: [id])
    }

    /// An older row of the same identity has the same key parts, and with an access token the same scopes, so their
    /// indexes need not be touched; but a family's token names the client that saved it last.
    private static func insertion(of kind: RecordKind) -> String {
        """
        INSERT INTO record(id, kind, account_ix, client_ix, env_ix, realm_ix, family_ix,
            expires_on, cached_at, modified, key_id, sealed)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT(id) DO UPDATE SET \(kind == .refreshToken ? "client_ix = excluded.client_ix," : "")
            \(kind == .appMetadata ? "family_ix = excluded.family_ix," : "")
            \(kind == .accessToken ? "expires_on = excluded.expires_on," : "")
            cached_at = excluded.cached_at, modified = excluded.modified,
            key_id = excluded.key_id, sealed = excluded.sealed
        """
    }

    /// A new number for a row that is sealed now.
    @discardableResult
    func nextNumber() throws -> Int64 {
        let next = try (number ?? StoredKeys.counter(db)) + 1
        number = next
        return next
    }

    private func open(_ row: Row, _ kind: RecordKind) throws -> CacheRecord? {
        let opened = ring.open(row, .record, kind: kind.rawValue)
        if case .plain(let plain) = opened, let members = RecordMembers(parsing: plain),
            let record = CacheRecord(kind: kind, members)
        {
            return record
        }
        try judgeUnreadable()
        return nil
    }

    /// A row could not be opened. If none of those that were there before this transaction can be, the key is wrong,
    /// and nothing may be concluded from what is missing (docs/reference/Store.md#unreadable-rows).
    func judgeUnreadable() throws {
        if !ring.health.isKeyProven, ring.active != nil {
            // What this transaction saved is not counted yet, and proves nothing.
            let counted = try StoredKeys.meta(db, .counter, Int64.self)
            let rows = try Row.fetchCursor(
                db,
                sql: "SELECT id, kind, key_id, sealed FROM record WHERE modified <= ?",
                arguments: [counted]
            )
            var isProven = false
            while !isProven, let row = try rows.next() {
                guard let kind = try? row.decode(Int.self, forColumn: "kind") else { continue }
                if case .plain = ring.open(row, .record, kind: kind) { isProven = true }
            }
            guard isProven else {
                throw StoreError(
                    .keyUnavailable,
                    """
                    No row of the token store \(file) can be opened with its key (in \(ring.provider.words)): the key \
                    or the file was exchanged. Nothing was changed. Restore the one that fits; to sign in anew \
                    instead: msal cache clear
                    """
                )
            }
        }
        ring.health.reportUnreadable(in: file)
    }

    func run<R>(_ kind: StoreError.Kind, _ work: () throws -> R) throws(StoreError) -> R {
        do {
            return try work()
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(error, file: file, fallback: kind)
        }
    }
}

extension KeyRing {
    /// Opens a row with the columns `id`, `key_id` and `sealed`.
    ///
    /// A flipped bit in a row's header empties a column, and SQLite says nothing of it: such a row is unreadable.
    func open(_ row: Row, _ table: SealContext.Table, kind: Int = 0) -> Opened {
        do {
            let keyID = try row.decode(String?.self, forColumn: "key_id")
            let id = try row.decode(Data.self, forColumn: "id")
            return open(try row.decode(forColumn: "sealed"), keyID: keyID, table, row: id, kind: kind)
        } catch {
            return .unreadable
        }
    }
}

extension CacheRecord {
    fileprivate var accessToken: AccessTokenRecord? {
        if case .accessToken(let token) = self { token } else { nil }
    }
}

extension Date {
    /// Whole seconds since 1970; what no column can hold becomes the nearest number that fits.
    var seconds: Int64 {
        let seconds = timeIntervalSince1970.rounded(.down)
        return Int64(exactly: seconds) ?? (seconds > 0 ? .max : .min)
    }
}
