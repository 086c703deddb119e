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

/// A store server that scripts/benchmark started, and its driver.
struct Engine {
    let name: String
    /// The target for a miss beyond one round trip to the server, in microseconds.
    let mostBeyondRoundTrip: Double
    /// The target for what the store adds to the 99th percentile, in microseconds.
    let mostAt99: Double
    /// The path of the Unix socket on which the server listens.
    let socket: String
    /// Creates an empty store.
    let makeStore: () async throws -> any MSALDistributedTokenStore
    /// Creates an empty store with separate connections, over another socket that forwards to the server.
    let makeStoreBehind: (_ socket: String) async throws -> any MSALDistributedTokenStore
    /// Sends the smallest query to the server.
    let ping: () async throws -> Void
    /// The bytes that the server uses for the values of all stores.
    let bytes: () async throws -> Int
    /// The bytes that the server counts for a random user. `nil` if it does not count them.
    let bytesOfUser: (() async throws -> Int)?
    /// The server's first process.
    private let process: pid_t

    /// The server cannot be measured.
    struct Absent: Error, CustomStringConvertible {
        let description: String
    }

    /// The server at the address in `BENCHMARK_STORE`, whose process ID is in `BENCHMARK_STORE_PROCESS`.
    static func running() throws -> Engine {
        let environment = ProcessInfo.processInfo.environment
        guard let address = environment["BENCHMARK_STORE"].flatMap(URL.init(string:)),
            let process = environment["BENCHMARK_STORE_PROCESS"].flatMap(pid_t.init)
        else {
            throw Absent(
                description: "BENCHMARK_STORE is not set. Run scripts/benchmark engine, which starts the server."
            )
        }
        switch address.scheme {
        #if VALKEY_STORE
            case "valkey": return valkey(address.path(), process)
        #endif
        #if POSTGRES_STORE
            case "postgres": return postgres(address.path(), process)
        #endif
        default: throw Absent(description: "This program was built without the driver for \(address).")
        }
    }

    #if VALKEY_STORE
        private static func valkey(_ socket: String, _ process: pid_t) -> Engine {
            func connected(_ socket: String) -> ValkeyClient {
                let client = ValkeyClient(.unixDomainSocket(path: socket), logger: Logger(label: "valkey"))
                Task { await client.run() }
                return client
            }
            func store(_ client: ValkeyClient) -> MSALValkeyStore {
                MSALValkeyStore(client, prefix: "bench:\(UInt64.random(in: 0...UInt64.max)):")
            }
            let client = connected(socket)
            return Engine(
                name: "Valkey",
                mostBeyondRoundTrip: 60,
                mostAt99: 2000,
                socket: socket,
                makeStore: { store(client) },
                makeStoreBehind: { store(connected($0)) },
                ping: { _ = try await client.ping() },
                bytes: {
                    let memory = try await client.info(sections: ["memory"]).memory
                    return memory?[.usedMemory].flatMap { Int($0) } ?? 0
                },
                bytesOfUser: {
                    guard let key = try await client.randomkey() else { return 0 }
                    return try await client.memoryUsage(ValkeyKey(key), count: 0) ?? 0
                },
                process: process
            )
        }
    #endif

    #if POSTGRES_STORE
        private static func postgres(_ folder: String, _ process: pid_t) -> Engine {
            func connected(_ socket: String) -> PostgresClient {
                let client = PostgresClient(
                    configuration: PostgresClient.Configuration(
                        unixSocketPath: socket,
                        username: "postgres",
                        password: nil,
                        database: "postgres"
                    )
                )
                Task { await client.run() }
                return client
            }
            func store(_ client: PostgresClient) async throws -> MSALPostgresStore {
                let store = MSALPostgresStore(client, table: "bench_\(UInt32.random(in: 0...UInt32.max))")
                try await store.createTable()
                return store
            }
            let socket = folder + "/.s.PGSQL.5432"
            let client = connected(socket)
            return Engine(
                name: "PostgreSQL",
                mostBeyondRoundTrip: 120,
                mostAt99: 5000,
                socket: socket,
                makeStore: { try await store(client) },
                makeStoreBehind: { try await store(connected($0)) },
                ping: { for try await _ in try await client.query("SELECT 1") {} },
                bytes: {
                    // Includes indexes and TOAST tables.
                    let sizes = try await client.query(
                        """
                        SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
                        WHERE relkind = 'r' AND relname LIKE 'bench\\_%'
                        """
                    )
                    for try await size in sizes.decode(Int.self) { return size }
                    return 0
                },
                bytesOfUser: nil,
                process: process
            )
        }
    #endif

    /// Sends a signal to the server and to its child processes.
    func signal(_ number: Int32) {
        for process in [process] + children { kill(process, number) }
    }

    private var children: [pid_t] {
        let folder = "/proc/\(process)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return threads.flatMap { thread in
            let text = (try? String(contentsOfFile: "\(folder)/\(thread)/children", encoding: .utf8)) ?? ""
            return text.split(separator: " ").compactMap { pid_t($0) }
        }
    }
}
