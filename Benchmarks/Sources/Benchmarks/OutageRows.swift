// Licensed under the MIT License. See LICENSE.

import Foundation

/// A failure of the store under a thousand calls per second, each of which queries the store: before, during, and after it.
struct OutageRows {
    let table: Table
    /// The name of the failure in the rows.
    let name: String
    /// The duration of the failure after its first second.
    let seconds: Double
    /// The number of calls that may be slow: those that arrive within the time limit.
    let mostSlow: Double
    let begin: () throws -> Void
    /// Ends the failure. `nil` if the store never recovers.
    let end: (() throws -> Void)?

    /// Measures an instance over `store` that starts the sessions.
    func run(over store: WatchedStore, sessions count: Int) async throws {
        let instance = try await Instance(over: store, starting: count) { shared in
            // Each call must compare the cached copy with the store.
            shared.memoryAge = .milliseconds(1)
        }
        let before = try await Load(on: [instance], seconds: 2)
        let querying = try await Self.alone(on: instance)
        try begin()
        let first = try await Load(on: [instance], seconds: 1)
        let queries = store.queries
        let during = try await Load(on: [instance], seconds: seconds)
        let trials = store.queries - queries
        let bypassing = try await Self.alone(on: instance)

        table.row(
            "\(name): slowest call",
            at: count,
            value: max(first.slowest, during.slowest),
            unit: .microseconds,
            target: 110_000
        )
        table.row(
            "\(name): calls of more than 50 ms",
            at: count,
            value: Double(first.slow + during.slow),
            unit: .ratio,
            target: mostSlow
        )
        table.row(
            "\(name): percentage of calls within 1 ms, before the failure",
            at: count,
            value: before.quickShare,
            unit: .ratio
        )
        table.row(
            "\(name): percentage of calls within 1 ms, after its first second",
            at: count,
            value: during.quickShare,
            unit: .ratio,
            target: 99,
            isFloor: true
        )
        table.row("\(name): sequential call, before the failure", at: count, querying)
        table.row("\(name): sequential call, while the store is bypassed", at: count, bypassing)
        table.row(
            "\(name): store queries after its first second",
            at: count,
            value: Double(trials),
            unit: .ratio,
            limit: Limit(what: "in \(Int(seconds)) s", value: nil),
            target: (seconds / 10).rounded(.up)
        )
        if let end { try await recovery(of: instance, over: store, sessions: count, end) }
    }

    private func recovery(
        of instance: Instance,
        over store: WatchedStore,
        sessions count: Int,
        _ end: () throws -> Void
    ) async throws {
        try end()
        let recovery = Moment()
        let reads = store.reads
        while store.reads == reads, recovery.secondsSince < 30 {
            _ = try await instance.token(0)
            try await Task.sleep(for: .milliseconds(10))
        }
        table.row(
            "\(name): from its end to the next response of the store",
            at: count,
            value: store.reads > reads ? recovery.cost().wall : .nan,
            unit: .microseconds,
            target: 11e6
        )
    }

    /// The cost of a call without concurrent calls.
    private static func alone(on instance: Instance) async throws -> Figure {
        let count = instance.sessions.count
        return try await measured(Rounds(samples: 20, calls: 50, seconds: 5)) { number in
            _ = try await instance.token(number % count)
        }
    }
}
