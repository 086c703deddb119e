// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// Lookups of accounts: by identifier, by username, the current one, all of them; and a lookup by username with a silent call.
struct AccountRows {
    let bench: Bench

    func run() async throws {
        await bench.eachSize("Accounts") { location, accounts in try await run(location, accounts) }
    }

    private func run(_ location: Location, _ accounts: Int) async throws {
        if location == .store { try await firstCalls(accounts) }
        let application = try await bench.application(location, accounts)
        // Loads the cache or opens the store before the first lookup.
        _ = try? application.account(forIdentifier: "unknown." + Content.tenant)
        if accounts > 1 { try await firstLookups(application, location, accounts) }
        try await repeated(application, location, accounts)
    }

    /// Looks up each account once, of which nothing is cached.
    private func firstLookups(
        _ application: MSALPublicClientApplication,
        _ location: Location,
        _ accounts: Int
    ) async throws {
        let (table, limits) = (bench.table, bench.limits)
        let row =
            location == .store
            ? Limit(what: "row, unsealed", value: limits.lookup + limits.open) : Limit(what: "hash", value: limits.hash)
        let target = location == .store ? 20.0 : nil
        var dice = Dice()
        let order = dice.shuffled(accounts).prefix(2000)
        let (ids, names) = (order.prefix(order.count / 2), order.suffix(order.count / 2))
        table.row(
            "account(forIdentifier:), first lookup of each account",
            at: accounts,
            try await measured(Rounds(samples: ids.count), isWarm: true) { number in
                _ = try application.account(forIdentifier: Content.homeAccountID(ids[ids.startIndex + number]))
            },
            limit: row,
            key: "\(location)-account-id",
            target: target
        )
        table.row(
            "account(forUsername:), first lookup of each account",
            at: accounts,
            try await measured(Rounds(samples: names.count), isWarm: true) { number in
                _ = try application.account(forUsername: Content.username(names[names.startIndex + number]))
            },
            limit: row,
            key: "\(location)-account-name",
            target: target.map { $0 + 5 }
        )
    }

    /// Repeated lookups of the same accounts, in random order.
    private func repeated(
        _ application: MSALPublicClientApplication,
        _ location: Location,
        _ accounts: Int
    ) async throws {
        let (table, limits) = (bench.table, bench.limits)
        let hash = Limit(what: "hash", value: limits.hash)
        let working = bench.workingSet(of: accounts)
        for number in 0..<working {
            _ = try application.account(forIdentifier: Content.homeAccountID(number))
            let account = try application.account(forUsername: Content.username(number))
            let parameters = MSALSilentTokenParameters(scopes: [Content.scope], account: account)
            _ = try await application.acquireTokenSilent(with: parameters)
        }
        var dice = Dice()
        let rounds = Rounds(samples: 21, calls: 200, seconds: 1.5)
        let target = location == .store ? 20.0 : nil
        let order = "repeated, \(working) account\(working == 1 ? "" : "s in random order")"
        table.row(
            "account(forIdentifier:), \(order)",
            at: accounts,
            try await measured(rounds) { _ in
                _ = try application.account(forIdentifier: Content.homeAccountID(dice.roll(working)))
            },
            limit: hash,
            key: "\(location)-account-id",
            target: target
        )
        table.row(
            "account(forUsername:), \(order)",
            at: accounts,
            try await measured(rounds) { _ in
                _ = try application.account(forUsername: Content.username(dice.roll(working)))
            },
            limit: hash,
            key: "\(location)-account-name",
            target: target
        )
        table.row(
            accounts == 1 ? "currentAccount(with:)" : "currentAccount(with:), ambiguous",
            at: accounts,
            await measured(rounds) { _ in _ = try? await application.currentAccount(with: nil) },
            limit: hash,
            target: target
        )
        table.row(
            "allAccounts(), repeated, per account",
            at: accounts,
            try await measured(Rounds(samples: 15, calls: max(1, 200 / accounts), seconds: 1.5)) { _ in
                guard try application.allAccounts().count == accounts else { throw CocoaError(.fileReadCorruptFile) }
            }.divided(by: accounts),
            limit: Limit(what: "copy", value: limits.copy),
            key: "\(location)-all-accounts",
            target: 0.5
        )
        table.row(
            "account(forUsername:), then a hit, \(order)",
            at: accounts,
            try await measured(rounds) { _ in
                let account = try application.account(forUsername: Content.username(dice.roll(working)))
                let parameters = MSALSilentTokenParameters(scopes: [Content.scope], account: account)
                _ = try await application.acquireTokenSilent(with: parameters)
            },
            limit: Limit(what: "two hashes", value: 2 * limits.hash),
            key: "\(location)-name-hit",
            target: 30
        )
    }

    private func firstCalls(_ accounts: Int) async throws {
        let group = try await bench.filledStore(accounts)
        var figures: [[Cost]] = []
        let begin = Moment()
        while figures.count < 15, figures.isEmpty || begin.secondsSince < 3 {
            let output = try await Child.output(of: .first, [group, String(accounts), Location.store.rawValue])
            let numbers = output.split(separator: " ").compactMap { Double($0) }
            figures.append(
                stride(from: 0, to: numbers.count - 1, by: 2).map { Cost(cpu: numbers[$0], wall: numbers[$0 + 1]) }
            )
        }
        func figure(_ index: Int) -> Figure {
            Figure(figures.compactMap { $0.indices.contains(index) ? $0[index] : nil })
        }
        let (table, limits) = (bench.table, bench.limits)
        let row = Limit(what: "row, unsealed", value: limits.lookup + limits.open)
        table.row("opening: first call of a process, unknown account", at: accounts, figure(0))
        table.row(
            "account(forIdentifier:), first lookup of a process",
            at: accounts,
            figure(1),
            limit: row,
            target: 150
        )
        table.row(
            "account(forUsername:), first lookup of a process, another account",
            at: accounts,
            figure(2),
            limit: row,
            target: 300
        )
        table.row(
            "allAccounts(), first call of a process, per account",
            at: accounts,
            figure(3).divided(by: accounts),
            limit: Limit(what: "2 rows, unsealed", value: 2 * (limits.lookup + limits.open)),
            target: accounts == 1 ? nil : 10
        )
    }

    /// Prints the costs of the first calls of a process. Runs in a child of ``firstCalls(_:)``.
    static func first(_ location: Location, group: String, accounts: Int) async throws {
        var output: [String] = []
        func note(_ body: () throws -> Void) rethrows {
            let start = Moment()
            try body()
            let cost = start.cost()
            output += [String(cost.cpu), String(cost.wall)]
        }
        var application: MSALPublicClientApplication?
        note {
            application = try? Application.overStore(group)
            _ = try? application?.account(forIdentifier: "unknown." + Content.tenant)
        }
        guard let application else { throw CocoaError(.fileReadUnknown) }
        try note { _ = try application.account(forIdentifier: Content.homeAccountID(accounts / 2)) }
        try note { _ = try application.account(forUsername: Content.username(accounts / 3)) }
        try note { _ = try application.allAccounts() }
        say(output.joined(separator: " "))
    }
}
