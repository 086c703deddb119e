// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// Codes, refresh tokens, and the sign-ins that were ended.
extension EmulatorStore {
    /// Keeps a code until it is redeemed.
    func save(_ code: AuthorizationCode, as secret: Secret) async throws {
        try await database.write { db in
            try db.execute(
                sql: "INSERT INTO code (digest, spent, json) VALUES (?, 0, ?)",
                arguments: [secret.digest, try Self.encode(code)]
            )
        }
    }

    /// The result of presenting a code.
    enum Redemption: Sendable {
        case first(AuthorizationCode)
        /// It had been presented before. The tokens that it gave are revoked now (RFC 6749 §4.1.2).
        case again
        /// There is no such code, or it is another client's.
        case unknown
    }

    /// Presents a code on behalf of a client. In one transaction it is marked as spent, or its family is revoked.
    ///
    /// A code that another client presents is spent, too: it has leaked, so its owner must not use it any more
    /// (RFC 9700 §4.5).
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
            let isOwn = code.entitlement.clientID.lowercased() == clientID.lowercased()
            if row["spent"] == 1 {
                try Self.revoke(code.entitlement.family, in: db)
                return isOwn ? .again : .unknown
            }
            try db.execute(sql: "UPDATE code SET spent = 1 WHERE digest = ?", arguments: [secret.digest])
            return isOwn ? .first(code) : .unknown
        }
    }

    /// Keeps a refresh token.
    func save(_ token: RefreshToken, as secret: Secret) async throws {
        try await database.write { db in
            try db.execute(
                sql: "INSERT INTO refresh_token (digest, used, json) VALUES (?, 0, ?)",
                arguments: [secret.digest, try Self.encode(token)]
            )
        }
    }

    /// A refresh token, if it exists. The grant checks its owner.
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

    /// Marks a refresh token as used; the second use ends its whole family (docs/reference/Decisions.md#rotation).
    func spend(_ secret: Secret, family: String) async throws {
        try await database.write { db in
            try db.execute(
                sql: "UPDATE refresh_token SET used = 1 WHERE digest = ? AND used = 0",
                arguments: [secret.digest]
            )
            if db.changesCount == 0 { try Self.revoke(family, in: db) }
        }
    }

    /// Ends every sign-in of a user that gave a code or a refresh token.
    func revokeSignIns(userID: String) async throws {
        try await database.write { db in
            for table in ["code", "refresh_token"] {
                try db.execute(
                    sql: """
                        INSERT OR IGNORE INTO revoked (family)
                        SELECT json_extract(CAST(json AS TEXT), '$.entitlement.family') FROM \(table)
                        WHERE json_extract(CAST(json AS TEXT), '$.entitlement.userID') = ?
                        """,
                    arguments: [userID]
                )
            }
        }
    }

    /// Whether the tokens of a sign-in have been ended.
    func isRevoked(family: String) async throws -> Bool {
        try await database.read { db in
            try Bool.fetchOne(db, sql: "SELECT 1 FROM revoked WHERE family = ?", arguments: [family]) ?? false
        }
    }

    private static func revoke(_ family: String, in db: Database) throws {
        try db.execute(sql: "INSERT OR IGNORE INTO revoked (family) VALUES (?)", arguments: [family])
    }
}
