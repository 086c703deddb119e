// Licensed under the MIT License. See LICENSE.
public import MSALServer
import NIOCore
public import Valkey

/// Keeps the shared cache of a service in Valkey, or in Redis 6.2 or later.
///
/// ```swift
/// let connections = MSALValkeyConnectionLog(logger)
/// let client = ValkeyClient(address, configuration: settings, logger: connections.logger)
/// // In a task of its own: await client.run()
/// let store = try await MSALValkeyStore(checking: client, connections: connections)
/// let shared = try MSALSharedCacheConfiguration(store, keys: [key])
/// ```
///
/// The client is the application's own. Addresses, TLS, users, the cluster and the time limits of connections are its
/// settings, and the application runs it: before `client.run()` no call is answered.
///
/// Each partition is one hash, whose key is the prefix and the partition in braces. The braces are its hash tag (Valkey,
/// "Cluster specification", section on hash tags): in a cluster a partition and its leases are on one node, and each
/// function asks a node once. The functions that write are Lua scripts, which the server runs as one step. A user of the
/// server (ACL) needs the commands `EVAL`, `EVALSHA`, `TIME`, `HGET`, `HSET`, `HDEL`, `HRANDFIELD`, `PTTL`, `PEXPIRE`,
/// `EXISTS`, `GET`, `SET`, `DEL` and `UNLINK` on the keys of the prefix.
///
/// An error of the driver passes through; `MSALServer` counts it as a failure of the store and goes on without it.
public struct MSALValkeyStore: MSALDistributedTokenStore {
    /// What the keys of this store begin with.
    public let prefix: String

    private let current: @Sendable () -> any ValkeyClientProtocol

    /// A store in the database that a client is connected to.
    ///
    /// - Parameters:
    ///   - client: A client for one server, with or without replicas, or one for a cluster.
    ///   - prefix: What the keys begin with. Services that share a server and no tokens have different ones. It never
    ///     changes: values are bound to it. Braces in it would break the hash tag, so they are left out.
    public init(_ client: some ValkeyClientProtocol, prefix: String = "msal:1:") {
        self.init(prefix: prefix) { client }
    }

    /// A store on a client that the application replaces now and then, as one whose password is a token that ends.
    ///
    /// - Parameters:
    ///   - prefix: What the keys begin with. It never changes: values are bound to it. Braces are left out.
    ///   - current: Gives the client for a call. It must not wait, and both clients are connected to the same data.
    public init(prefix: String = "msal:1:", current: @escaping @Sendable () -> any ValkeyClientProtocol) {
        self.current = current
        self.prefix = prefix.filter { $0 != "{" && $0 != "}" }
    }

    /// A store whose user may run all commands that it needs. The check writes a value, which it removes again.
    ///
    /// - Parameters:
    ///   - client: The client, which has to run.
    ///   - prefix: What the keys begin with. It never changes: values are bound to it. Braces are left out.
    ///   - connections: The log of the client, from which the error takes the reason why there is no connection.
    ///   - timeLimit: The time after which the check fails.
    /// - Throws: ``MSALValkeyConnectionError``, whose description has the reason: let the service fail to start. Any other
    ///   error of the driver.
    public init(
        checking client: some ValkeyClientProtocol,
        prefix: String = "msal:1:",
        connections: MSALValkeyConnectionLog? = nil,
        timeLimit: Duration = .seconds(10)
    ) async throws {
        self.init(client, prefix: prefix)
        try await Self.run(check, for: timeLimit, watching: connections)
    }

