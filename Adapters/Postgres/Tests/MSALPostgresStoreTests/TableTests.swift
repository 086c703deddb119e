// Licensed under the MIT License. See LICENSE.
import MSALPostgresStore
import MSALServer
import PostgresNIO
import Testing

/// The table: who creates it, and the checks of an existing one.
struct TableTests {
    let name = MSALStoreName.named("token")

    func error(
        _ role: String = "admin",
        table: String = "msal_token",
        at server: PostgresServer
    ) async throws
        -> MSALPostgresStoreError?
    {
        try await withClient(server.client(role)) { client in
            do {
                _ = try await MSALPostgresStore(checking: client, table: table)
                return nil
            } catch let error as MSALPostgresStoreError {
                return error
            }
        }
    }

    @Test func `without a table there is no store, and the error's statement creates the table`() async throws {
        let server = try await PostgresServer()
        let missing = try #require(try await error(at: server))
        #expect(missing.reason == .tableMissing)
        #expect("\(missing)".contains(missing.statement))
        try await server.ask(missing.statement)
        #expect(try await error(at: server) == nil)
    }

    @Test func `the migration creates the table and may run twice`() async throws {
        let server = try await PostgresServer()
        try await server.ask(MSALPostgresStore.migration)
        try await server.ask(MSALPostgresStore.migration)
        #expect(try await error(at: server) == nil)
    }

