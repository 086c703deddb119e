// Licensed under the MIT License. See LICENSE.
import Foundation
import Logging
import MSALPostgresStore
import MSALServer
import PostgresNIO
import TestEngines

/// A PostgreSQL server with a separate data folder, on a socket next to it.
struct PostgresServer {
    let engine: Engine
    let folder: URL
    /// The number in the name of the socket, and the port on which it listens, if any.
    let port: Int

    /// The distribution's folder with the server's programs, which is not on the PATH.
    static let programs = ProcessInfo.processInfo.environment["MSAL_POSTGRES_PROGRAMS"] ?? "/usr/lib/postgresql/15/bin"

    /// A data folder that is copied for each server, because creating one takes many seconds of processor time.
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
        try await self.init(in: Self.newFolder(), settings: settings)
    }

    /// Starts a server that listens on a port of `localhost`, with TLS. Its folder must contain the certificates that
    /// `makeCertificates` creates. `access` are the lines of `pg_hba.conf` for connections through the port.
    init(listeningIn folder: URL, access: String) async throws {
        try await Self.copyEmptyData(to: folder)
        let data = folder.appending(path: "data")
        for name in ["ca.pem", "server.pem", "server.key"] {
            try FileManager.default.copyItem(at: folder.appending(path: name), to: data.appending(path: name))
        }
        try Data("local all admin trust\n\(access)\n".utf8).write(to: data.appending(path: "pg_hba.conf"))
        try await Self.asOwner(["chmod", "600", data.appending(path: "server.key").path], of: folder)
        try await self.init(
            in: folder,
            port: freePort(),
            settings: [
                "listen_addresses=localhost", "ssl=on", "ssl_ca_file=ca.pem", "ssl_cert_file=server.pem",
                "ssl_key_file=server.key",
            ]
        )
    }

    /// Starts a server with a separate file system of a few megabytes, the folder `disk`. It is removed with the server.
    init(disk megabytes: Int) async throws {
        let folder = try await Self.newFolder()
        let disk = folder.appending(path: "disk")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
        let mount = "mount -t tmpfs -o size=\(megabytes)m small \"$0\" && chown postgres \"$0\" && exec \"$@\""
        try await self.init(in: folder, settings: [], behind: ["unshare", "--mount", "sh", "-c", mount, disk.path])
    }

    /// Whether this process may mount a file system for a server.
    static func mayMount() async -> Bool {
        // A failure means that it may not.
        (try? await output(of: "unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"])) != nil
    }

    /// Starts a server in a folder that has its data. `words` are a prefix of its command.
    private init(in folder: URL, port: Int = 5432, settings: [String], behind words: [String] = []) async throws {
        self.folder = folder
        self.port = port
        let common = ["listen_addresses=", "fsync=off", "port=\(port)"]
        let server = ["\(Self.programs)/postgres", "-D", folder.appending(path: "data").path, "-k", folder.path]
        let (program, arguments) = Self.ownersCommand(server + (common + settings).flatMap { ["-c", $0] })
        let command = words + [program] + arguments
        engine = try await Engine(
            command[0],
            arguments: Array(command.dropFirst()),
            folder: folder,
            readyText: "database system is ready to accept"
        )
    }

    /// Starts a standby that follows this server. It starts with a copy of the data.
    func standby() async throws -> PostgresServer {
        let folder = try temporaryFolder()
        try await Self.asOwner(
            [
                "\(Self.programs)/pg_basebackup", "--host", self.folder.path, "--port", String(port), "--username",
                "admin", "--pgdata", folder.appending(path: "data").path, "--write-recovery-conf", "--checkpoint",
                "fast", "--no-sync",
            ],
            of: folder
        )
        return try await PostgresServer(in: folder, settings: [])
    }

    private static func newFolder() async throws -> URL {
        let folder = try temporaryFolder()
        try await copyEmptyData(to: folder)
        return folder
    }

    private static func copyEmptyData(to folder: URL) async throws {
        let data = folder.appending(path: "data").path
        try await asOwner(["cp", "--archive", emptyData.value.path, data], of: folder)
    }

    /// The server refuses to run as root, so root runs it as the user that the distribution has created for it.
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
            [
                "-h", folder.path, "-p", String(port), "-U", "admin", "-d", "postgres", "-v", "ON_ERROR_STOP=1",
                "-Atqc",
                statements,
            ]
        ).trimmingCharacters(in: .newlines)
    }

    /// Stops all processes of the server that serve a client while the body runs, as if the machine hung.
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

    /// Starts the server again after it was killed. It refuses to start while processes of the killed server exist.
    func restart() async throws {
        while true {
            do {
                return try await engine.start()
            } catch let failure as Engine.Failure where failure.output.contains("shared memory") {
                continue
            }
        }
    }

    var socket: String { folder.appending(path: ".s.PGSQL.\(port)").path }

    /// A client at the server's socket, or at another socket that leads to it.
    func client(
        _ role: String = "admin",
        at socket: String? = nil,
        options: PostgresClient.Configuration.Options = .init()
    ) -> PostgresClient {
        var configuration = PostgresClient.Configuration(
            unixSocketPath: socket ?? self.socket,
            username: role,
            password: nil,
            database: "postgres"
        )
        configuration.options = options
        return PostgresClient(configuration: configuration)
    }

    /// Runs a client while the body uses a store whose table has been created.
    func withStore<Value: Sendable>(
        _ client: PostgresClient? = nil,
        _ body: @Sendable (MSALPostgresStore) async throws -> Value
    ) async throws -> Value {
        try await withClient(client ?? self.client()) { client in
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
