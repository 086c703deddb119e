// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

#if VALKEY_STORE
    import Logging
    import MSALValkeyStore
    import Valkey
#endif
#if POSTGRES_STORE
    import MSALPostgresStore
    import PostgresNIO
#endif

/// The store that the instances share: their tokens, and their sessions.
struct SharedCache: Sendable {
    let store: any MSALDistributedTokenStore
    /// The key that encrypts the stored values. All instances have the same one.
    let secret: Data
    /// Keeps the connections open until the task is canceled.
    private(set) var run: @Sendable () async -> Void = {}
    /// Creates what is needed in the store, while `run` keeps the connections open.
    private(set) var prepare: @Sendable () async throws -> Void = {}

    /// The store at an address: `valkey://host:port`, `valkey:///path/of/a/socket`,
    /// `postgres://user:password@host:port/database`, or `postgres:///folder/of/a/socket`.
    init(_ address: String, secret: String?) throws {
        guard let secret = secret.flatMap({ Data(base64Encoded: $0) }) else {
            let message = "SHARED_CACHE needs a SHARED_CACHE_SECRET for all instances: `openssl rand -base64 32`."
            throw MSALTokenError(kind: .configuration, message: message)
        }
        self.secret = secret
        let url = URL(string: address)
        switch url?.scheme {
        #if VALKEY_STORE
            case "valkey":
                let host = url?.host() ?? ""
                let socket = ValkeyServerAddress.unixDomainSocket(path: url?.path() ?? "")
                let address = host.isEmpty ? socket : .hostname(host, port: url?.port ?? 6379)
                let client = ValkeyClient(address, logger: Logger(label: "valkey"))
                store = MSALValkeyStore(client)
                run = { await client.run() }
        #endif
        #if POSTGRES_STORE
            case "postgres":
                let client = PostgresClient(configuration: Self.postgres(url))
                let table = MSALPostgresStore(client)
                store = table
                run = { await client.run() }
                prepare = { try await Self.makeTable(of: table) }
        #endif
        default:
            let message =
                "SHARED_CACHE is valkey://… or postgres://…. Build with SHARED_CACHE_DRIVER=valkey or =postgres."
            throw MSALTokenError(kind: .configuration, message: message)
        }
    }

    #if POSTGRES_STORE
        /// Creates the table. An instance that starts while the server is down waits for it for half a minute.
        private static func makeTable(of store: MSALPostgresStore) async throws {
            for attempt in 1...30 {
                do {
                    return try await store.createTable()
                } catch let error as MSALPostgresStoreError {
                    // The table belongs to another program or version. Waiting does not help.
                    throw error
                } catch {
                    // The server rejects the request, unless it is stopping or starting (PostgreSQL's codes 57…).
                    let state = (error as? PSQLError)?.serverInfo?[.sqlState]
                    guard attempt < 30, state?.hasPrefix("57") ?? true else { throw error }
                    try await Task.sleep(for: .seconds(1))
                }
            }
        }

        private static func postgres(_ url: URL?) -> PostgresClient.Configuration {
            let (host, user, path) = (url?.host() ?? "", url?.user() ?? "postgres", url?.path() ?? "")
            if host.isEmpty {
                let socket = path + "/.s.PGSQL.5432"
                return .init(unixSocketPath: socket, username: user, password: url?.password(), database: "postgres")
            }
            return PostgresClient.Configuration(
                host: host,
                port: url?.port ?? 5432,
                username: user,
                password: url?.password(),
                database: String(path.dropFirst()),
                tls: host == "localhost" ? .disable : .require(.makeClientConfiguration())
            )
        }
    #endif
}
