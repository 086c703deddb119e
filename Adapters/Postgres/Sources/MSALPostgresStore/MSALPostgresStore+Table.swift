// Licensed under the MIT License. See LICENSE.
import PostgresNIO

extension MSALPostgresStore {
    /// The statements that create the table `msal_token`, for the migrations of the application. They can be run repeatedly.
    ///
    /// The table may be `UNLOGGED`, which is faster; it is then empty after a crash of the server and missing on a standby.
    public static let migration = statements(for: TableName("msal_token")).joined(separator: ";\n") + ";\n"

    /// Creates the table unless it exists, and checks it. For development, and for roles that may create tables; several
    /// instances may call it at the same time.
    ///
    /// - Throws: ``MSALPostgresStoreError`` if a table with this name has a different shape or owner. Any error of the driver
    ///   if the role may not create tables, or the server does not respond.
    public func createTable() async throws {
        // One statement is one transaction. Without the lock, two instances that create the table at the same time would
        // conflict.
        let statements = ["PERFORM pg_advisory_xact_lock(hashtext('msal_token'))"] + Self.statements(for: table)
        let block = "BEGIN \(statements.map { $0 + "; " }.joined())END"
        try await rows("DO '\(block.replacing("'", with: "''"))'")
        try await check()
    }

    /// Appended to the name of the table, this is the name of the index for finding expired rows.
    private static let index = "_expires_at"

    private static func statements(for table: TableName) -> [String] {
        [
            """
            CREATE TABLE IF NOT EXISTS \(table.quoted) (
                partition text COLLATE "C" NOT NULL,
                name text COLLATE "C" NOT NULL,
                value bytea NOT NULL,
                version bigint NOT NULL,
                expires_at timestamptz NOT NULL,
                lease bigint NOT NULL,
                PRIMARY KEY (partition, name)
            )
            """,
            "CREATE INDEX IF NOT EXISTS \(table.quoted(with: index)) ON \(table.quoted) (expires_at)",
        ]
    }

    /// The columns sorted by name, with types in the server's notation.
    private static let columns = [
        "expires_at timestamp with time zone", "lease bigint", "name text", "partition text", "value bytea",
        "version bigint",
    ]

    /// Queries the columns that the store fills or that must be filled, the key, and missing privileges.
    func check() async throws {
        try await checkSchema()
        let rows = try await rows(
            """
            SELECT found.id IS NOT NULL, current_user::text,
                ARRAY (
                    SELECT attname || ' ' || format_type(atttypid, atttypmod) FROM pg_attribute
                    WHERE attrelid = found.id AND attnum > 0 AND NOT attisdropped AND (
                        attname IN ('partition', 'name', 'value', 'version', 'expires_at', 'lease')
                        OR attnotnull AND NOT atthasdef
                    )
                    ORDER BY attname
                ),
                EXISTS (
                    SELECT FROM pg_index
                    WHERE indrelid = found.id AND indisunique AND indpred IS NULL AND (
                        SELECT array_agg(attname::text ORDER BY attname) FROM pg_attribute
                        WHERE attrelid = found.id AND attnum = ANY (indkey)
                    ) = '{name,partition}'
                ),
                ARRAY (
                    SELECT needed FROM unnest('{SELECT,INSERT,UPDATE,DELETE}'::text[]) AS needed
                    WHERE NOT has_table_privilege(found.id, needed)
                )
            FROM (SELECT to_regclass($1)::oid AS id) AS found
            """,
            [table.quoted]
        )
        guard let row = rows.first else { return }
        let (exists, role, columns, hasKey, missing) = try row.decode((Bool, String, [String], Bool, [String]).self)
        let make = Self.statements(for: table).joined(separator: ";\n")
        guard exists else { throw MSALPostgresStoreError(.tableMissing, statement: make) }
        guard columns == Self.columns, hasKey else {
            throw MSALPostgresStoreError(
                .anotherShape,
                // The index stays with its table, but its name would be in use.
                statement: """
                    ALTER TABLE \(table.quoted) RENAME TO \(table.quoted(with: "_before"));
                    ALTER INDEX IF EXISTS \(table.schema)\(table.quoted(with: Self.index))
                        RENAME TO \(table.quoted(with: "_before" + Self.index));
                    \(make)
                    """
            )
        }
        guard missing.isEmpty else {
            throw MSALPostgresStoreError(
                .rightsMissing,
                statement: "GRANT \(missing.joined(separator: ", ")) ON \(table.quoted) TO \(TableName.quote(role))"
            )
        }
    }

    /// Checks whether the role may use the schema in the name. If it may not, the server rejects every other query about the
    /// table.
    private func checkSchema() async throws {
        guard let schema = table.schemaName else { return }
        let rows = try await rows(
            "SELECT current_user::text FROM pg_namespace WHERE nspname = $1 AND NOT has_schema_privilege(oid, 'USAGE')",
            [schema]
        )
        guard let role = try rows.first?.decode(String.self) else { return }
        throw MSALPostgresStoreError(
            .rightsMissing,
            statement: "GRANT USAGE ON SCHEMA \(TableName.quote(schema)) TO \(TableName.quote(role))"
        )
    }
}
