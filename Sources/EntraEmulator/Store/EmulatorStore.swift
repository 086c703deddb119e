// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// What the emulator remembers: people, consents, browser sessions, codes, refresh tokens and revocations.
///
/// One schema serves both modes: an in-memory database, or a file that survives a restart (`--data`). Secrets are
/// stored as digests.
struct EmulatorStore: Sendable {
    private let database: DatabaseQueue

    /// Opens the store.
    ///
    /// `folder`: Where the database file is; `nil` keeps everything in memory.
    /// `users`: Who is stored if the store knows nobody yet.
    /// - Throws: `StateDirectory.Failure` for a file that cannot be used; its text says what to do.
    init(in folder: StateDirectory?, users: [User]) throws {
        database = try Self.opened(in: folder)
        try database.write { db in
            guard try Int.fetchOne(db, sql: "SELECT count(*) FROM user") == 0 else { return }
            for user in users { try Self.insert(user, in: db) }
        }
    }

    /// Closes the file; later calls fail.
    func close() throws {
        try database.close()
    }

    // MARK: People

    /// Everybody, in the order of their names.
    func users() async throws -> [User] {
        try await database.read { db in
            try Data.fetchAll(db, sql: "SELECT json FROM user ORDER BY name").map(Self.decode)
        }
    }

    /// The person with that user principal name; letter case does not matter.
    func user(named name: String) async throws -> User? {
        try await database.read { db in
            try Data.fetchOne(db, sql: "SELECT json FROM user WHERE name = ?", arguments: [name.lowercased()])
                .map(Self.decode)
        }
    }

    /// The person with that object id of the home tenant.
    func user(id: String) async throws -> User? {
        try await database.read { db in
            try Data.fetchOne(db, sql: "SELECT json FROM user WHERE id = ?", arguments: [id]).map(Self.decode)
        }
    }

    /// Adds a person, or replaces the one with the same id.
    func save(_ user: User) async throws {
        try await database.write { db in try Self.insert(user, in: db) }
    }

    /// Removes a person; what was issued to them stays and is refused.
    func removeUser(id: String) async throws {
        try await database.write { db in
            try db.execute(sql: "DELETE FROM user WHERE id = ?", arguments: [id])
        }
    }

    // MARK: Consent

    /// The permissions the person has given the client for one API.
    func consents(userID: String, clientID: String, audience: String) async throws -> Set<String> {
        try await database.read { db in
            try Set(
                String.fetchAll(
                    db,
                    sql: "SELECT scope FROM consent WHERE user = ? AND client = ? AND audience IN (?, '')",
                    arguments: [userID, clientID.lowercased(), audience]
                )
            )
        }
    }

    /// Remembers consent; OpenID Connect scopes count for every API.
    func recordConsent(userID: String, clientID: String, scopes: RequestedScopes) async throws {
        try await database.write { db in
            let rows = scopes.permissions.map { (scopes.audience, $0) } + scopes.openID.map { ("", $0) }
            for (audience, scope) in rows {
                try db.execute(
                    sql: "INSERT OR IGNORE INTO consent (user, client, audience, scope) VALUES (?, ?, ?, ?)",
                    arguments: [userID, clientID.lowercased(), audience, scope]
                )
            }
        }
    }

    // MARK: Browser sessions

    /// Who is signed in under any of the cookies, unexpired, the latest sign-in first.
    func sessions(cookies: [Secret], now: Date) async throws -> [BrowserSession] {
        let digests = cookies.map(\.digest)
        guard !digests.isEmpty else { return [] }
        return try await database.read { db in
            let marks = databaseQuestionMarks(count: digests.count)
            let all: [BrowserSession] = try Data.fetchAll(
                db,
                sql: "SELECT json FROM session WHERE cookie IN (\(marks)) ORDER BY user",
                arguments: StatementArguments(digests)
            ).map(Self.decode)
            var seen: Set<String> = []
            return all.filter { $0.expiresAt > now }
                .sorted { $0.authenticatedAt > $1.authenticatedAt }
                .filter { seen.insert($0.userID).inserted }
        }
    }

