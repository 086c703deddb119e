// Licensed under the MIT License. See LICENSE.

import CoreMetrics
import Foundation
import MSALServer
import MSALStoreConformance

/// The cache that instances share, over a store in this process. So the rows are the library's own part, without the way to
/// an engine and without its work.
struct SharedRows {
    let table: Table
    let folder: String
    /// The largest number of sessions.
    let most: Int

    func run() async throws {
        let endpoint = try Endpoint(folder)
        defer { endpoint.stop() }
        table.title("The cache that instances share; the column of accounts is that of long-running sessions")
        try await hits()
        try await misses()
        try await outage(.failing)
        try await outage(.silent)
        try await crowd()
    }

    // MARK: Hits

    /// The same tokens in the memory of three applications: alone, with a store below the memory, and with metrics.
    private func hits() async throws {
        let count = min(1000, most)
        let store = WatchedStore()
        let alone = try await Instance(beginning: count)
        let shared = try await Instance(over: store, beginning: count)
        let counting = try await Instance(metrics: CountingMetrics(), beginning: count)
        let order = Self.order(of: count)
        let asked = store.asked
        var costs: (alone: [Cost], shared: [Cost], counting: [Cost]) = ([], [], [])
        for _ in 0..<31 {
            costs.alone.append(try await alone.ask(order))
            costs.shared.append(try await shared.ask(order))
            costs.counting.append(try await counting.ask(order))
        }
        let (without, with) = (Figure(costs.alone), Figure(costs.shared))
        table.row("a token from the memory, without a shared cache", at: count, without)
        table.row("the same with one", at: count, with)
        table.row(
            "the same, in times of without",
            at: count,
            value: with.median / without.median,
            unit: .ratio,
            target: 1.05
        )
        table.row(
            "questions to the store of all these",
            at: count,
            value: Double(store.asked - asked),
            unit: .ratio,
            target: 0
        )
        table.row(
            "with metrics that count it, more than without",
            at: count,
            value: Figure(costs.counting).median - without.median,
            unit: .microseconds,
            target: 0.06
        )
    }

    /// Sessions as they are asked for: by chance, and the same ones in each run.
    private static func order(of count: Int) -> [Int] {
        var dice = Dice()
        return (0..<8192).map { _ in dice.roll(count) }
    }

    /// For each line that it reads, prints the processor time of a hit, so that several builds of this program can take turns.
    static func hitOnDemand(isCounted: Bool) async throws {
        let folder = NSTemporaryDirectory() + "msal-benchmark-\(getpid())"
        let endpoint = try Endpoint(folder)
        defer {
            endpoint.stop()
            try? FileManager.default.removeItem(atPath: folder)  // A temporary folder anyway.
        }
        let count = 1000
        let instance = try await Instance(metrics: isCounted ? CountingMetrics() : nil, beginning: count)
        let order = Self.order(of: count)
        _ = try await instance.ask(order)
        while readLine() != nil {
            let cost = try await instance.ask(order)
            say("\(cost.cpu)")
        }
    }

    // MARK: Misses

    /// Sessions that another instance has begun. The grant and the token are opened, and read.
    private func misses() async throws {
        let (samples, calls) = (20, 50)
        // One sample more, which is not counted.
        let count = (samples + 1) * calls
        let store = WatchedStore()
        let first = try await Instance(over: store, beginning: count)
        let second = try await Instance(over: store, knowing: first.sessions)
        let asked = store.asked
        let figure = try await measured(Rounds(samples: samples, calls: calls, seconds: 60)) { number in
            _ = try await second.token(number)
        }
        table.row("a token that the memory lacks, from the store", at: count, figure, target: 60)
        table.row(
            "questions to the store for each",
            at: count,
            value: Double(store.asked - asked) / Double(count),
            unit: .ratio,
            target: 1
        )
    }

    // MARK: Outages

    private func outage(_ mode: WatchedStore.Mode) async throws {
        let store = WatchedStore()
        let rows = OutageRows(
            table: table,
            name: mode == .failing ? "a store that fails" : "a store that is silent",
            seconds: most >= 10_000 ? 25 : 12,
            mostSlow: mode == .failing ? 0 : 110,
            begin: { store.mode = mode },
            end: { store.mode = .answering }
        )
        try await rows.run(over: store, sessions: min(100, most))
    }

