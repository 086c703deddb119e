// Licensed under the MIT License. See LICENSE.

import CoreMetrics
import Foundation
import MSALServer
import MSALStoreConformance

/// The cache that instances share, over a store in this process. The rows contain only the library's own work, without a
/// driver and a server.
struct SharedRows {
    let table: Table
    let folder: String
    /// The largest number of sessions.
    let most: Int

    func run() async throws {
        let endpoint = try Endpoint(folder)
        defer { endpoint.stop() }
        table.title("Shared cache over a store in this process (accounts: sessions)")
        try await hits()
        try await misses()
        try await outage(.failing)
        try await outage(.unresponsive)
        try await crowd()
    }

    // MARK: Hits

    /// The same cached tokens in three applications: without a store, with a store, and with metrics.
    private func hits() async throws {
        let count = min(1000, most)
        let store = WatchedStore()
        let alone = try await Instance(starting: count)
        let shared = try await Instance(over: store, starting: count)
        let counting = try await Instance(metrics: CountingMetrics(), starting: count)
        let order = Self.order(of: count)
        let queries = store.queries
        var costs: (alone: [Cost], shared: [Cost], counting: [Cost]) = ([], [], [])
        for _ in 0..<31 {
            costs.alone.append(try await alone.request(order))
            costs.shared.append(try await shared.request(order))
            costs.counting.append(try await counting.request(order))
        }
        let (without, with) = (Figure(costs.alone), Figure(costs.shared))
        table.row("cached token, without a shared cache", at: count, without)
        table.row("cached token, with a shared cache", at: count, with)
        table.row(
            "cached token, relative to without a shared cache",
            at: count,
            value: with.median / without.median,
            unit: .ratio,
            target: 1.05
        )
        table.row(
            "store queries of all these",
            at: count,
            value: Double(store.queries - queries),
            unit: .ratio,
            target: 0
        )
        table.row(
            "extra time of metrics that count a cached token",
            at: count,
            value: Figure(costs.counting).median - without.median,
            unit: .microseconds,
            target: 0.06
        )
    }

    /// Sessions in random order, which is the same in each run.
    private static func order(of count: Int) -> [Int] {
        var dice = Dice()
        return (0..<8192).map { _ in dice.roll(count) }
    }

    /// Prints the processor time of a hit for each line that it reads, so that several builds of this program can take turns.
    static func hitOnDemand(isCounted: Bool) async throws {
        let folder = NSTemporaryDirectory() + "msal-benchmark-\(getpid())"
        let endpoint = try Endpoint(folder)
        defer {
            endpoint.stop()
            try? FileManager.default.removeItem(atPath: folder)  // A temporary folder.
        }
        let count = 1000
        let instance = try await Instance(metrics: isCounted ? CountingMetrics() : nil, starting: count)
        let order = Self.order(of: count)
        _ = try await instance.request(order)
        while readLine() != nil {
            let cost = try await instance.request(order)
            say("\(cost.cpu)")
        }
    }

    // MARK: Misses

    /// Sessions that another instance started. The values of the grant and of the token are unsealed and decoded.
    private func misses() async throws {
        let (samples, calls) = (20, 50)
        // One additional sample warms up.
        let count = (samples + 1) * calls
        let store = WatchedStore()
        let first = try await Instance(over: store, starting: count)
        let second = try await Instance(over: store, knowing: first.sessions)
        let queries = store.queries
        let figure = try await measured(Rounds(samples: samples, calls: calls, seconds: 60)) { number in
            _ = try await second.token(number)
        }
        table.row("token from the store", at: count, figure, target: 60)
        table.row(
            "store queries per token from the store",
            at: count,
            value: Double(store.queries - queries) / Double(count),
            unit: .ratio,
            target: 1
        )
    }

    // MARK: Outages

    private func outage(_ mode: WatchedStore.Mode) async throws {
        let store = WatchedStore()
        let rows = OutageRows(
            table: table,
            name: mode == .failing ? "failing store" : "unresponsive store",
            seconds: most >= 10_000 ? 25 : 12,
            mostSlow: mode == .failing ? 0 : 110,
            begin: { store.mode = mode },
            end: { store.mode = .responding }
        )
        try await rows.run(over: store, sessions: min(100, most))
    }

    // MARK: One refresh for all instances

    /// One expired token, twenty instances, and a thousand callers at each. The endpoint takes five seconds.
    private func crowd() async throws {
        let store = WatchedStore()
        let first = try await Instance(over: store, starting: 1, scope: "https://short.example/Read")
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
            "redemptions of 20 instances with 1,000 callers each",
            at: 1,
            value: Double(tokens.count),
            unit: .ratio,
            target: 1
        )
        table.row(
            "last of these callers, redemption takes 5 s",
            at: 1,
            value: time,
            unit: .microseconds,
            target: 5.25e6
        )
        table.row(
            "lease attempts per instance and second",
            at: 1,
            value: Double(store.leases - leases) / 20 / (time / 1e6),
            unit: .ratio,
            target: 40
        )
    }
}

/// An instance of a service, with the keys of its sessions.
struct Instance: Sendable {
    let sessions: [MSALSessionKey]
    let scope: String
    private let application: MSALConfidentialClientApplication

    /// Creates an instance that starts `count` sessions, each of another user.
    init(
        over store: WatchedStore? = nil,
        metrics: CountingMetrics? = nil,
        starting count: Int,
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

    /// Creates an instance with the sessions of another one, and without their tokens.
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
    @concurrent func request(_ order: [Int]) async throws -> Cost {
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
