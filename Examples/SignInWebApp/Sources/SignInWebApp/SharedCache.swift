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

/// The store that the instances share. `SHARED_CACHE` is its address.
struct SharedCache: Sendable {
    /// The reason why there is no store.
    struct Mistake: LocalizedError {
        let errorDescription: String?
    }

    let store: any MSALDistributedTokenStore
    /// The key that encrypts the stored values. All instances have the same one.
    let secret: Data
    /// Keeps the connections open until the task is canceled.
    let run: @Sendable () async -> Void
    /// Creates what is needed in the store, while `run` keeps the connections open.
    let prepare: @Sendable () async throws -> Void

    init(
        store: any MSALDistributedTokenStore,
        secret: Data,
        run: @escaping @Sendable () async -> Void,
        prepare: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.store = store
        self.secret = secret
        self.run = run
        self.prepare = prepare
    }

    /// The store at an address: `valkey://host:port`, `valkey:///path/of/a/socket`,
    /// `postgres://user:password@host:port/database`, or `postgres:///folder/of/a/socket`.
    init(_ address: String, secret: String?) throws {
        guard let secret = secret.flatMap({ Data(base64Encoded: $0) }), secret.count >= 32 else {
            throw Mistake(
                errorDescription: "SHARED_CACHE needs SHARED_CACHE_SECRET. Create one with `openssl rand -base64 32`, and "
                    + "set the same one for all instances."
            )
        }
        guard let url = URL(string: address) else { throw Self.unknown(address) }
        switch url.scheme {
        #if VALKEY_STORE
            case "valkey":
                let host = url.host() ?? ""
                let client = ValkeyClient(
                    host.isEmpty ? .unixDomainSocket(path: url.path()) : .hostname(host, port: url.port ?? 6379),
                    logger: Logger(label: "valkey")
                )
                self.init(store: MSALValkeyStore(client), secret: secret) { await client.run() }
        #endif
        #if POSTGRES_STORE
            case "postgres":
                let client = PostgresClient(configuration: Self.postgres(url))
                let store = MSALPostgresStore(client)
                self.init(
                    store: store,
                    secret: secret,
                    run: { await client.run() },
                    prepare: { try await Self.makeTable(of: store) }
                )
        #endif
        default: throw Self.unknown(address)
        }
    }

    #if POSTGRES_STORE
        /// Creates the table. An instance that starts while the server is down waits for it for half a minute.
        ///
        /// If the role may not create tables, a database migration does this.
        private static func makeTable(of store: MSALPostgresStore) async throws {
            for _ in 0..<30 {
                do {
                    return try await store.createTable()
                } catch let error as MSALPostgresStoreError {
                    // The table belongs to another program or version. Waiting does not help.
                    throw error
                } catch let error as PSQLError where isRefusal(error) {
                    throw error
                } catch {
                    try? FileHandle.standardError.write(contentsOf: Data("The database does not respond yet.\n".utf8))
                    try await Task.sleep(for: .seconds(1))
                }
            }
            try await store.createTable()
        }

        /// Whether the server is running and rejects the request, for example because of the role's privileges. PostgreSQL's
        /// error codes that begin with 57 mean that the server is stopping or starting.
        private static func isRefusal(_ error: PSQLError) -> Bool {
            error.serverInfo?[.sqlState].map { !$0.hasPrefix("57") } ?? false
        }

        private static func postgres(_ url: URL) -> PostgresClient.Configuration {
            let (host, user) = (url.host() ?? "", url.user() ?? "postgres")
            if host.isEmpty {
                return PostgresClient.Configuration(
                    unixSocketPath: url.path() + "/.s.PGSQL.5432",
                    username: user,
                    password: url.password(),
                    database: "postgres"
                )
            }
            return PostgresClient.Configuration(
                host: host,
                port: url.port ?? 5432,
                username: user,
                password: url.password(),
                database: String(url.path().dropFirst()),
                tls: host == "localhost" ? .disable : .require(.makeClientConfiguration())
            )
        }
    #endif

    private static func unknown(_ address: String) -> Mistake {
        Mistake(
            errorDescription: "SHARED_CACHE is a valkey:// or postgres:// address. Build this program with the driver for "
                + "it: SHARED_CACHE_DRIVER=valkey or SHARED_CACHE_DRIVER=postgres before `swift build`."
        )
    }
}
