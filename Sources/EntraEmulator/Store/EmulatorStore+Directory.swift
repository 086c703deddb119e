// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB

/// The directory as changed at runtime, and the queries about users that changes require.
extension EmulatorStore {
    /// The directory without its users, if it was changed.
    ///
    /// - Throws: `DecodingError` if it cannot be decoded.
    func keptDirectory() throws -> EmulatorDirectory? {
        try read { db in try db.json("SELECT json FROM directory") }.map(Self.decode)
    }

    /// Stores the directory without its users for the next start. An in-memory store does nothing.
    func keep(_ directory: EmulatorDirectory) throws {
        guard isInFile else { return }
        var directory = directory
        directory.users = []
        let json = try Self.encode(directory)
        try change { db in try db.run("INSERT OR REPLACE INTO directory (id, json) VALUES (1, ?)", with: [json]) }
    }

    /// Users sorted by name, starting after a name.
    func users(after name: String, limit: Int) throws -> [User] {
        let name = name.lowercased()
        return try read { db in
            try db.allJSON("SELECT json FROM user WHERE name > ? ORDER BY name LIMIT ?", with: [name, limit])
        }
        .map(Self.decode)
    }

    /// As `users(after:limit:)`, but only users whose name or display name contains a term, regardless of case.
    func users(after name: String, matching term: String?, limit: Int) throws -> [User] {
        guard let term = term?.lowercased() else { return try users(after: name, limit: limit) }
        let found = try users(after: name, limit: .max).lazy.filter { user in
            "\(user.userPrincipalName) \(user.displayName)".lowercased().contains(term)
        }
        return Array(found.prefix(limit))
    }

    /// The user with a user principal name or object ID, regardless of case.
    func user(_ nameOrID: String) throws -> User? {
        try read { db in
            try db.json("SELECT json FROM user WHERE name = ?1 OR id = ?1", with: [nameOrID.lowercased()])
        }
        .map(Self.decode)
    }

    /// The number of members and guests of a tenant.
    func countOfUsers(in tenantID: String) throws -> Int {
        try read { db in try db.value("SELECT count(*) FROM object_id WHERE tenant = ?", with: [tenantID]) } ?? 0
    }

    /// The name or the object ID of this account that another account already uses.
    func conflict(with account: User) throws -> String? {
        let name = account.userPrincipalName.lowercased()
        let ids = account.guestObjectIDs.merging([account.homeTenantID: account.id]) { $1 }
        return try read { db in
            let sameName = "SELECT name FROM user WHERE name = ? AND id <> ?"
            if let taken: String = try db.value(sameName, with: [name, account.id]) { return taken }
            let sameID = "SELECT id FROM object_id WHERE tenant = ? AND id = ? AND user <> ?"
            for (tenant, id) in ids.sorted(by: { $0.key < $1.key }) {
                if let taken: String = try db.value(sameID, with: [tenant, id, account.id]) { return taken }
            }
            return nil
        }
    }

    /// Adds users or replaces those with the same IDs, and removes others, in one transaction. Tokens that were issued
    /// to a removed user remain stored, but are rejected.
    func save(_ users: [User], removing ids: [String]) throws {
        try write { db in
            for id in ids {
                try db.run("DELETE FROM user WHERE id = ?", with: [id])
                try db.run("DELETE FROM object_id WHERE user = ?", with: [id])
            }
            for user in users { try Self.insert(user, in: db) }
        }
    }
}
