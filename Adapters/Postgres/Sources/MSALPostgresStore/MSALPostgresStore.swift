// Licensed under the MIT License. See LICENSE.
import Logging
public import MSALServer
import NIOCore
public import PostgresNIO
import Synchronization

/// Keeps the shared cache of a service in a table of PostgreSQL 12 or later.
///
/// ```swift
/// let connections = MSALPostgresConnectionLog(logger)
/// let client = PostgresClient(configuration: settings, backgroundLogger: connections.logger)
/// // In a task of its own: await client.run()
/// let store = try await MSALPostgresStore(checking: client, connections: connections)
/// let shared = try MSALSharedCacheConfiguration(store, keys: [key])
/// ```
///
/// The client is the application's own. Addresses, TLS, the role and the number of connections are its settings, and the
/// application runs it: before `client.run()` no call is answered.
///
/// Each function is one statement. Ended rows are absent for all of them. After every 64th write an instance removes up to
/// 640 ended rows, whoever wrote them. No call waits for that.
///
/// An error of the driver passes through. `MSALServer` counts it as a failure of the store and goes on without it. A call
/// that is cancelled closes its connection, because a statement that was sent cannot be taken back.
public struct MSALPostgresStore: MSALDistributedTokenStore {
    /// The name of the table.
    public let prefix: String

    private let current: @Sendable () -> PostgresClient
    let table: TableName
    private let sweeper = Sweeper()

    /// A store in a table. Nothing is asked yet: this one is for before the client runs, and for ``createTable()``.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - table: The name of the table, with or without its schema: `identity.msal_token`. It never changes: values are
    ///     bound to it.
    public init(_ client: PostgresClient, table: String = "msal_token") {
        self.init(table: table) { client }
    }

    /// A store on a client that the application replaces now and then, as one whose password is a token that ends.
    ///
    /// - Parameters:
    ///   - table: The name of the table, with or without its schema. It never changes: values are bound to it.
    ///   - current: Gives the client for a call. It must not wait, and both clients are connected to the same database.
    public init(table: String = "msal_token", current: @escaping @Sendable () -> PostgresClient) {
        self.current = current
        self.table = TableName(table)
        prefix = table
    }

    /// A store in a table that has the columns of ``migration`` and lets the role do what the store does.
    ///
    /// - Parameters:
    ///   - client: The client, which has to run.
    ///   - table: The name of the table, with or without its schema. It never changes: values are bound to it.
    ///   - connections: The log of the client, from which the error takes the reason why there is no connection.
    ///   - timeLimit: The time after which the check fails.
    /// - Throws: ``MSALPostgresStoreError``, whose description has the statement to run: let the service fail to start.
    ///   ``MSALPostgresConnectionError`` if there is no connection. Any other error of the driver.
    public init(
        checking client: PostgresClient,
        table: String = "msal_token",
        connections: MSALPostgresConnectionLog? = nil,
        timeLimit: Duration = .seconds(10)
    ) async throws {
        self.init(client, table: table)
        try await Self.run(check, for: timeLimit, watching: connections)
    }

    /// Runs a check until it ends, the client's log has a refusal, or the time limit is reached. The driver's call may not end
    /// when it is canceled, so the check is not a child task.
    private static func run(
        _ check: @escaping @Sendable () async throws -> Void,
        for timeLimit: Duration,
        watching connections: MSALPostgresConnectionLog?
    ) async throws {
        let (outcomes, continuation) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        let start = ContinuousClock.now
        let call = Task {
            do {
                continuation.yield(.success(try await check()))
            } catch {
                continuation.yield(.failure(error))
            }
        }
        let watch = Task {
            while ContinuousClock.now - start < timeLimit {
                // The driver retries, but a refusal does not go away by itself.
                if let failure = connections?.failure(since: start), failure.reason != .unreachable {
                    continuation.yield(.failure(failure))
                }
                try await Task.sleep(for: .milliseconds(50))
            }
            // The driver pauses between two attempts for up to a minute.
            let failure = connections?.failure(since: start - .seconds(60))
            continuation.yield(.failure(failure ?? MSALPostgresConnectionError(.timedOut)))
        }
        defer {
            call.cancel()
            watch.cancel()
        }
        for await outcome in outcomes { return try outcome.get() }
        throw CancellationError()
    }

