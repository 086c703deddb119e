// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// Silent calls that a cached token satisfies, while the cache does not change.
struct HitRows {
    let bench: Bench

    func run() async throws {
        await bench.eachSize("Hits") { location, accounts in try await run(location, accounts) }
    }

    private func run(_ location: Location, _ accounts: Int) async throws {
        let (table, limits) = (bench.table, bench.limits)
        let application = try await bench.application(location, accounts)
        let all = try application.allSilentParameters(of: accounts)
        let hash = Limit(what: "hash", value: limits.hash)
        var dice = Dice()

        // Each account once, of which nothing is cached.
        let order = dice.shuffled(accounts).prefix(1000)
        let first = try await measured(Rounds(samples: order.count), isWarm: true) { number in
            _ = try await application.acquireTokenSilent(with: all[order[number]])
        }
        if accounts > 1 {
            table.row(
                "first token of an account",
                at: accounts,
                first,
                limit: location == .store ? Limit(what: "row, unsealed", value: limits.lookup + limits.open) : hash,
                key: "\(location)-hit-random",
                target: location == .store ? 30 : nil
            )
        }
        let rounds = Rounds(samples: 51, calls: 200, seconds: 2)
        table.row(
            "one account",
            at: accounts,
            try await measured(rounds) { _ in _ = try await application.acquireTokenSilent(with: all[0]) },
            limit: hash,
            key: "\(location)-hit",
            target: location == .store ? 4 : 1.5
        )
        if accounts == 1 { return try await fromTaskAndMainActor(application, location) }
        let working = bench.workingSet(of: accounts)
        for number in 0..<working { _ = try await application.acquireTokenSilent(with: all[number]) }
        table.row(
            "repeated, \(working) accounts in random order",
            at: accounts,
            try await measured(rounds) { _ in
                _ = try await application.acquireTokenSilent(with: all[dice.roll(working)])
            },
            limit: hash,
            key: "\(location)-hit-random",
            target: location == .store ? 4 : 1.5
        )
        if accounts > working {
            table.row(
                "all accounts in random order, including first tokens",
                at: accounts,
                try await measured(Rounds(samples: 31, calls: 200, seconds: 3)) { _ in
                    _ = try await application.acquireTokenSilent(with: all[dice.roll(accounts)])
                },
                limit: hash
            )
        }
        if location == .store, accounts >= 10_000, accounts == bench.sizes().last {
            try await inTurn(application, all, miss: first.median)
        }
    }

    /// More and more accounts in turn. Beyond the capacity of the cache, each account is evicted before its next call.
    private func inTurn(
        _ application: MSALPublicClientApplication,
        _ all: [MSALSilentTokenParameters],
        miss: Double
    ) async throws {
        var slowest = 0.0
        for working in [1000, 2000, 4000, 8000, 16_000, 32_000] where working <= all.count {
            for number in 0..<working { _ = try await application.acquireTokenSilent(with: all[number]) }
            let calls = working / 10
            let figure = try await measured(Rounds(samples: 10, calls: calls, seconds: 3), isWarm: true) { number in
                _ = try await application.acquireTokenSilent(with: all[number % working])
            }
            slowest = max(slowest, figure.median)
            bench.table.row("\(working) accounts in turn", at: all.count, figure)
        }
        bench.table.row(
            "slowest of these, relative to a first token",
            at: all.count,
            value: slowest / miss,
            unit: .ratio,
            target: 2
        )
    }

    /// The same call from a task and from the main actor. They take turns, so that machine load affects both equally.
    private func fromTaskAndMainActor(_ application: MSALPublicClientApplication, _ location: Location) async throws {
        var costs: (task: [Cost], actor: [Cost], new: [Cost]) = ([], [], [])
        var switches = 0
        let (samples, calls) = (41, 200)
        for _ in 0..<samples {
            costs.task.append(try await Self.fromTask(application, calls))
            let main = try await Self.fromMainActor(application, calls)
            costs.actor.append(main.cost)
            switches += main.switches
            costs.new.append(try await Self.withNewObjects(application, calls))
        }
        let (task, actor) = (Figure(costs.task), Figure(costs.actor))
        bench.table.row("one account, from a task", at: 1, task)
        bench.table.row("one account, from the main actor", at: 1, actor, target: task.median + 0.5)
        bench.table.row(
            "voluntary context switches of the main thread per 1,000 of these",
            at: 1,
            value: 1000 * Double(switches) / Double(samples * calls),
            unit: .ratio,
            target: 1
        )
        bench.table.row("one account, new parameters object per call", at: 1, Figure(costs.new))
    }

    @concurrent private static func fromTask(
        _ application: MSALPublicClientApplication,
        _ calls: Int
    ) async throws -> Cost {
        let parameters = try application.silentParameters(0..<1)[0]
        let start = Moment()
        for _ in 0..<calls { _ = try await application.acquireTokenSilent(with: parameters) }
        return start.cost(calls: calls)
    }

    @MainActor private static func fromMainActor(
        _ application: MSALPublicClientApplication,
        _ calls: Int
    ) async throws -> (cost: Cost, switches: Int) {
        let parameters = try application.silentParameters(0..<1)[0]
        let (start, before) = (Moment(), voluntarySwitches())
        for _ in 0..<calls { _ = try await application.acquireTokenSilent(with: parameters) }
        return (start.cost(calls: calls), voluntarySwitches() - before)
    }

    @concurrent private static func withNewObjects(
        _ application: MSALPublicClientApplication,
        _ calls: Int
    ) async throws -> Cost {
        let account = try application.account(forIdentifier: Content.homeAccountID(0))
        let start = Moment()
        for _ in 0..<calls {
            let parameters = MSALSilentTokenParameters(scopes: [Content.scope], account: account)
            _ = try await application.acquireTokenSilent(with: parameters)
        }
        return start.cost(calls: calls)
    }

    /// The voluntary context switches of the calling thread, because the hop to the main actor and back is not the library's.
    @MainActor private static func voluntarySwitches() -> Int {
        var usage = rusage()
        let callingThread = __rusage_who_t(1)  // RUSAGE_THREAD, which Glibc's module hides.
        getrusage(callingThread, &usage)
        return usage.ru_nvcsw
    }
}
