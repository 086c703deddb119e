// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// The cache that instances share, over a store server on this machine: Valkey or PostgreSQL.
struct EngineRows {
    let table: Table
    let folder: String
    /// The largest number of sessions.
    let most: Int
    let engine: Engine

    func run() async throws {
        let endpoint = try Endpoint(folder)
        defer { endpoint.stop() }
        table.title("Shared cache over \(engine.name) (accounts: sessions)")
        try await misses()
        try await users()
        try await storage()
        try await pause()
        try await blackHole()
        // Runs last, because the server does not come back.
        try await kill()
    }

    /// Sessions that another instance started, one after the other.
    private func misses() async throws {
        let (samples, calls) = (20, 50)
        // One additional sample warms up.
        let count = (samples + 1) * calls
        let store = WatchedStore(try await engine.makeStore())
        let first = try await Instance(over: store, starting: count)
        let second = try await Instance(over: store, knowing: first.sessions)
        let rounds = Rounds(samples: samples, calls: calls, seconds: 60)
        let roundTrip = try await measured(rounds) { _ in try await engine.ping() }
        let figure = try await measured(rounds) { number in _ = try await second.token(number) }
        table.row("one round trip of the driver", at: nil, roundTrip, key: "question")
        table.row("token from the store", at: count, figure, key: "shared-miss")
        table.row(
            "token from the store, elapsed time beyond one round trip",
            at: count,
            value: figure.wallMedian - roundTrip.wallMedian,
            unit: .microseconds,
            limit: Limit(what: "round trip", value: roundTrip.wallMedian),
            key: "shared-miss-beyond",
            target: engine.mostBeyondRoundTrip
        )
    }

    /// A thousand requests per second of a thousand users at three instances, compared with one instance without a store.
    private func users() async throws {
        let count = min(1000, most)
        let alone = try await Instance(starting: count)
        let without = try await Load(on: [alone], seconds: 5).percentile99
        let store = WatchedStore(try await engine.makeStore())
        let before = try await engine.bytes()
        // All users sign in at once, which may take longer than the default time limit on two processors.
        let first = try await Instance(over: store, starting: count) { $0.timeLimit = .seconds(5) }
        let bytes = try await engine.bytes() - before
        // Compares the cached copy with the store once per second, so that the store is queried all the time.
        let other = { (shared: inout MSALSharedCacheConfiguration) in shared.memoryAge = .seconds(1) }
        let instances = [
            first, try await Instance(over: store, knowing: first.sessions, other),
            try await Instance(over: store, knowing: first.sessions, other),
        ]
        let queries = store.queries
        let calls = try await Load(on: instances, seconds: 10)
        table.row(
            "1,000 requests per second at three instances: increase of the 99th percentile",
            at: count,
            value: calls.percentile99 - without,
            unit: .microseconds,
            limit: Limit(what: "without", value: without),
            target: engine.mostAt99
        )
        table.row(
            "redemptions of these requests",
            at: count,
            value: Double(calls.redemptions),
            unit: .ratio,
            limit: Limit(what: "\(calls.count) requests, \(store.queries - queries) queries", value: nil),
            target: 0
        )
        table.row(
            "storage per user with one resource",
            at: count,
            value: Double(bytes) / Double(count),
            unit: .bytes,
            key: "shared-room",
            target: 3200
        )
    }

    /// The server's storage for many users with one resource each, who all sign in at one instance.
    private func storage() async throws {
        let count = min(100_000, most)
        say("  (\(count) users sign in)")
        let store = WatchedStore(try await engine.makeStore())
        let before = try await engine.bytes()
        // A store that is bypassed after a timeout would miss users.
        _ = try await Instance(over: store, starting: count) { $0.timeLimit = .seconds(30) }
        let bytes = try await engine.bytes() - before
        // One grant and one token per user.
        guard store.written == 2 * count else {
            table.failed("storage", at: count, because: "\(store.written) values were written")
            return
        }
        table.row(
            "storage for all users with one resource",
            at: count,
            value: Double(bytes),
            unit: .bytes,
            limit: Limit(what: "per user", value: Double(bytes) / Double(count)),
            target: 3200 * Double(count)
        )
        guard let bytesOfUser = engine.bytesOfUser else { return }
        var users: [Int] = []
        for _ in 0..<101 { users.append(try await bytesOfUser()) }
        table.row(
            "storage per user, by the server's own count",
            at: count,
            value: Double(users.sorted()[50]),
            unit: .bytes,
            target: 3200
        )
    }

    // MARK: Failures

    /// The server is paused, and continues.
    private func pause() async throws {
        try await fault(
            "paused server",
            of: engine.makeStore(),
            begin: { engine.signal(SIGSTOP) },
            end: { engine.signal(SIGCONT) }
        )
    }

    /// A proxy between the instance and the server accepts connections and queries, and returns nothing.
    private func blackHole() async throws {
        let hole = try BlackHole(before: engine.socket, at: folder + "/black-hole")
        defer { hole.stop() }
        try await fault(
            "server behind a black hole",
            of: engine.makeStoreBehind(hole.socket),
            begin: hole.open,
            end: hole.close
        )
    }

    /// The server is killed and does not come back.
    private func kill() async throws {
        try await fault(
            "killed server",
            of: engine.makeStore(),
            begin: { engine.signal(SIGKILL) },
            end: nil
        )
    }

    /// The cache serves all calls.
    private func fault(
        _ name: String,
        of store: any MSALDistributedTokenStore,
        begin: @escaping () throws -> Void,
        end: (() throws -> Void)?
    ) async throws {
        let rows = OutageRows(table: table, name: name, seconds: 12, mostSlow: 110, begin: begin, end: end)
        try await rows.run(over: WatchedStore(store), sessions: min(100, most))
    }
}
