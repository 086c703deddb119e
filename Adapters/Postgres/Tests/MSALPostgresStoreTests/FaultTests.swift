// Licensed under the MIT License. See LICENSE.
import Foundation
import MSALPostgresStore
import MSALServer
import PostgresNIO
import TestEngines
import Testing

/// A failing server: the store throws, and works again when the server does.
struct FaultTests {
    let name = MSALStoreName.named("token")

    func write(_ store: MSALPostgresStore, _ value: [UInt8] = [1]) async throws -> Bool {
        try await store.write(value, to: name, expiresIn: .seconds(600), if: .always, lease: nil)
    }

    /// The value with this name, read in a separate line.
    func expect(
        _ value: [UInt8]?,
        in store: MSALPostgresStore,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await store.read([name])[0]?.value
        #expect(found == value, sourceLocation: sourceLocation)
    }

    @Test func `a killed server is used again when it is back`() async throws {
        let server = try await PostgresServer()
        try await server.withStore { store in
            #expect(try await write(store))
            server.engine.kill()
            // The driver waits for an unavailable server until the caller gives up.
            let call = Task { try await store.read([name]) }
            call.cancel()
            _ = await #expect(throws: (any Error).self) { try await call.value }
            try await server.restart()
            while await code(of: { _ = try await store.read([name]) }) != nil {}
            try await expect([1], in: store)
        }
    }

    @Test func `an unlogged table is empty after a crash, and is used again`() async throws {
        let server = try await PostgresServer()
        try await server.withStore { store in
            try await server.ask("ALTER TABLE msal_token SET UNLOGGED")
            #expect(try await write(store))
            server.engine.kill()
            try await server.restart()
            while await code(of: { _ = try await store.read([name]) }) != nil {}
            try await expect(nil, in: store)
            #expect(try await write(store))
        }
    }

    @Test func `a call that is waiting for the server ends when it is canceled`() async throws {
        let server = try await PostgresServer()
        try await server.withStore { store in
            #expect(try await write(store))
            try await withClient(server.client()) { other in
                try await other.withConnection { connection in
                    try await connection.query("BEGIN", logger: silent)
                    try await connection.query("LOCK TABLE msal_token", logger: silent)
                    let call = Task { try await store.read([name]) }
                    // The call has reached the server when it waits there for the lock.
                    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                    while try await server.ask(waiting) == "0" {}
                    call.cancel()
                    await #expect(throws: (any Error).self) { try await call.value }
                    try await connection.query("ROLLBACK", logger: silent)
                }
            }
            try await expect([1], in: store)
        }
    }