    /// Runs a check until it ends, the client's log has a refusal, or the time limit is reached. The driver's call may not end
    /// when it is canceled, so the check is not a child task.
    private static func run(
        _ check: @escaping @Sendable () async throws -> Void,
        for timeLimit: Duration,
        watching connections: MSALValkeyConnectionLog?
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
            continuation.yield(.failure(failure ?? MSALValkeyConnectionError(.timedOut)))
        }
        defer {
            call.cancel()
            watch.cancel()
        }
        for await outcome in outcomes { return try outcome.get() }
        throw CancellationError()
    }

    /// Runs each command once that the store may run.
    private func check() async throws {
        let name = MSALStoreName("check", in: MSALStorePartition("check"))
        do {
            _ = try await write([1], to: name, expiresIn: .seconds(10), if: .always, lease: nil)
            _ = try await read([name])
            if let lease = try await lease(on: name, for: .seconds(1)) { try await release(lease) }
            try await remove([name])
            try await removeAll(in: name.partition)
        } catch let error as ValkeyClientError where error.errorCode == .commandError {
            throw MSALValkeyConnectionError(server: error.message ?? "")
        }
    }

    /// The values of these names, in one round trip to each node that has some.
    public func read(_ names: [MSALStoreName]) async throws -> [MSALStoreEntry?] {
        let partitions = Dictionary(grouping: names.indices) { names[$0].partition }.sorted {
            $0.value[0] < $1.value[0]
        }
        let answers = try await answers(
            of: partitions.map { partition, places in
                ScriptCall(
                    .read,
                    keys: [key(of: partition)],
                    arguments: [.number(Self.readLimit)] + places.map { .text(names[$0].text) }
                )
            }
        )
        var entries = [MSALStoreEntry?](repeating: nil, count: names.count)
        for ((_, places), answer) in zip(partitions, answers) {
            let parts = try answer.decode(as: [ByteBuffer?].self)
            guard parts.count == 3 * places.count else { throw MSALValkeyStoreError.unexpectedAnswer }
            for (order, place) in places.enumerated() {
                entries[place] = try Self.entry(of: Array(parts[(3 * order)..<(3 * order + 3)]))
            }
        }
        return entries
    }

    /// Keeps a value if the condition holds, with one script.
    public func write(
        _ value: [UInt8],
        to name: MSALStoreName,
        expiresIn: Duration,
        if condition: MSALWriteCondition,
        lease: (any MSALStoreLease)?
    ) async throws -> Bool {
        let expected =
            switch condition {
            case .always: "always"
            case .absent: "absent"
            case .version(let version): String(version.number)
            }
        let call = ScriptCall(
            .write,
            keys: [key(of: name.partition)],
            arguments: [
                .text(name.text), .bytes(value), .number(Self.microseconds(of: expiresIn)), .text(expected),
                .text(String(lease?.number ?? 0)),
            ]
        )
        return try await answer(of: call).decode(as: Int.self) == 1
    }

    /// Removes values, in one round trip to each node that has some.
    public func remove(_ names: [MSALStoreName]) async throws {
        let partitions = Dictionary(grouping: names, by: \.partition)
        try await answers(
            to: partitions.map { partition, names in HDEL(key(of: partition), fields: names.map(\.text)) }
        )
    }

    /// Removes the hash of a partition. Its leases end by themselves.
    public func removeAll(in partition: MSALStorePartition) async throws {
        _ = try await current().execute(UNLINK(keys: [key(of: partition)]))
    }

    /// Takes a lease, with one script.
    public func lease(on name: MSALStoreName, for duration: Duration) async throws -> (any MSALStoreLease)? {
        let call = ScriptCall(
            .lease,
            keys: [key(of: name.partition), leaseKey(of: name)],
            arguments: [.text(name.text), .number((Self.microseconds(of: duration) + 999) / 1000)]
        )
        guard let number = try await answer(of: call).decode(as: String?.self) else { return nil }
        guard let number = UInt64(number) else { throw MSALValkeyStoreError.unexpectedAnswer }
        return Lease(name: name, number: number)
    }

    /// Gives a lease back if it is still this one, with one script.
    public func release(_ lease: any MSALStoreLease) async throws {
        let call = ScriptCall(.release, keys: [leaseKey(of: lease.name)], arguments: [.text(String(lease.number))])
        _ = try await answer(of: call)
    }
}

extension MSALValkeyStore {
    private struct Lease: MSALStoreLease {
        let name: MSALStoreName
        let number: UInt64
    }

    /// A byte more than a value may have.
    private static let readLimit: Int64 = 64 * 1024 + 1

    /// Ten years at most, so that a sum with the time of the server stays exact in Lua.
    private static func microseconds(of duration: Duration) -> Int64 {
        let (seconds, attoseconds) = min(max(duration, .milliseconds(1)), .seconds(315_360_000)).components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    private func key(of partition: MSALStorePartition) -> ValkeyKey { ValkeyKey("\(prefix){\(partition.text)}") }

    private func leaseKey(of name: MSALStoreName) -> ValkeyKey {
        ValkeyKey("\(prefix){\(name.partition.text)}:lease:\(name.text)")
    }

    private static func entry(of parts: [ByteBuffer?]) throws -> MSALStoreEntry? {
        guard let version = parts[0], let left = parts[1], let value = parts[2] else { return nil }
        guard let version = UInt64(String(buffer: version)), let left = Int64(String(buffer: left)) else {
            throw MSALValkeyStoreError.unexpectedAnswer
        }
        return MSALStoreEntry(
            value: Array(value.readableBytesView),
            version: MSALStoreVersion(version),
            expiresIn: .microseconds(left)
        )
    }
}

// MARK: - Scripts

extension MSALValkeyStore {
    private func answer(of call: ScriptCall) async throws -> RESPToken {
        let client = current()
        do {
            return try await client.execute(RunKept(call: call))
        } catch  where error.isUnknownScript {
            return try await client.execute(RunText(call: call))
        }
    }

    /// Runs the calls in one round trip, and all once more with their texts if the server does not have their script.
    private func answers(of calls: [ScriptCall]) async throws -> [RESPToken] {
        do {
            return try await answers(to: calls.map { RunKept(call: $0) })
        } catch let error as ValkeyClientError where error.isUnknownScript {
            return try await answers(to: calls.map { RunText(call: $0) })
        }
    }

    /// Runs commands in one round trip. All have to succeed.
    @discardableResult
    private func answers(to commands: [any ValkeyCommand]) async throws -> [RESPToken] {
        try await current().execute(commands).map { try $0.get() }
    }
}

extension ValkeyClientError {
    /// The server has restarted, was emptied of scripts, or is another one than before.
    fileprivate var isUnknownScript: Bool {
        errorCode == .commandError && message?.hasPrefix("NOSCRIPT") == true
    }
}

/// What goes wrong between the store and a server that answers.
public enum MSALValkeyStoreError: Error, Sendable, Hashable {
    /// The server answered a script of the store in a form that the script cannot have. Something between them changes
    /// answers, or the server is none of the engines above.
    case unexpectedAnswer
}