    /// The values of these names, with one statement.
    public func read(_ names: [MSALStoreName]) async throws -> [MSALStoreEntry?] {
        // Of a value that is longer than any may be, as many bytes come as show that.
        let rows = try await rows(
            """
            SELECT place, version, (extract(epoch FROM expires_at - clock_timestamp()) * 1000000)::bigint,
                substring(value FROM 1 FOR 65537)
            FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted(partition, name, place)
            JOIN \(table.quoted) USING (partition, name)
            WHERE expires_at > clock_timestamp()
            """,
            [names.map(\.partition.text), names.map(\.text)]
        )
        var entries = [MSALStoreEntry?](repeating: nil, count: names.count)
        for row in rows {
            let (place, version, left, value) = try row.decode((Int, Int64, Int64, ByteBuffer).self)
            guard entries.indices.contains(place - 1) else { continue }
            entries[place - 1] = MSALStoreEntry(
                value: Array(value.readableBytesView),
                version: MSALStoreVersion(UInt64(clamping: version)),
                expiresIn: .microseconds(left)
            )
        }
        return entries
    }

    /// Keeps a value if the condition holds, with one statement.
    public func write(
        _ value: [UInt8],
        to name: MSALStoreName,
        expiresIn: Duration,
        if condition: MSALWriteCondition,
        lease: (any MSALStoreLease)?
    ) async throws -> Bool {
        var arguments: [any PostgresThrowingDynamicTypeEncodable & Sendable] = [
            name.partition.text, name.text, ByteBuffer(bytes: value), Self.microseconds(of: expiresIn),
            Int64(clamping: lease?.number ?? 0),
        ]
        let statement: String
        switch condition {
        case .always:
            statement = insert(over: "\(Self.mayFollow) OR stored.expires_at <= clock_timestamp()")
        case .absent:
            statement = insert(over: "stored.expires_at <= clock_timestamp()")
        case .version(let version):
            arguments.append(Int64(clamping: version.number))
            statement = """
                UPDATE \(table.quoted) AS stored
                SET value = $3, version = greatest(\(Self.now), stored.version + 1), expires_at = \(Self.end), lease = $5
                WHERE partition = $1 AND name = $2 AND version = $6 AND expires_at > clock_timestamp() AND (\(Self.mayFollow))
                RETURNING version
                """
        }
        let written = try await rows(statement, arguments)
        sweeper.countWrite { [current, table] in await Self.sweep(table, on: current()) }
        return !written.isEmpty
    }

    /// Removes values, with one statement.
    public func remove(_ names: [MSALStoreName]) async throws {
        try await rows(
            """
            DELETE FROM \(table.quoted)
            WHERE (partition, name) IN (SELECT * FROM unnest($1::text[], $2::text[]))
            """,
            [names.map(\.partition.text), names.map(\.text)]
        )
    }

    /// Removes all rows of a partition.
    public func removeAll(in partition: MSALStorePartition) async throws {
        try await rows("DELETE FROM \(table.quoted) WHERE partition = $1", [partition.text])
    }

    /// Takes a lease, with one statement.
    public func lease(on name: MSALStoreName, for duration: Duration) async throws -> (any MSALStoreLease)? {
        // The row of the last lease may be gone, and the clock may go back. The value has the number of its last writer.
        let rows = try await rows(
            """
            INSERT INTO \(table.quoted) AS stored (partition, name, value, version, expires_at, lease)
            VALUES (
                $1, $2, '',
                greatest(\(Self.now), (SELECT lease + 1 FROM \(table.quoted) WHERE partition = $1 AND name = $4)),
                clock_timestamp() + $3 * interval '1 microsecond', 0
            )
            ON CONFLICT (partition, name) DO UPDATE
            SET version = greatest(excluded.version, stored.version + 1), expires_at = excluded.expires_at
            WHERE stored.expires_at <= clock_timestamp()
            RETURNING version
            """,
            [name.partition.text, Self.leaseName(of: name), Self.microseconds(of: duration), name.text]
        )
        guard let number = try rows.first?.decode(Int64.self) else { return nil }
        return Lease(name: name, number: UInt64(clamping: number))
    }

    /// Gives a lease back if it is still this one, with one statement.
    public func release(_ lease: any MSALStoreLease) async throws {
        // The row stays until it is swept up, so that the next number is greater.
        try await rows(
            "UPDATE \(table.quoted) SET expires_at = clock_timestamp() WHERE partition = $1 AND name = $2 AND version = $3",
            [lease.name.partition.text, Self.leaseName(of: lease.name), Int64(clamping: lease.number)]
        )
    }
}

