// Licensed under the MIT License. See LICENSE.

import Foundation

/// A fault of the store under a thousand calls a second, each of which looks into the store: before it, during it and after
/// it.
struct OutageRows {
    let table: Table
    /// What the rows call the store.
    let name: String
    /// How long the fault lasts after its first second.
    let seconds: Double
    /// The calls that may be slow: those that come within the time limit.
    let mostSlow: Double
    let begin: () throws -> Void
    /// Ends the fault. `nil` if the store never comes back.
    let end: (() throws -> Void)?

    /// Runs on sessions that begin at an instance over `store`.
    func run(over store: WatchedStore, sessions count: Int) async throws {
        let instance = try await Instance(over: store, beginning: count) { shared in
            // The memory's copy has always to be compared with the store.
            shared.memoryAge = .milliseconds(1)
        }
        let before = try await Load(on: [instance], seconds: 2)
        let asking = try await Self.alone(on: instance)
        try begin()
        let first = try await Load(on: [instance], seconds: 1)
        let asked = store.asked
        let during = try await Load(on: [instance], seconds: seconds)
        let trials = store.asked - asked
        let leftAlone = try await Self.alone(on: instance)

        table.row(
            "\(name): the dearest call",
            at: count,
            value: max(first.dearest, during.dearest),
            unit: .microseconds,
            target: 110_000
        )
        table.row(
            "calls of more than 50 ms, as many as come in the time limit",
            at: count,
            value: Double(first.slow + during.slow),
            unit: .ratio,
            target: mostSlow
        )
        table.row(
            "share of calls of at most 1 ms before, where each asks the store",
            at: count,
            value: before.quickShare,
            unit: .ratio
        )
        table.row(
            "the same after the first second of the fault",
            at: count,
            value: during.quickShare,
            unit: .ratio,
            target: 99,
            isFloor: true
        )
        table.row("one call after the other, before", at: count, asking)
        table.row("the same while the store is left alone", at: count, leftAlone)
        table.row(
            "questions to the store in \(Int(seconds)) s after the first second",
            at: count,
            value: Double(trials),
            unit: .ratio,
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
        let answered = store.answered
        while store.answered == answered, recovery.secondsSince < 30 {
            _ = try await instance.token(0)
            try await Task.sleep(for: .milliseconds(10))
        }
        table.row(
            "from the end of the fault to the next answer of the store",
            at: count,
            value: store.answered > answered ? recovery.cost().wall : .nan,
            unit: .microseconds,
            target: 11e6
        )
    }

    /// The cost of a call that has the processors for itself.
    private static func alone(on instance: Instance) async throws -> Figure {
        let count = instance.sessions.count
        return try await measured(Rounds(samples: 20, calls: 50, seconds: 5)) { number in
            _ = try await instance.token(number % count)
        }
    }
}
