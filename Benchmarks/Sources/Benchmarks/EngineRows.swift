// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// The cache that instances share, over a server of a store on this machine: Valkey or PostgreSQL.
struct EngineRows {
    let table: Table
    let folder: String
    /// The largest number of sessions.
    let most: Int
    let engine: Engine

    func run() async throws {
        let endpoint = try Endpoint(folder)
        defer { endpoint.stop() }
        table.title("The shared cache over \(engine.name); the column of accounts is that of long-running sessions")
        try await misses()
        try await users()
        try await room()
        try await pause()
        try await blackHole()
        // The last one: the server does not come back.
        try await kill()
    }

    /// Sessions that another instance has begun, one after the other.
    private func misses() async throws {
        let (samples, calls) = (20, 50)
        // One sample more, which is not counted.
        let count = (samples + 1) * calls
        let store = WatchedStore(try await engine.makeStore())
        let first = try await Instance(over: store, beginning: count)
        let second = try await Instance(over: store, knowing: first.sessions)
        let rounds = Rounds(samples: samples, calls: calls, seconds: 60)
        let roundTrip = try await measured(rounds) { _ in try await engine.ask() }
        let figure = try await measured(rounds) { number in _ = try await second.token(number) }
        table.row("a question of the driver alone, and its answer", at: nil, roundTrip, key: "question")
        table.row("a token that the memory lacks, from the store", at: count, figure, key: "shared-miss")
        table.row(
            "its time on the wall, beyond a question",
            at: count,
            value: figure.wallMedian - roundTrip.wallMedian,
            unit: .microseconds,
            limit: Limit(what: "a question", value: roundTrip.wallMedian),
            key: "shared-miss-beyond",
            target: engine.mostBeyondQuestion
        )
    }

    /// A thousand users in turn at three instances, a thousand requests a second, beside one instance without a store.
    private func users() async throws {
        let count = min(1000, most)
        let alone = try await Instance(beginning: count)
        let without = try await Load(on: [alone], seconds: 5).percentile99
        let store = WatchedStore(try await engine.makeStore())
        let before = try await engine.bytes()
        // All users sign in at once, which may take two processors longer than the usual limit.
        let first = try await Instance(over: store, beginning: count) { $0.timeLimit = .seconds(5) }
        let bytes = try await engine.bytes() - before
        // The memory's copy is compared with the store once in a second, so that the store is asked all the time.
        let other = { (shared: inout MSALSharedCacheConfiguration) in shared.memoryAge = .seconds(1) }
        let instances = [
            first, try await Instance(over: store, knowing: first.sessions, other),
            try await Instance(over: store, knowing: first.sessions, other),
        ]
        let asked = store.asked
        let calls = try await Load(on: instances, seconds: 10)
        table.row(
            "1,000 requests a second at three instances: 99th percentile beyond one without a store",
            at: count,
            value: calls.percentile99 - without,
            unit: .microseconds,
            limit: Limit(what: "without", value: without),
            target: engine.mostAt99
        )
        table.row(
            "redemptions of these \(calls.count) requests, which asked the store \(store.asked - asked) times",
            at: count,
            value: Double(calls.redemptions),
            unit: .ratio,
            target: 0
        )
        table.row(
            "memory of the store for each user with one resource",
            at: count,
            value: Double(bytes) / Double(count),
            unit: .bytes,
            key: "shared-room",
            target: 3200
        )
    }

    /// What the server needs for many users with one resource each, who all sign in at one instance.
    private func room() async throws {
        let count = min(100_000, most)
        say("  (\(count) users sign in)")
        let store = WatchedStore(try await engine.makeStore())
        let before = try await engine.bytes()
        // A store that is left alone for a while would lack users.
        _ = try await Instance(over: store, beginning: count) { $0.timeLimit = .seconds(30) }
        let bytes = try await engine.bytes() - before
        // A grant and a token.
        guard store.written == 2 * count else {
            table.failed("memory of the store", at: count, because: "\(store.written) values were written")
            return
        }
        table.row(
            "memory of the store for all users with one resource",
            at: count,
            value: Double(bytes),
            unit: .bytes,
            limit: Limit(what: "for each", value: Double(bytes) / Double(count)),
            target: 3200 * Double(count)
        )
        guard let bytesOfUser = engine.bytesOfUser else { return }
        var users: [Int] = []
        for _ in 0..<101 { users.append(try await bytesOfUser()) }
        table.row(
            "what the server itself counts for a user",
            at: count,
            value: Double(users.sorted()[50]),
            unit: .bytes,
            target: 3200
        )
    }

    // MARK: Faults

    /// The server is stopped in the middle, and goes on.
    private func pause() async throws {
        try await fault(
            "a server that is paused",
            of: engine.makeStore(),
            begin: { engine.signal(SIGSTOP) },
            end: { engine.signal(SIGCONT) }
        )
    }

    /// Something between the instance and the server takes connections and questions, and answers none.
    private func blackHole() async throws {
        let hole = try BlackHole(before: engine.socket, at: folder + "/black-hole")
        defer { hole.stop() }
        try await fault(
            "a black hole before the server",
            of: engine.makeStoreBehind(hole.socket),
            begin: hole.open,
            end: hole.close
        )
    }

    /// The server is killed and never comes back.
    private func kill() async throws {
        try await fault(
            "a server that was killed",
            of: engine.makeStore(),
            begin: { engine.signal(SIGKILL) },
            end: nil
        )
    }

    /// All calls are served from the memory.
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
