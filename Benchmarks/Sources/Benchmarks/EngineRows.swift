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
        try await pause()
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
        table.row("a question of the driver alone, and its answer", at: nil, roundTrip)
        table.row("a token that the memory lacks, from the store", at: count, figure)
        table.row(
            "its time on the wall, beyond a question",
            at: count,
            value: figure.wallMedian - roundTrip.wallMedian,
            unit: .microseconds,
            limit: Limit(what: "a question", value: roundTrip.wallMedian),
            target: engine.mostBeyondQuestion
        )
    }

    /// A thousand users in turn at three instances, a thousand requests a second, beside one instance without a store.
    private func users() async throws {
        let count = min(1000, most)
        let alone = try await Instance(beginning: count)
        let without = try await SharedRows.calls(of: alone, seconds: 5)
        let store = WatchedStore(try await engine.makeStore())
        let before = try await engine.bytes()
        let first = try await Instance(over: store, beginning: count)
        let bytes = try await engine.bytes() - before
        // The memory's copy is compared with the store once in a second, so that the store is asked all the time.
        let other = { (shared: inout MSALSharedCacheConfiguration) in shared.memoryAge = .seconds(1) }
        let instances = [
            first, try await Instance(over: store, knowing: first.sessions, other),
            try await Instance(over: store, knowing: first.sessions, other),
        ]
        let asked = store.asked
        let calls = try await SharedRows.calls(of: instances, seconds: 10)
        table.row(
            "1,000 requests a second at three instances: 99th percentile beyond one without a store",
            at: count,
            value: Self.percentile(calls.map(\.time)) - Self.percentile(without),
            unit: .microseconds,
            limit: Limit(what: "without", value: Self.percentile(without)),
            target: engine.mostAt99
        )
        table.row(
            "redemptions of these \(calls.count) requests, which asked the store \(store.asked - asked) times",
            at: count,
            value: Double(calls.count { $0.source != .cache }),
            unit: .ratio,
            target: 0
        )
        table.row(
            "memory of the store for each user with one resource",
            at: count,
            value: Double(bytes) / Double(count),
            unit: .bytes,
            target: 3200
        )
    }

    private static func percentile(_ times: [Double]) -> Double {
        times.isEmpty ? .nan : times.sorted()[times.count * 99 / 100]
    }

    /// The server is stopped in the middle, and goes on. All calls are served from the memory.
    private func pause() async throws {
        let count = min(100, most)
        let store = WatchedStore(try await engine.makeStore())
        let instance = try await Instance(over: store, beginning: count) { $0.memoryAge = .milliseconds(1) }
        _ = try await SharedRows.calls(of: instance, seconds: 2)
        engine.signal(SIGSTOP)
        let begin = try await SharedRows.calls(of: instance, seconds: 1)
        let asked = store.asked
        let during = try await SharedRows.calls(of: instance, seconds: 12)
        let trials = store.asked - asked
        engine.signal(SIGCONT)
        let recovery = Moment()
        let answered = store.finished
        while store.finished == answered, recovery.secondsSince < 30 {
            _ = try await instance.token(0)
            try await Task.sleep(for: .milliseconds(10))
        }
        table.row(
            "a server that is paused: calls of more than 50 ms",
            at: count,
            value: Double((begin + during).count { $0 > 50_000 }),
            unit: .ratio,
            target: 110
        )
        table.row(
            "share of calls of at most 1 ms after the first second",
            at: count,
            value: 100 * Double(during.count { $0 <= 1000 }) / Double(during.count),
            unit: .ratio,
            target: 99,
            isFloor: true
        )
        table.row("questions in 12 s after the first second", at: count, value: Double(trials), unit: .ratio, target: 2)
        table.row(
            "from the end of the pause to the next answer",
            at: count,
            value: recovery.cost().wall,
            unit: .microseconds,
            target: 11e6
        )
    }
}