// MARK: - Statements

extension MSALPostgresStore {
    private struct Lease: MSALStoreLease {
        let name: MSALStoreName
        let number: UInt64
    }

    /// Microseconds since 1970, by the clock of the server.
    private static let now = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

    /// The end of a value that lives for the microseconds in the fourth argument.
    private static let end = "clock_timestamp() + $4 * interval '1 microsecond'"

    /// Whether the writer has no lease, or no later holder has written.
    private static let mayFollow = "$5 = 0 OR stored.lease <= $5"

    /// A lease is a row beside the value's. No name of a value has a space.
    private static func leaseName(of name: MSALStoreName) -> String { "lease \(name.text)" }

    /// Ten years at most: what can be added to any time.
    private static func microseconds(of duration: Duration) -> Int64 {
        let (seconds, attoseconds) = min(max(duration, .milliseconds(1)), .seconds(315_360_000)).components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    private func insert(over condition: String) -> String {
        """
        INSERT INTO \(table.quoted) AS stored (partition, name, value, version, expires_at, lease)
        VALUES ($1, $2, $3, \(Self.now), \(Self.end), $5)
        ON CONFLICT (partition, name) DO UPDATE
        SET value = excluded.value, version = greatest(excluded.version, stored.version + 1),
            expires_at = excluded.expires_at, lease = excluded.lease
        WHERE \(condition)
        RETURNING version
        """
    }

    /// Removes rows that have ended. What another instance has locked is left to it. A failure does not matter: the next one
    /// removes them.
    private static func sweep(_ table: TableName, on client: PostgresClient) async {
        _ = try? await rows(
            """
            DELETE FROM \(table.quoted) WHERE ctid = ANY (ARRAY (
                SELECT ctid FROM \(table.quoted) WHERE expires_at <= clock_timestamp() LIMIT 640 FOR UPDATE SKIP LOCKED
            ))
            """,
            on: client
        )
    }

    /// Runs a statement.
    @discardableResult
    func rows(
        _ statement: String,
        _ arguments: [any PostgresThrowingDynamicTypeEncodable & Sendable] = []
    ) async throws -> [PostgresRow] {
        try await Self.rows(statement, arguments, on: current())
    }

    /// Runs a statement at a client.
    ///
    /// PostgresNIO 1.33 does two things otherwise. It does not end a statement whose task is cancelled: here the connection is
    /// closed then. And it forgets a statement that it gets right after the end of a connection, so that the call never
    /// returns: here the statement is given to it on the connection's event loop, where no end can come between the look at
    /// the connection and the statement.
    private static func rows(
        _ statement: String,
        _ arguments: [any PostgresThrowingDynamicTypeEncodable & Sendable] = [],
        on client: PostgresClient
    ) async throws -> [PostgresRow] {
        var binds = PostgresBindings(capacity: arguments.count)
        for argument in arguments { try binds.append(argument, context: .default) }
        let query = PostgresQuery(unsafeSQL: statement, binds: binds)
        return try await client.withConnection { connection in
            try await withTaskCancellationHandler {
                try await connection.eventLoop.flatSubmit { () -> EventLoopFuture<PostgresQueryResult> in
                    guard !connection.isClosed else {
                        return connection.eventLoop.makeFailedFuture(PostgresError.connectionClosed)
                    }
                    return connection.query(query, logger: Self.silent)
                }.get().rows
            } onCancel: {
                _ = connection.close() as EventLoopFuture<Void>
            }
        }
    }

    /// The driver's client writes the log that the application gave it.
    private static let silent = Logger(label: "msal.postgres") { _ in SwiftLogNoOpLogHandler() }
}

/// Counts the writes of an instance, and removes ended rows beside its calls.
private final class Sweeper: Sendable {
    private struct State {
        var writes = 0
        var sweep: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// The store is gone. The sweep that is under way ends.
    deinit { state.withLock { $0.sweep?.cancel() } }

    /// Counts a write. After every 64th one a sweep begins, unless one is under way.
    func countWrite(sweep: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            state.writes += 1
            guard state.writes % 64 == 0, state.sweep == nil else { return }
            // The sweeper owns this task, so the task must not own the sweeper.
            state.sweep = Task { [weak self] in
                await sweep()
                self?.state.withLock { $0.sweep = nil }
            }
        }
    }
}
