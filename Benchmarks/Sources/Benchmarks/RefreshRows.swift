// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// Silent calls that redeem a refresh token, at a token endpoint on this machine.
struct RefreshRows {
    let bench: Bench

    func run() async throws {
        let endpoint = try Endpoint(bench.path("endpoint"))
        defer { endpoint.stop() }
        bench.table.title("Refreshes, at an endpoint in another process")
        let exchange = try await endpoint.exchange(bench)
        bench.table.row("HTTPS exchange only, send(_:with:)", at: nil, exchange)
        for location in Location.allCases {
            for accounts in bench.sizes([1, 1000, 10_000]) { try await run(location, accounts, exchange) }
        }
        try await exporting(exchange)
        for location in Location.allCases {
            let accounts = min(1000, bench.options.most)
            let group = try await bench.filledStore(accounts)
            let growth = try await Child.figures(
                1,
                of: .refreshing,
                [location.rawValue, group, String(accounts), "500"]
            )
            bench.table.row(
                "growth of the process per refresh, \(location == .store ? "stored" : "in memory")",
                at: accounts,
                value: growth[0],
                unit: .bytes
            )
        }
    }

    private func run(_ location: Location, _ accounts: Int, _ exchange: Figure) async throws {
        let application = try await bench.application(location, accounts)
        let whole = try await refreshes(application, accounts)
        let name = location == .store ? "stored" : "in memory"
        bench.table.row("\(name), total", at: accounts, whole)
        bench.table.row(
            "\(name), without TLS and network",
            at: accounts,
            whole.without(exchange),
            limit: location == .store ? Limit(what: "commit", value: bench.limits.commit) : nil,
            key: "\(location)-refresh",
            target: location == .store ? 300 : 200
        )
    }

    /// An app that serializes its cache after each change.
    private func exporting(_ exchange: Figure) async throws {
        for accounts in bench.sizes([1, 1000]) {
            let shelf = Shelf(Content.text(0..<accounts), isExported: true)
            let whole = try await refreshes(try Application.overMemory(shelf), accounts)
            bench.table.row(
                "in memory, with serialization by the app, without TLS and network",
                at: accounts,
                whole.without(exchange)
            )
        }
    }

    private func refreshes(_ application: MSALPublicClientApplication, _ accounts: Int) async throws -> Figure {
        var dice = Dice()
        let numbers = (0..<min(accounts, 50)).map { _ in dice.roll(accounts) }
        let all = try application.silentParameters(numbers)
        for parameters in all { parameters.forceRefresh = true }
        return try await measured(Rounds(samples: 15, calls: 10, seconds: 3)) { number in
            _ = try await application.acquireTokenSilent(with: all[number % all.count])
        }
    }

    /// Prints the bytes by which this process grows per refresh. Runs in a child of ``run()``.
    static func growth(_ location: Location, group: String, accounts: Int, count: Int) async throws {
        let application =
            switch location {
            case .store: try Application.overStore(group)
            case .memory: try Application.overMemory(Shelf(Content.text(0..<accounts)))
            }
        let all = try application.silentParameters(0..<min(accounts, 50))
        for parameters in all { parameters.forceRefresh = true }
        func refresh() async throws {
            for number in 0..<count { _ = try await application.acquireTokenSilent(with: all[number % all.count]) }
        }
        try await refresh()
        let before = residentBytes()
        try await refresh()
        say("\((residentBytes() - before) / count)")
    }
}