    @Test func `calls to a paused server can be canceled`() async throws {
        let server = try await PostgresServer()
        try await server.withStore { store in
            #expect(try await write(store))
            try await server.whilePaused {
                let calls = (0..<8).map { _ in Task { try await store.read([name]) } }
                for call in calls { call.cancel() }
                for call in calls { await #expect(throws: (any Error).self) { try await call.value } }
            }
            try await expect([1], in: store)
        }
    }

    @Test func `no call hangs when connections end`() async throws {
        let server = try await PostgresServer()
        try await server.withStore { store in
            #expect(try await write(store))
            let end: PostgresQuery = """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
                """
            let seen = try await withClient(server.client()) { other in
                var seen: Set<String> = []
                for _ in 0..<200 {
                    let calls = Calls(8) { await code { _ = try await store.read([name]) } }
                    _ = try await other.query(end, logger: silent).collect()
                    let outcomes = try await calls.outcomes(within: .seconds(60))
                    seen.formUnion(outcomes.compactMap(\.self))
                    guard outcomes.count == 8 else {
                        calls.cancel()
                        let all = try await calls.outcomes(within: .seconds(60))
                        Issue.record("\(8 - outcomes.count) calls hang, \(8 - all.count) of them even when canceled.")
                        break
                    }
                }
                return seen
            }
            #expect(seen.contains("57P01"), "\(seen)")
            while await code(of: { _ = try await store.read([name]) }) != nil {}
            try await expect([1], in: store)
        }
    }

    @Test func `a connection that is cut anywhere in a response leads to an error or the response`() async throws {
        let server = try await PostgresServer()
        let proxy = try await CuttingProxy(to: server.socket, in: server.folder)
        var one = PostgresClient.Configuration.Options()
        one.maximumConnections = 1
        try await server.withStore(server.client(at: proxy.socket, options: one)) { store in
            #expect(try await write(store))
            try await eachCut(of: proxy, in: store) { _ in
                let found = try await store.read([name])[0]?.value
                #expect(found == [1])
            }
            try await eachCut(of: proxy, in: store) { number in
                let isWritten = try await write(store, [UInt8(truncatingIfNeeded: number)])
                #expect(isWritten)
            }
            try await eachCut(of: proxy, in: store) { number in
                let other = MSALStoreName.named("token-\(number)")
                let lease = try await store.lease(on: other, for: .seconds(60))
                #expect(lease != nil)
            }
        }
    }

    /// Performs an operation once for each byte of its response, after which the connection is cut. Then the store works again.
    private func eachCut(
        of proxy: CuttingProxy,
        in store: MSALPostgresStore,
        _ body: (Int) async throws -> Void
    ) async throws {
        let before = proxy.passed
        try await body(-1)
        let bytes = proxy.passed - before
        #expect(bytes > 20)
        var failures = 0
        for number in 0..<bytes {
            proxy.cut(after: number)
            if await code(of: { try await body(number) }) != nil { failures += 1 }
            proxy.cut(after: nil)
            while await code(of: { _ = try await store.read([name]) }) != nil {}
        }
        // The last bytes only say that the server waits for the next statement.
        #expect(failures > bytes / 2)
    }

    @Test(.enabled("Only root mounts a file system.") { await PostgresServer.mayMount() })
    func `a full disk is an error for writes, which work again when there is space`() async throws {
        let server = try await PostgresServer(disk: 20)
        try await server.withStore { store in
            #expect(try await write(store))
            try await server.ask("CREATE TABLESPACE small LOCATION '\(server.folder.appending(path: "disk").path)'")
            try await server.ask("ALTER TABLE msal_token SET TABLESPACE small")
            try await server.ask("CREATE TABLE filler (text text) TABLESPACE small")
            try await server.ask("ALTER TABLE filler ALTER text SET STORAGE plain")
            await #expect(throws: Engine.Failure.self) {
                try await server.ask("INSERT INTO filler SELECT repeat('x', 7000) FROM generate_series(1, 4000)")
            }
            // More than the pages that the tables have already, and no zeros, which would be compressed.
            let large = (0..<60_000).map { _ in UInt8.random(in: 0...255) }
            #expect(await code { _ = try await write(store, large) } == "53100")
            try await expect([1], in: store)
            try await server.ask("DROP TABLE filler")
            #expect(try await write(store, large))
            try await expect(large, in: store)
        }
    }

    @Test func `writes to a read-only database are errors, and reads work`() async throws {
        let server = try await PostgresServer()
        try await server.withStore { store in
            #expect(try await write(store))
            try await server.ask("ALTER DATABASE postgres SET default_transaction_read_only = on")
            try await server.ask(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
                """
            )
            var seen: String?
            repeat { seen = await code { _ = try await write(store) } } while seen != "25006"
            try await expect([1], in: store)
        }
    }

    @Test func `a dropped table is an error, and is used again once it is back`() async throws {
        let server = try await PostgresServer()
        try await server.withStore { store in
            #expect(try await write(store))
            try await server.ask("DROP TABLE msal_token")
            #expect(await code { _ = try await store.read([name]) } == "42P01")
            try await store.createTable()
            #expect(try await write(store))
        }
    }

    @Test func `errors of a full disk and of a conflict are passed on`() async throws {
        let server = try await PostgresServer()
        try await server.withStore { store in
            for state in ["53100", "40001"] {
                try await server.ask(
                    """
                    CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
                    AS $$ BEGIN RAISE SQLSTATE '\(state)'; END $$;
                    CREATE OR REPLACE TRIGGER refuse BEFORE INSERT ON msal_token EXECUTE FUNCTION refuse()
                    """
                )
                #expect(await code { _ = try await write(store) } == state)
            }
            try await server.ask("DROP TRIGGER refuse ON msal_token")
            #expect(try await write(store))
        }
    }

    @Test func `two instances that write the same value at the same time do not conflict`() async throws {
        // The strictest setting of a database: a conflict is then an error instead of a wrong result.
        let server = try await PostgresServer("default_transaction_isolation=serializable")
        try await server.withStore { store in
            let written = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<UInt8(32) {
                    group.addTask {
                        do {
                            return try await store.write(
                                [number],
                                to: name,
                                expiresIn: .seconds(60),
                                if: .absent,
                                lease: nil
                            )
                        } catch let error as PSQLError where error.serverInfo?[.sqlState] == "40001" {
                            return false
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(written == 1)
        }
    }
}
