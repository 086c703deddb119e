// Licensed under the MIT License. See LICENSE.
import Foundation
import Logging
import MSALPostgresStore
import MSALServer
import PostgresNIO
import TestEngines

/// A PostgreSQL server with a data folder of its own, on a socket in that folder.
struct PostgresServer {
    let engine: Engine
    let folder: URL

    /// Where the distribution keeps the server's programs, which are not on the path.
    static let programs = ProcessInfo.processInfo.environment["MSAL_POSTGRES_PROGRAMS"] ?? "/usr/lib/postgresql/15/bin"

    /// A data folder that is copied for each server, because making one takes many seconds of a processor.
    private static let emptyData = Task {
        let folder = try temporaryFolder()
        try await asOwner(
            [
                "\(programs)/initdb", "--pgdata", folder.appending(path: "data").path, "--username", "admin", "--auth",
                "trust", "--no-sync", "--encoding", "UTF8", "--locale", "C",
            ],
            of: folder
        )
        return folder.appending(path: "data")
    }

    /// Starts a server with settings as in `postgresql.conf`.
    init(_ settings: String...) async throws {
        folder = try temporaryFolder()
        let data = folder.appending(path: "data").path
        try await Self.asOwner(["cp", "--archive", Self.emptyData.value.path, data], of: folder)
        let common = ["-D", data, "-k", folder.path, "-c", "listen_addresses=", "-c", "fsync=off"]
        let (program, arguments) = Self.ownersCommand(
            ["\(Self.programs)/postgres"] + common + settings.flatMap { ["-c", $0] }
        )
        engine = try await Engine(
            program,
            arguments: arguments,
            folder: folder,
            readyText: "database system is ready to accept"
        )
    }

    /// The server refuses to run as root: root runs it as the user that the distribution has made for it.
    private static func ownersCommand(_ words: [String]) -> (program: String, arguments: [String]) {
        guard getuid() == 0 else { return (words[0], Array(words.dropFirst())) }
        return ("setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups"] + words)
    }

    private static func asOwner(_ words: [String], of folder: URL) async throws {
        if getuid() == 0 { try await output(of: "chown", ["-R", "postgres", folder.path]) }
        let (program, arguments) = ownersCommand(words)
        try await output(of: program, arguments)
    }

    /// Runs statements as the administrator, and returns the rows as text.
    @discardableResult
    func ask(_ statements: String) async throws -> String {
        try await output(
            of: "psql",
            ["-h", folder.path, "-U", "admin", "-d", "postgres", "-v", "ON_ERROR_STOP=1", "-Atqc", statements]
        ).trimmingCharacters(in: .newlines)
    }

    /// Stops all of the server that a client talks to while the body runs, as a machine does that hangs.
    func whilePaused(_ body: () async throws -> Void) async throws {
        let others =
            "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        let processes = try await ask(others).split(separator: "\n").compactMap { Int32($0) }
        defer {
            engine.resume()
            for process in processes { kill(process, SIGCONT) }
        }
        engine.pause()
        for process in processes { kill(process, SIGSTOP) }
        try await body()
    }

    /// Starts the server again after it was killed. It refuses to as long as processes of the killed one are still there.
    func restart() async throws {
        while true {
            do {
                return try await engine.start()
            } catch let failure as Engine.Failure where failure.output.contains("shared memory") {
                continue
            }
        }
    }

    func client(_ role: String = "admin") -> PostgresClient {
        PostgresClient(
            configuration: .init(
                unixSocketPath: folder.appending(path: ".s.PGSQL.5432").path,
                username: role,
                password: nil,
                database: "postgres"
            )
        )
    }

    /// Runs a client while the body uses a store whose table has been made.
    func withStore<Value: Sendable>(_ body: @Sendable (MSALPostgresStore) async throws -> Value) async throws -> Value {
        try await withClient(client()) { client in
            let store = MSALPostgresStore(client)
            try await store.createTable()
            return try await body(store)
        }
    }
}

let silent = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }

/// Runs a client while the body uses it.
func withClient<Value: Sendable>(
    _ client: PostgresClient,
    _ body: @Sendable (PostgresClient) async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await client.run() }
        let value = try await body(client)
        group.cancelAll()
        return value
    }
}

extension MSALStoreName {
    /// A name for tests.
    static func named(_ text: String, in partition: String = "user") -> MSALStoreName {
        MSALStoreName(text, in: MSALStorePartition(partition))
    }
}