    @Test func `several instances can create the table at the same time`() async throws {
        let server = try await PostgresServer()
        try await withClient(server.client()) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { try await MSALPostgresStore(client).createTable() } }
                try await group.waitForAll()
            }
        }
    }

    @Test(arguments: [
        "CREATE TABLE msal_token (id int)",
        "CREATE VIEW msal_token AS SELECT 1 AS version",
        MSALPostgresStore.migration + "ALTER TABLE msal_token DROP CONSTRAINT msal_token_pkey",
        MSALPostgresStore.migration + "ALTER TABLE msal_token ALTER value TYPE text",
        MSALPostgresStore.migration + "ALTER TABLE msal_token ADD tenant text NOT NULL",
    ])
    func `a table of another shape is rejected, and the error's statement fixes it`(statement: String) async throws {
        let server = try await PostgresServer()
        try await server.ask(statement)
        let refused = try #require(try await error(at: server))
        #expect(refused.reason == .anotherShape)
        try await server.ask(refused.statement)
        #expect(try await error(at: server) == nil)
        let indexes = "SELECT tablename FROM pg_indexes WHERE indexname = 'msal_token_expires_at'"
        #expect(try await server.ask(indexes) == "msal_token")
    }

    @Test func `an additional column with a default is allowed`() async throws {
        let server = try await PostgresServer()
        try await server.ask(MSALPostgresStore.migration + "ALTER TABLE msal_token ADD made timestamptz DEFAULT now()")
        #expect(try await error(at: server) == nil)
    }

    @Test func `a role without privileges is rejected, and the error's statement grants them`() async throws {
        let server = try await PostgresServer()
        try await server.ask(
            MSALPostgresStore.migration + "CREATE ROLE \"web app\" LOGIN; GRANT SELECT ON msal_token TO \"web app\""
        )
        let refused = try #require(try await error("web app", at: server))
        #expect(refused.reason == .rightsMissing)
        #expect(refused.statement == #"GRANT INSERT, UPDATE, DELETE ON "msal_token" TO "web app""#)
        try await server.ask(refused.statement)
        #expect(try await error("web app", at: server) == nil)
        try await withClient(server.client("web app")) { client in
            let store = MSALPostgresStore(client)
            #expect(try await store.write([1], to: name, expiresIn: .seconds(60), if: .absent, lease: nil))
            try await store.removeAll(in: name.partition)
        }
    }

    @Test func `a role that may not use the schema is rejected, and the error's statement allows it`() async throws {
        let server = try await PostgresServer()
        try await server.ask("CREATE SCHEMA \"Identity\"; CREATE ROLE web LOGIN")
        let table = "Identity.msal_token"
        try await withClient(server.client()) { try await MSALPostgresStore($0, table: table).createTable() }
        try await server.ask("GRANT SELECT, INSERT, UPDATE, DELETE ON \"Identity\".msal_token TO web")
        let refused = try #require(try await error("web", table: table, at: server))
        #expect(refused.reason == .rightsMissing)
        #expect(refused.statement == #"GRANT USAGE ON SCHEMA "Identity" TO "web""#)
        try await server.ask(refused.statement)
        #expect(try await error("web", table: table, at: server) == nil)
    }

    @Test func `a table name may have a schema and characters that need quotation marks`() async throws {
        let server = try await PostgresServer()
        try await server.ask("CREATE SCHEMA \"Identity\"")
        let table = #"Identity.user"s tokens; DROP TABLE"#
        try await withClient(server.client()) { client in
            let store = MSALPostgresStore(client, table: table)
            try await store.createTable()
            #expect(try await store.write([1], to: name, expiresIn: .seconds(60), if: .absent, lease: nil))
            #expect(try await store.read([name])[0]?.value == [1])
        }
        try await server.ask(#"ALTER TABLE "Identity"."user""s tokens; DROP TABLE" DROP COLUMN lease"#)
        let refused = try #require(try await error(table: table, at: server))
        #expect(refused.reason == .anotherShape)
        try await server.ask(refused.statement)
        #expect(try await error(table: table, at: server) == nil)
    }

    @Test func `an access token does not shorten the life of the refresh token next to it`() async throws {
        let server = try await PostgresServer()
        try await server.withStore { store in
            let access = MSALStoreName.named("access")
            #expect(try await store.write([1], to: name, expiresIn: .seconds(90 * 86_400), if: .absent, lease: nil))
            #expect(try await store.write([2], to: access, expiresIn: .seconds(3600), if: .absent, lease: nil))

            // Two hours later by the server's clock.
            try await server.ask("UPDATE msal_token SET expires_at = expires_at - interval '2 hours'")

            let found = try await store.read([name, access])
            #expect(found[0]?.value == [1])
            let left = try #require(found[0]?.expiresIn)
            #expect(left > .seconds(90 * 86_400 - 7800) && left < .seconds(90 * 86_400 - 7200))
            #expect(found[1] == nil)
        }
    }

    @Test func `numbers of leases grow when the clock goes back and the last lease's row is deleted`() async throws {
        let server = try await PostgresServer()
        try await server.withStore { store in
            let first = try #require(try await store.lease(on: name, for: .seconds(60)))
            #expect(try await store.write([1], to: name, expiresIn: .seconds(600), if: .absent, lease: first))

            // As if the clock had been an hour ahead until now.
            try await server.ask(
                """
                DELETE FROM msal_token WHERE name LIKE 'lease %';
                UPDATE msal_token SET lease = lease + 3600000000
                """
            )

            let second = try #require(try await store.lease(on: name, for: .seconds(60)))
            #expect(second.number > first.number + 3_600_000_000)
            #expect(try await store.write([2], to: name, expiresIn: .seconds(600), if: .always, lease: second))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `expired rows are deleted after later writes`() async throws {
        let server = try await PostgresServer()
        try await server.withStore { store in
            for number in 0..<63 {
                let name = MSALStoreName.named("old-\(number)")
                #expect(try await store.write([1], to: name, expiresIn: .seconds(60), if: .absent, lease: nil))
            }
            try await server.ask("UPDATE msal_token SET expires_at = now() - interval '1 second'")
            #expect(try await store.write([1], to: name, expiresIn: .seconds(60), if: .absent, lease: nil))
            while try await server.ask("SELECT count(*) FROM msal_token") != "1" {}
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `no write waits for the deletion of expired rows, and only one deletion runs at a time`() async throws {
        let server = try await PostgresServer()
        try await server.withStore { store in
            try await whileRemovalsWait(at: server) {
                try await write(64, to: store)
                while try await waitingRemovals(at: server) != 1 {}
                try await write(128, to: store)
                #expect(try await waitingRemovals(at: server) == 1)
            }
            while try await waitingRemovals(at: server) != 0 {}
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `the deletion of expired rows ends with the store`() async throws {
        // The server checks ten times a second whether the client of a statement still exists.
        let server = try await PostgresServer("client_connection_check_interval=100")
        try await server.ask(MSALPostgresStore.migration)
        try await withClient(server.client()) { client in
            try await whileRemovalsWait(at: server) {
                try await beginRemoval(with: client, at: server)
                while try await waitingRemovals(at: server) != 0 {}
            }
        }
    }

    /// Starts to delete expired rows with a store that is released when this function returns.
    private func beginRemoval(with client: PostgresClient, at server: PostgresServer) async throws {
        let store = MSALPostgresStore(client)
        try await write(64, to: store)
        while try await waitingRemovals(at: server) != 1 {}
    }

    private func write(_ count: Int, to store: MSALPostgresStore) async throws {
        for _ in 0..<count {
            #expect(try await store.write([1], to: name, expiresIn: .seconds(60), if: .always, lease: nil))
        }
    }

    /// Runs the body while the server blocks each statement that deletes rows of the table.
    private func whileRemovalsWait(at server: PostgresServer, _ body: @Sendable () async throws -> Void) async throws {
        try await server.ask(
            """
            CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$;
            CREATE TRIGGER wait BEFORE DELETE ON msal_token EXECUTE FUNCTION wait()
            """
        )
        try await withClient(server.client()) { other in
            try await other.withConnection { connection in
                // The end of the connection frees the lock.
                try await connection.query("DO $$ BEGIN PERFORM pg_advisory_lock(1); END $$", logger: silent)
                try await body()
            }
        }
    }

    /// The number of statements that `whileRemovalsWait` blocks.
    private func waitingRemovals(at server: PostgresServer) async throws -> Int? {
        Int(try await server.ask("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'advisory'"))
    }

    @Test func `a value that is too long does not fill the reader's memory`() async throws {
        let server = try await PostgresServer()
        try await server.withStore { store in
            #expect(try await store.write([1], to: name, expiresIn: .seconds(60), if: .absent, lease: nil))
            try await server.ask("UPDATE msal_token SET value = convert_to(repeat('x', 10000000), 'UTF8')")
            #expect(try await store.read([name])[0]?.value.count == 65_537)
        }
    }
}
