// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// Users and their consents.
extension EmulatorStore {
    /// All users, sorted by name.
    func users() async throws -> [User] {
        try read { db in try db.allJSON("SELECT json FROM user ORDER BY name") }.map(Self.decode)
    }

    /// The user with a user principal name, regardless of case.
    func user(named name: String) async throws -> User? {
        try read { db in try db.json("SELECT json FROM user WHERE name = ?", with: [name.lowercased()]) }
            .map(decoded.user)
    }

    /// The user with an object ID in the home tenant.
    func user(id: String) async throws -> User? {
        try read { db in try db.json("SELECT json FROM user WHERE id = ?", with: [id]) }.map(decoded.user)
    }

    /// The user with an object ID in a tenant, as a member or as a guest.
    func user(objectID: String, in tenantID: String) async throws -> User? {
        let sql = """
            SELECT user.json FROM object_id JOIN user ON user.id = object_id.user
            WHERE object_id.tenant = ? AND object_id.id = ?
            """
        return try read { db in try db.json(sql, with: [tenantID, objectID]) }.map(decoded.user)
    }

    /// Ends all sign-ins of the user with a name: sessions, refresh tokens, and access tokens. Returns whether the user
    /// exists.
    func endSignIns(of name: String, at now: Date) async throws -> Bool {
        guard var user = try await user(named: name) else { return false }
        user.endSignIns(at: now)
        try await save(user)
        try await revokeSignIns(userID: user.id)
        return true
    }

    /// Adds a user, or replaces the one with the same ID.
    func save(_ user: User) async throws { try write { db in try Self.insert(user, in: db) } }

    /// Writes a user, and replaces the one with the same ID.
    static func insert(_ user: User, in db: Database) throws {
        try db.run(
            """
            INSERT INTO user (id, name, json) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, json = excluded.json
            """,
            with: [user.id, user.userPrincipalName.lowercased(), try encode(user)]
        )
        try db.run("DELETE FROM object_id WHERE user = ?", with: [user.id])
        for (tenant, objectID) in user.guestObjectIDs.merging([user.homeTenantID: user.id], uniquingKeysWith: { $1 }) {
            try db.run("INSERT INTO object_id (tenant, id, user) VALUES (?, ?, ?)", with: [tenant, objectID, user.id])
        }
    }

    /// The permissions that the user has granted to the client for one API.
    func consents(userID: String, clientID: String, audience: String) async throws -> Set<String> {
        let sql = "SELECT scope FROM consent WHERE user = ? AND client = ? AND audience IN (?, '')"
        return try read { db in
            try String.fetchSet(db.cachedStatement(sql: sql), arguments: [userID, clientID.lowercased(), audience])
        }
    }

    /// Records consent; OpenID Connect scopes apply to every API.
    func recordConsent(userID: String, clientID: String, scopes: RequestedScopes) async throws {
        try write { db in
            let rows =
                scopes.parts.flatMap { part in part.permissions.map { (part.audience, $0) } }
                + scopes.openID.map { ("", $0) }
            for (audience, scope) in rows {
                try db.run(
                    "INSERT OR IGNORE INTO consent (user, client, audience, scope) VALUES (?, ?, ?, ?)",
                    with: [userID, clientID.lowercased(), audience, scope]
                )
            }
        }
    }
}
