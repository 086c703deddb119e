// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

#if canImport(MSALValkeyStore)
    import Logging
    import MSALValkeyStore
    import Valkey
#endif
#if canImport(MSALPostgresStore)
    import MSALPostgresStore
    import PostgresNIO
#endif

/// The store that the instances share. `SHARED_CACHE` has its address.
struct SharedCache: Sendable {
    /// Why there is none.
    struct Mistake: LocalizedError {
        let errorDescription: String?
    }

    let store: any MSALDistributedTokenStore
    /// Seals what is kept there. All instances have the same one.
    let secret: Data
    /// Keeps the connections, until the task is cancelled.
    let run: @Sendable () async -> Void

    init(store: any MSALDistributedTokenStore, secret: Data, run: @escaping @Sendable () async -> Void) {
        self.store = store
        self.secret = secret
        self.run = run
    }

    /// The store behind an address: `valkey://host:port`, `valkey:///path/of/a/socket`, or
    /// `postgres://user:password@host:port/database`.
    init(_ address: String, secret: String?) throws {
        guard let secret = secret.flatMap({ Data(base64Encoded: $0) }), secret.count >= 32 else {
            throw Mistake(
                errorDescription: "SHARED_CACHE needs SHARED_CACHE_SECRET. Make one with `openssl rand -base64 32`, and "
                    + "give the same one to all instances."
            )
        }
        guard let url = URL(string: address) else { throw Self.unknown(address) }
        switch url.scheme {
        #if canImport(MSALValkeyStore)
            case "valkey":
                let host = url.host() ?? ""
                let client = ValkeyClient(
                    host.isEmpty ? .unixDomainSocket(path: url.path()) : .hostname(host, port: url.port ?? 6379),
                    logger: Logger(label: "valkey")
                )
                self.init(store: MSALValkeyStore(client), secret: secret) { await client.run() }
        #endif
        #if canImport(MSALPostgresStore)
            case "postgres":
                let client = PostgresClient(
                    configuration: PostgresClient.Configuration(
                        host: url.host() ?? "localhost",
                        port: url.port ?? 5432,
                        username: url.user() ?? "postgres",
                        password: url.password(),
                        database: String(url.path().dropFirst()),
                        tls: url.host() == "localhost" ? .disable : .require(.makeClientConfiguration())
                    )
                )
                self.init(store: MSALPostgresStore(client), secret: secret) { await client.run() }
        #endif
        default: throw Self.unknown(address)
        }
    }

    private static func unknown(_ address: String) -> Mistake {
        Mistake(
            errorDescription: "SHARED_CACHE is a valkey:// or postgres:// address. Build this program with the driver for "
                + "it: SHARED_CACHE_DRIVER=valkey or SHARED_CACHE_DRIVER=postgres before `swift build`."
        )
    }
}
