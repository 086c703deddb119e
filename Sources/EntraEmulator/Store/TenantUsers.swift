// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import Synchronization

/// The decoded users of each tenant, for searches.
///
/// Rows are read again after any change of the database, but only those with different bytes are decoded.
final class TenantUsers: Sendable {
    private struct Row: Sendable {
        let json: Data
        let user: User
    }

    private struct Known: Sendable {
        let changes: Int
        let rows: [String: Row]
        let users: [User]
    }

    private let tenants = Mutex<[String: Known]>([:])

    /// Removes all users. SQLite does not count the rows of a restored database as changes.
    func forget() { tenants.withLock { $0.removeAll() } }

    /// The users of a tenant, including its guests, sorted by their object IDs in that tenant.
    func users(in tenantID: String, of db: Database) throws -> [User] {
        try tenants.withLock { tenants in
            let known = tenants[tenantID]
            let changes = db.totalChangesCount
            if let known, known.changes == changes { return known.users }
            let sql = """
                SELECT object_id.id, user.json FROM object_id JOIN user ON user.id = object_id.user
                WHERE object_id.tenant = ? ORDER BY object_id.id
                """
            var rows: [String: Row] = [:]
            var users: [User] = []
            let cursor = try GRDB.Row.fetchCursor(db.cachedStatement(sql: sql), arguments: [tenantID])
            while let found = try cursor.next() {
                let (id, json): (String, Data) = (found[0], found[1])
                let row: Row
                if let before = known?.rows[id], before.json == json {
                    row = before
                } else {
                    row = Row(json: json, user: try EmulatorStore.decode(json))
                }
                rows[id] = row
                users.append(row.user)
            }
            tenants[tenantID] = Known(changes: changes, rows: rows, users: users)
            return users
        }
    }
}

extension EmulatorStore {
    /// All users of a tenant, including its guests, sorted by their object IDs in that tenant.
    func accounts(in tenantID: String) throws -> [User] {
        try read { db in try byTenant.users(in: tenantID, of: db) }
    }

    /// A permission that was granted to an application.
    struct Consent: Sendable {
        /// The object ID in the home tenant, or the name for admin consent.
        let user: String
        let client: String
        /// Empty for OpenID Connect scopes.
        let audience: String
        let scope: String
    }

    /// The consents of all users.
    func consents() throws -> [Consent] {
        try read { db in
            try GRDB.Row.fetchAll(db, sql: "SELECT user, client, audience, scope FROM consent").map {
                Consent(user: $0[0], client: $0[1], audience: $0[2], scope: $0[3])
            }
        }
    }

    /// Replaces the permissions that a user has granted to an application for one API.
    func replaceConsents(of user: String, to clientID: String, audience: String, with scopes: [String]) throws {
        let client = clientID.lowercased()
        try write { db in
            try db.run(
                "DELETE FROM consent WHERE user = ? AND client = ? AND audience = ?",
                with: [user, client, audience]
            )
            for scope in Set(scopes) {
                try db.run(
                    "INSERT INTO consent (user, client, audience, scope) VALUES (?, ?, ?, ?)",
                    with: [user, client, audience, scope]
                )
            }
        }
    }
}