    /// Signs the person in to the browser that holds the cookie.
    func save(_ session: BrowserSession, cookie: Secret) async throws {
        try await database.write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO session (cookie, user, json) VALUES (?, ?, ?)",
                arguments: [cookie.digest, session.userID, try Self.encode(session)]
            )
        }
    }

    /// Signs one person, or everybody, out of the browser that holds the cookies.
    func removeSessions(cookies: [Secret], userID: String? = nil) async throws {
        try await database.write { db in
            for cookie in cookies {
                try db.execute(
                    sql: "DELETE FROM session WHERE cookie = ? AND (? IS NULL OR user = ?)",
                    arguments: [cookie.digest, userID, userID]
                )
            }
        }
    }

    // MARK: Codes

    /// Keeps a code until it is redeemed.
    func save(_ code: AuthorizationCode, as secret: Secret) async throws {
        try await database.write { db in
            try db.execute(
                sql: "INSERT INTO code (digest, spent, json) VALUES (?, 0, ?)",
                arguments: [secret.digest, try Self.encode(code)]
            )
        }
    }

    /// What became of a code that was presented.
    enum Redemption: Sendable {
        case first(AuthorizationCode)
        /// It had been presented before. What it gave is now revoked, RFC 6749 §4.1.2.
        case again
        case unknown
    }

    /// Presents a code on behalf of a client. In one transaction it is marked as spent, or its family is revoked.
    ///
    /// A code of another client counts as unknown and stays as it was.
    func redeem(_ secret: Secret, clientID: String) async throws -> Redemption {
        try await database.write { db in
            guard
                let row = try Row.fetchOne(
                    db,
                    sql: "SELECT spent, json FROM code WHERE digest = ?",
                    arguments: [secret.digest]
                )
            else { return .unknown }
            let code: AuthorizationCode = try Self.decode(row["json"])
            guard code.entitlement.clientID.lowercased() == clientID.lowercased() else { return .unknown }
            if row["spent"] == 1 {
                try Self.revoke(code.entitlement.family, in: db)
                return .again
            }
            try db.execute(sql: "UPDATE code SET spent = 1 WHERE digest = ?", arguments: [secret.digest])
            return .first(code)
        }
    }

    // MARK: Refresh tokens and revocation

    /// Keeps a refresh token.
    func save(_ token: RefreshToken, as secret: Secret) async throws {
        try await database.write { db in
            try db.execute(
                sql: "INSERT INTO refresh_token (digest, used, json) VALUES (?, 0, ?)",
                arguments: [secret.digest, try Self.encode(token)]
            )
        }
    }

    /// A refresh token, if it exists; whose it is, is for the grant to check.
    func refreshToken(_ secret: Secret) async throws -> RefreshToken? {
        try await database.read { db in
            guard
                let row = try Row.fetchOne(
                    db,
                    sql: "SELECT json FROM refresh_token WHERE digest = ?",
                    arguments: [secret.digest]
                )
            else { return nil }
            return try Self.decode(row["json"])
        }
    }

    /// Marks a refresh token as used; who comes second ends its whole family (decision E1).
    func spend(_ secret: Secret, family: String) async throws {
        try await database.write { db in
            try db.execute(
                sql: "UPDATE refresh_token SET used = 1 WHERE digest = ? AND used = 0",
                arguments: [secret.digest]
            )
            if db.changesCount == 0 { try Self.revoke(family, in: db) }
        }
    }

    /// Ends every token of a sign-in.
    func revoke(family: String) async throws {
        try await database.write { db in try Self.revoke(family, in: db) }
    }

    /// Whether the tokens of a sign-in have been ended.
    func isRevoked(family: String) async throws -> Bool {
        try await database.read { db in
            try Bool.fetchOne(db, sql: "SELECT 1 FROM revoked WHERE family = ?", arguments: [family]) ?? false
        }
    }

    /// Forgets everything and stores these people instead.
    func reset(users: [User]) async throws {
        try await database.write { db in
            for table in ["user", "consent", "session", "code", "refresh_token", "revoked"] {
                try db.execute(sql: "DELETE FROM \(table)")
            }
            for user in users { try Self.insert(user, in: db) }
        }
    }

    // MARK: Rows

    private static func insert(_ user: User, in db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO user (id, name, json) VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET name = excluded.name, json = excluded.json
                """,
            arguments: [user.id, user.userPrincipalName.lowercased(), try encode(user)]
        )
    }

    private static func revoke(_ family: String, in db: Database) throws {
        try db.execute(sql: "INSERT OR IGNORE INTO revoked (family) VALUES (?)", arguments: [family])
    }

    private static func encode(_ value: some Encodable) throws -> Data {
        try JSONEncoder().encode(value)
    }

    private static func decode<Value: Decodable>(_ json: Data) throws -> Value {
        try JSONDecoder().decode(Value.self, from: json)
    }
}