    // MARK: One renewal for all

    /// One expired token, twenty instances, and a thousand callers at each. The endpoint takes five seconds.
    private func crowd() async throws {
        let store = WatchedStore()
        let first = try await Instance(over: store, beginning: 1, scope: "https://short.example/Read")
        var instances = [first]
        for _ in 1..<20 {
            instances.append(try await Instance(over: store, knowing: first.sessions, scope: first.scope))
        }
        let leases = store.leases
        let start = Moment()
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for instance in instances {
                for _ in 0..<1000 { group.addTask { try await instance.token(0).accessToken } }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        let time = start.cost().wall
        table.row(
            "redemptions for 20 instances with 1,000 callers each",
            at: 1,
            value: Double(tokens.count),
            unit: .ratio,
            target: 1
        )
        table.row(
            "the last caller, where a redemption takes 5 s",
            at: 1,
            value: time,
            unit: .microseconds,
            target: 5.25e6
        )
        table.row(
            "attempts for the lease, of each instance in a second",
            at: 1,
            value: Double(store.leases - leases) / 20 / (time / 1e6),
            unit: .ratio,
            target: 40
        )
    }
}

/// An instance of a service, with the sessions that it knows.
struct Instance: Sendable {
    let sessions: [MSALSessionKey]
    let scope: String
    private let application: MSALConfidentialClientApplication

    /// An instance that begins sessions of its own, of as many users.
    init(
        over store: WatchedStore? = nil,
        metrics: CountingMetrics? = nil,
        beginning count: Int,
        scope: String = "https://graph.microsoft.com/User.Read",
        _ change: (inout MSALSharedCacheConfiguration) -> Void = { _ in }
    ) async throws {
        let application = try Self.application(over: store, metrics: metrics, change)
        self.application = application
        self.scope = scope
        sessions = try (0..<count).map { try MSALSessionKey("the session of user \($0), a key for benchmarks") }
        try await ServerRows.inParallel(count) { [sessions] number in
            _ = try await application.startLongRunning(
                ServerRows.caller(number),
                scopes: [scope],
                session: sessions[number]
            )
        }
    }

    /// An instance that knows the sessions of another one, and has none of their tokens.
    init(
        over store: WatchedStore,
        knowing sessions: [MSALSessionKey],
        scope: String = "https://graph.microsoft.com/User.Read",
        _ change: (inout MSALSharedCacheConfiguration) -> Void = { _ in }
    ) async throws {
        application = try Self.application(over: store, metrics: nil, change)
        self.scope = scope
        self.sessions = sessions
    }

    func token(_ number: Int) async throws -> MSALTokenResult {
        try await application.acquireToken(inLongRunning: sessions[number], scopes: [scope])
    }

    /// The mean cost of a call.
    @concurrent func ask(_ order: [Int]) async throws -> Cost {
        let scopes = [scope]
        let start = Moment()
        for number in order { _ = try await application.acquireToken(inLongRunning: sessions[number], scopes: scopes) }
        return start.cost(calls: order.count)
    }

    private static func application(
        over store: WatchedStore?,
        metrics: CountingMetrics?,
        _ change: (inout MSALSharedCacheConfiguration) -> Void
    ) throws -> MSALConfidentialClientApplication {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: Content.clientID,
            authority: .tenant(Content.tenant),
            credential: .secret("not-a-secret")
        )
        configuration.caFile = ProcessInfo.processInfo.environment["BENCHMARK_CA"].map { URL(filePath: $0) }
        #if !WITHOUT_OBSERVATION
            configuration.metrics = metrics
        #endif
        if let store {
            var shared = try MSALSharedCacheConfiguration(store, keys: [MSALSealingKey(id: 1, secret: 0..<32)])
            shared.writesThrough = true
            change(&shared)
            configuration.cache = MSALTokenCache(shared: shared)
        }
        return try MSALConfidentialClientApplication(configuration: configuration)
    }
}
