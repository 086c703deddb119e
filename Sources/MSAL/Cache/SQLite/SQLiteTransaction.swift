// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import GRDB

/// One transaction on a connection of a SQLite store.
///
/// Identities are looked up by SHA-256 cut to 16 bytes. Without encryption this is an index and no protection: the
/// payload beside it is plain.
struct SQLiteTransaction: TokenStoreWriting {
    let db: Database
    let file: String

    func record(_ identity: RecordIdentity) throws(StoreError) -> CacheRecord? {
        try run(.unreadable) {
            let statement = try db.cachedStatement(sql: "SELECT sealed FROM record WHERE id = ?")
            let sealed = try Data.fetchOne(statement, arguments: [Self.index(identity.text)])
            return sealed.flatMap(RecordMembers.init(parsing:)).flatMap { CacheRecord(kind: identity.kind, $0) }
        }
    }

    func records(_ filter: RecordFilter) throws(StoreError) -> [CacheRecord] {
        try run(.unreadable) {
            let (condition, arguments) = Self.condition(for: filter)
            let statement = try db.cachedStatement(sql: "SELECT sealed FROM record " + condition)
            var found: [CacheRecord] = []
            let rows = try Data.fetchCursor(statement, arguments: arguments)
            while let sealed = try rows.next() {
                // A row that cannot be read stays where it is and is not served (R20).
                guard let members = RecordMembers(parsing: sealed),
                    let record = CacheRecord(kind: filter.kind, members),
                    filter.matches(record)
                else { continue }
                found.append(record)
            }
            return found
        }
    }

    func save(_ record: CacheRecord) throws(StoreError) {
        try run(.unwritable) {
            let id = Self.index(record.identity.text)
            let keys = record.keys
            try delete(id)
            try db.cachedStatement(
                sql: """
                    INSERT INTO record(id, kind, account_ix, client_ix, env_ix, realm_ix, family_ix,
                        expires_on, cached_at, modified, key_id, sealed)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?)
                    """
            ).execute(arguments: [
                id, record.kind.rawValue,
                keys.homeAccountID.map(Self.index), keys.clientID.map(Self.index),
                keys.environment.map(Self.index), keys.realm.map(Self.index), keys.familyID.map(Self.index),
                record.accessToken?.finalExpiry.seconds, record.accessToken?.cachedAt.seconds,
                record.lastModified?.seconds, record.recordMembers.data,
            ])
            guard let token = record.accessToken else { return }
            for scope in token.target.scopeKeys {
                try db.cachedStatement(sql: "INSERT INTO record_scope(scope_ix, id) VALUES (?, ?)").execute(
                    arguments: [Self.scopeIndex(scope, account: token.homeAccountID, client: token.clientID), id]
                )
            }
        }
    }

    func delete(_ identity: RecordIdentity) throws(StoreError) {
        try run(.unwritable) { try delete(Self.index(identity.text)) }
    }

    func extras() throws(StoreError) -> [ExtraItem] {
        try run(.unreadable) {
            try Data.fetchAll(db.cachedStatement(sql: "SELECT sealed FROM extra")).compactMap { sealed in
                guard let members = JSONValue(parsing: sealed)?.object, let section = members["section"]?.string,
                    let name = members["name"]?.string, let value = members["value"]
                else { return nil }
                return ExtraItem(section: section, name: name, value: value)
            }.sorted { ($0.section, $0.name) < ($1.section, $1.name) }
        }
    }

    func saveExtra(_ item: ExtraItem) throws(StoreError) {
        try run(.unwritable) {
            let text = JSONValue.object([
                "section": .string(item.section), "name": .string(item.name), "value": item.value,
            ]).text
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO extra(id, key_id, sealed) VALUES (?, NULL, ?)")
                .execute(arguments: [Self.index(item.section + "\u{1F}" + item.name), Data(text.utf8)])
        }
    }

    func deleteExtra(section: String, name: String) throws(StoreError) {
        try run(.unwritable) {
            try db.cachedStatement(sql: "DELETE FROM extra WHERE id = ?")
                .execute(arguments: [Self.index(section + "\u{1F}" + name)])
        }
    }

    func lease(_ name: String) throws(StoreError) -> RefreshLease? {
        try run(.unreadable) {
            let statement = try db.cachedStatement(sql: "SELECT holder, until FROM lease WHERE id = ?")
            guard let row = try Row.fetchOne(statement, arguments: [Self.index(name)]) else { return nil }
            let until: Int64 = row["until"]
            return RefreshLease(
                name: name,
                holder: row["holder"],
                until: Date(timeIntervalSince1970: TimeInterval(until))
            )
        }
    }

