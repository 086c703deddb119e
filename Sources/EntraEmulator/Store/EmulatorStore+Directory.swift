// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// The directory that was changed while the emulator ran, and what its changes need to know of the users.
extension EmulatorStore {
    /// The directory without its users, if it was changed.
    ///
    /// - Throws: `DecodingError` for one that cannot be read.
    func keptDirectory() throws -> EmulatorDirectory? {
        try read { db in try db.json("SELECT json FROM directory", with: []) }.map(Self.decode)
    }

    /// Keeps the directory without its users for the next start. Nobody reads it again in memory.
    func keep(_ directory: EmulatorDirectory) throws {
        guard isInFile else { return }
        var directory = directory
        directory.users = []
        let json = try Self.encode(directory)
        try change { db in try db.run("INSERT OR REPLACE INTO directory (id, json) VALUES (1, ?)", with: [json]) }
    }

    /// Users in the order of their names, those after a name.
    func users(after name: String, limit: Int) throws -> [User] {
        try read { db in
            try Data.fetchAll(
                db,
                sql: "SELECT json FROM user WHERE name > ? ORDER BY name LIMIT ?",
                arguments: [name.lowercased(), limit]
            )
        }
        .map(Self.decode)
    }

    /// The person with that user principal name or object id; letter case does not matter.
    func user(_ nameOrID: String) throws -> User? {
        try read { db in
            try db.json("SELECT json FROM user WHERE name = ?1 OR id = ?1", with: [nameOrID.lowercased()])
        }
        .map(Self.decode)
    }

    /// The number of users who are at home in a tenant, or guests there.
    func countOfUsers(in tenantID: String) throws -> Int {
        try read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM object_id WHERE tenant = ?", arguments: [tenantID]) ?? 0
        }
    }

    /// The name, or the object id, of this account that somebody else has.
    func conflict(with account: User) throws -> String? {
        let ids = account.guestObjectIDs.merging([account.homeTenantID: account.id]) { $1 }
        return try read { db in
            if let name = try String.fetchOne(
                db,
                sql: "SELECT name FROM user WHERE name = ? AND id <> ?",
                arguments: [account.userPrincipalName.lowercased(), account.id]
            ) {
                return name
            }
            for (tenant, id) in ids.sorted(by: { $0.key < $1.key }) {
                if let other = try String.fetchOne(
                    db,
                    sql: "SELECT id FROM object_id WHERE tenant = ? AND id = ? AND user <> ?",
                    arguments: [tenant, id, account.id]
                ) {
                    return other
                }
            }
            return nil
        }
    }

    /// Adds persons or replaces those with the same ids, and removes others, all of it or nothing. What was issued to somebody
    /// who is removed stays, and is refused.
    func save(_ users: [User], removing ids: [String]) throws {
        try write { db in
            for id in ids {
                try db.execute(sql: "DELETE FROM user WHERE id = ?", arguments: [id])
                try db.execute(sql: "DELETE FROM object_id WHERE user = ?", arguments: [id])
            }
            for user in users { try Self.insert(user, in: db) }
        }
    }
}
