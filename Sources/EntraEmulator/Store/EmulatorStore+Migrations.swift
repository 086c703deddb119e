// Licensed under the MIT License. See LICENSE.

import GRDB

extension EmulatorStore {
    /// The schema. Released migrations are never edited; changes require a new one.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(
                sql: """
                    CREATE TABLE user (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, json BLOB NOT NULL);
                    CREATE TABLE consent (user TEXT NOT NULL, client TEXT NOT NULL, audience TEXT NOT NULL,
                        scope TEXT NOT NULL, PRIMARY KEY (user, client, audience, scope)) WITHOUT ROWID;
                    CREATE TABLE session (cookie TEXT NOT NULL, user TEXT NOT NULL, json BLOB NOT NULL,
                        PRIMARY KEY (cookie, user));
                    CREATE TABLE code (digest TEXT PRIMARY KEY, spent INTEGER NOT NULL, json BLOB NOT NULL);
                    CREATE TABLE refresh_token (digest TEXT PRIMARY KEY, used INTEGER NOT NULL, json BLOB NOT NULL);
                    CREATE TABLE revoked (family TEXT PRIMARY KEY) WITHOUT ROWID;
                    """
            )
        }
        migrator.registerMigration("2") { db in
            // A token identifies its user by object ID and tenant. Without this table, finding a user would read all of
            // them.
            try db.execute(
                sql: """
                    CREATE TABLE object_id (tenant TEXT NOT NULL, id TEXT NOT NULL, user TEXT NOT NULL,
                        PRIMARY KEY (tenant, id)) WITHOUT ROWID;
                    CREATE INDEX object_id_user ON object_id (user);
                    INSERT OR IGNORE INTO object_id (tenant, id, user)
                        SELECT json_extract(CAST(json AS TEXT), '$.homeTenantID'), id, id FROM user ORDER BY name;
                    INSERT OR IGNORE INTO object_id (tenant, id, user)
                        SELECT guest.key, guest.value, user.id
                        FROM user, json_each(CAST(user.json AS TEXT), '$.guestObjectIDs') AS guest ORDER BY user.name;
                    """
            )
        }
        migrator.registerMigration("3") { db in
            // The order in which the refresh tokens of a sign-in were issued or used.
            try db.execute(
                sql: """
                    ALTER TABLE refresh_token ADD COLUMN family TEXT NOT NULL DEFAULT '';
                    ALTER TABLE refresh_token ADD COLUMN age INTEGER NOT NULL DEFAULT 0;
                    UPDATE refresh_token SET family = json_extract(CAST(json AS TEXT), '$.entitlement.family');
                    UPDATE refresh_token SET age = ranked.place
                        FROM (SELECT digest AS token, row_number() OVER (PARTITION BY family ORDER BY rowid) AS place
                            FROM refresh_token) AS ranked
                        WHERE ranked.token = refresh_token.digest;
                    CREATE INDEX refresh_token_age ON refresh_token (family, age);
                    """
            )
        }
        migrator.registerMigration("directory") { db in
            // The directory as changed at runtime, without its users.
            try db.execute(
                sql: "CREATE TABLE directory (id INTEGER PRIMARY KEY CHECK (id = 1), json BLOB NOT NULL)"
            )
        }
        return migrator
    }
}