    func saveLease(_ lease: RefreshLease) throws(StoreError) {
        try run(.unwritable) {
            try db.cachedStatement(sql: "INSERT OR REPLACE INTO lease(id, holder, until) VALUES (?, ?, ?)")
                .execute(arguments: [Self.index(lease.name), lease.holder, lease.until.seconds])
        }
    }

    func deleteLease(_ name: String) throws(StoreError) {
        try run(.unwritable) {
            try db.cachedStatement(sql: "DELETE FROM lease WHERE id = ?").execute(arguments: [Self.index(name)])
        }
    }

    func purgeAccessTokens(expiredBefore date: Date) throws(StoreError) {
        try run(.unwritable) {
            let last = try Int64.fetchOne(db.cachedStatement(sql: "SELECT v FROM meta WHERE k = 'purged'"))
            let now = date.seconds
            // A note from the future is one of a wrong clock.
            if let last, last <= now, now - last < 3600 { return }
            try db.execute(sql: "INSERT OR REPLACE INTO meta(k, v) VALUES ('purged', ?)", arguments: [now])
            try db.execute(
                sql: "DELETE FROM record WHERE kind = ? AND expires_on < ?",
                arguments: [RecordKind.accessToken.rawValue, now]
            )
        }
    }

    func deleteAll() throws(StoreError) {
        try run(.unwritable) { try db.execute(sql: "DELETE FROM record_scope; DELETE FROM record; DELETE FROM extra") }
    }

    private func delete(_ id: Data) throws {
        try db.cachedStatement(sql: "DELETE FROM record WHERE id = ?").execute(arguments: [id])
    }

    private func run<R>(_ kind: StoreError.Kind, _ work: () throws -> R) throws(StoreError) -> R {
        do {
            return try work()
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(error, file: file, fallback: kind)
        }
    }
}

extension SQLiteTransaction {
    /// Narrows to few rows by the indexes; ``RecordFilter/matches(_:)`` decides on each of them.
    private static func condition(for filter: RecordFilter) -> (sql: String, arguments: StatementArguments) {
        if let account = filter.homeAccountID, let client = filter.clientID, let scopes = filter.scopes {
            switch scopes {
            case .containing(let wanted):
                // One scope is selective enough: those of one account and client hardly overlap.
                if let scope = wanted.min() { return inScopes([scope], account: account, client: client) }
            case .sharing(let wanted):
                return inScopes(wanted.sorted(), account: account, client: client)
            }
        }
        var terms = ["kind = ?"]
        var arguments: StatementArguments = [filter.kind.rawValue]
        for (column, key) in [
            ("account_ix", filter.homeAccountID), ("client_ix", filter.clientID), ("family_ix", filter.familyID),
        ] {
            guard let key else { continue }
            terms.append(column + " = ?")
            arguments += [index(key)]
        }
        // Accounts belong to no client; saying so lets the index skip the account's tokens.
        if filter.kind == .account { terms.append("client_ix IS NULL") }
        let name = filter.homeAccountID == nil ? "record_kind_ix" : "record_ix"
        return ("INDEXED BY \(name) WHERE " + terms.joined(separator: " AND "), arguments)
    }

    private static func inScopes(
        _ scopes: [String],
        account: String,
        client: String
    ) -> (sql: String, arguments: StatementArguments) {
        let places = Array(repeating: "?", count: scopes.count).joined(separator: ", ")
        return (
            "WHERE id IN (SELECT id FROM record_scope WHERE scope_ix IN (\(places)))",
            StatementArguments(scopes.map { scopeIndex($0, account: account, client: client) })
        )
    }

    /// The scope together with account and client: tokens of other people never have to be looked at.
    private static func scopeIndex(_ scope: String, account: String, client: String) -> Data {
        index([account, client, scope].joined(separator: "\u{1F}"))
    }

    private static func index(_ text: String) -> Data {
        Data(SHA256.hash(data: Data(text.utf8)).prefix(16))
    }
}

extension CacheRecord {
    fileprivate var accessToken: AccessTokenRecord? {
        if case .accessToken(let token) = self { token } else { nil }
    }

    fileprivate var lastModified: Date? {
        switch self {
        case .accessToken(let record): record.lastModified
        case .refreshToken(let record): record.lastModified
        case .idToken(let record): record.lastModified
        case .account(let record): record.lastModified
        case .appMetadata, .accountMetadata: nil
        }
    }
}

extension Date {
    /// Whole seconds since 1970; what no column can hold becomes the nearest number that fits.
    fileprivate var seconds: Int64 {
        let seconds = timeIntervalSince1970.rounded(.down)
        return Int64(exactly: seconds) ?? (seconds > 0 ? .max : .min)
    }
}
