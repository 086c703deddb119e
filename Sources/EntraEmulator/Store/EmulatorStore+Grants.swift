// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import MSALBase

/// Codes, refresh tokens, and revoked sign-ins.
extension EmulatorStore {
    /// Stores a code until it is redeemed.
    func save(_ code: AuthorizationCode, as secret: Secret) async throws {
        try write { db in
            try db.run(
                "INSERT INTO code (digest, spent, json) VALUES (?, 0, ?)",
                with: [secret.digest, try Self.encode(code)]
            )
            try Self.keepNewest(of: "code", in: db)
        }
    }

    /// The result of presenting a code.
    enum Redemption: Sendable {
        case first(AuthorizationCode)
        /// The code was presented before. Its tokens are revoked now (RFC 6749 §4.1.2).
        case alreadyRedeemed
        /// There is no such code, or it belongs to another client.
        case unknown
    }

    /// Presents a code on behalf of a client. One transaction marks it as used, or revokes its family.
    ///
    /// A code that another client presents is also marked as used: it has leaked, so its owner must not use it anymore
    /// (RFC 9700 §4.5).
    func redeem(_ secret: Secret, clientID: String) async throws -> Redemption {
        try write { db in
            guard let row = try db.row("SELECT spent, json FROM code WHERE digest = ?", with: [secret.digest]) else {
                return .unknown
            }
            let code: AuthorizationCode = try Self.decode(row["json"])
            let isOwn = code.entitlement.clientID.lowercased() == clientID.lowercased()
            if row["spent"] == 1 {
                try Self.revoke(code.entitlement.family, in: db)
                return isOwn ? .alreadyRedeemed : .unknown
            }
            try db.run("UPDATE code SET spent = 1 WHERE digest = ?", with: [secret.digest])
            return isOwn ? .first(code) : .unknown
        }
    }

    /// Stores a refresh token.
    func save(_ token: RefreshToken, as secret: Secret) async throws {
        let family = token.entitlement.family
        try write { db in
            let age = try Self.nextAge(in: family, db)
            try db.run(
                "INSERT INTO refresh_token (digest, used, family, age, json) VALUES (?, 0, ?, ?, ?)",
                with: [secret.digest, family, age, try Self.encode(token)]
            )
            try db.run(
                "DELETE FROM refresh_token WHERE family = ? AND age <= ?",
                with: [family, age - Self.tokensOfFamily]
            )
        }
    }

    /// A refresh token, if it exists. The grant checks its owner.
    func refreshToken(_ secret: Secret) async throws -> RefreshToken? {
        let digest = secret.digest
        let row = try read { db in
            try db.row("SELECT json, family, age FROM refresh_token WHERE digest = ?", with: [digest])
        }
        guard let row else { return nil }
        let family: String = row["family"]
        try change { db in
            let age = try Self.nextAge(in: family, db)
            // The token is in use, so it must be kept; recording each use would be more expensive than the whole
            // lookup.
            guard age - row["age"] > Self.tokensOfFamily / 2 else { return }
            try db.run("UPDATE refresh_token SET age = ? WHERE digest = ?", with: [age, digest])
        }
        return try Self.decode(row["json"])
    }

    /// The maximum number of refresh tokens per sign-in. The least recently used one is removed first. Without a limit,
    /// a client that refreshes for days would exhaust the memory.
    private static let tokensOfFamily = 100

    /// The position of the next issued or used token among those of its sign-in.
    private static func nextAge(in family: String, _ db: Database) throws -> Int {
        (try db.value("SELECT max(age) FROM refresh_token WHERE family = ?", with: [family]) ?? 0) + 1
    }

    /// Marks a refresh token as used; the second use revokes its whole family (docs/reference/Decisions.md#rotation).
    func markRedeemed(_ secret: Secret, family: String) async throws {
        try write { db in
            try db.run("UPDATE refresh_token SET used = 1 WHERE digest = ? AND used = 0", with: [secret.digest])
            if db.changesCount == 0 { try Self.revoke(family, in: db) }
        }
    }

    /// Revokes all sign-ins of a user that issued a code or a refresh token.
    func revokeSignIns(userID: String) async throws {
        try write { db in
            for table in ["code", "refresh_token"] {
                try db.run(
                    """
                    INSERT OR IGNORE INTO revoked (family)
                    SELECT json_extract(CAST(json AS TEXT), '$.entitlement.family') FROM \(table)
                    WHERE json_extract(CAST(json AS TEXT), '$.entitlement.userID') = ?
                    """,
                    with: [userID]
                )
            }
        }
    }

    /// Whether a sign-in was revoked.
    func isRevoked(family: String) async throws -> Bool {
        try read { db in try db.value("SELECT 1 FROM revoked WHERE family = ?", with: [family]) } ?? false
    }

    /// Removes the oldest codes or sessions, because each sign-in adds one.
    static func keepNewest(of table: String, in db: Database) throws {
        try db.run("DELETE FROM \(table) WHERE rowid <= ?", with: [db.lastInsertedRowID - rowsOfTable])
    }

    private static let rowsOfTable: Int64 = 20_000

    private static func revoke(_ family: String, in db: Database) throws {
        try db.run("INSERT OR IGNORE INTO revoked (family) VALUES (?)", with: [family])
    }
}
