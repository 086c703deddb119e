// Licensed under the MIT License. See LICENSE.
import Foundation
import MSALPostgresStore
import MSALServer
import PostgresNIO
import TestEngines
import Testing

/// A store that is checked before it is used: what is wrong with the server, the network, or the role is named. What is
/// wrong with the table: TableTests.
struct CheckTests {
    /// The reason why no store is made; `nil` if one is. `finally` runs before the client ends.
    private func refusal(
        _ configuration: PostgresClient.Configuration,
        timeLimit: Duration = .seconds(60),
        finally: @Sendable () -> Void = {}
    ) async throws -> MSALPostgresConnectionError? {
        let connections = MSALPostgresConnectionLog(silent)
        let client = PostgresClient(configuration: configuration, backgroundLogger: connections.logger)
        return try await withClient(client) { client in
            defer { finally() }
            do {
                _ = try await MSALPostgresStore(checking: client, connections: connections, timeLimit: timeLimit)
                return nil
            } catch let error as MSALPostgresConnectionError {
                return error
            }
        }
    }

    /// A server at a port, whose role `web` has the password "horse".
    private func server() async throws -> PostgresServer {
        let folder = try temporaryFolder()
        try await makeCertificates(["server"], in: folder)
        let server = try await PostgresServer(listeningIn: folder, access: "host all all all scram-sha-256")
        try await server.ask(
            MSALPostgresStore.migration + "CREATE ROLE web LOGIN PASSWORD 'horse';"
                + "GRANT SELECT, INSERT, UPDATE, DELETE ON msal_token TO web"
        )
        return server
    }

    private func settings(
        at server: PostgresServer,
        password: String?,
        database: String = "postgres"
    ) -> PostgresClient.Configuration {
        .init(
            host: "localhost",
            port: server.port,
            username: "web",
            password: password,
            database: database,
            tls: .disable
        )
    }

    @Test func `a wrong password, a missing one, and a database that does not exist are named`() async throws {
        let server = try await server()
        let wrong = try #require(try await refusal(settings(at: server, password: "cow")))

        #expect(try await refusal(settings(at: server, password: "horse")) == nil)
        #expect(wrong.reason == .signInRefused && wrong.detail == "28P01")
        #expect(try await refusal(settings(at: server, password: nil))?.reason == .signInRefused)
        let elsewhere = try await refusal(settings(at: server, password: "horse", database: "nowhere"))
        #expect(elsewhere?.reason == .refused && elsewhere?.detail == "3D000")
        server.engine.kill()
    }

    @Test func `a server that is not there is named`() async throws {
        let nowhere = try temporaryFolder().appending(path: "socket").path
        let configuration = PostgresClient.Configuration(
            unixSocketPath: nowhere,
            username: "web",
            password: nil,
            database: "postgres"
        )

        let refusal = try await refusal(configuration, timeLimit: .seconds(5))
        #expect(refusal?.reason == .unreachable, "\(String(describing: refusal))")
    }

    @Test func `a server that hangs ends the check`() async throws {
        let server = try await PostgresServer()
        let configuration = PostgresClient.Configuration(
            unixSocketPath: server.socket,
            username: "admin",
            password: nil,
            database: "postgres"
        )
        server.engine.pause()

        let refusal = try await refusal(configuration, timeLimit: .seconds(1)) { server.engine.resume() }
        #expect([.timedOut, .unreachable].contains(refusal?.reason))
    }

    @Test func `a password that becomes wrong later is logged as that`() async throws {
        let server = try await server()
        let warnings = Warnings()
        let connections = MSALPostgresConnectionLog(warnings.logger)
        let client = PostgresClient(
            configuration: settings(at: server, password: "horse"),
            backgroundLogger: connections.logger
        )
        try await withClient(client) { client in
            let store = try await MSALPostgresStore(checking: client, connections: connections)
            _ = try await store.read([.named("token")])
            #expect(warnings.all == [])
            try await server.ask("ALTER ROLE web PASSWORD 'other'")
            try await server.ask(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
                """
            )
            // Each call waits for a connection, until it is cancelled.
            while warnings.all.isEmpty {
                let call = Task { try await store.read([.named("token")]) }
                try await Task.sleep(for: .milliseconds(20))
                call.cancel()
                _ = await call.result
            }
            #expect(warnings.all.allSatisfy { $0.contains("refuses the role, its password") })
        }
        server.engine.kill()
    }
}
