// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// Accounts by identifier, by name, the current one, all of them; and a name with the token after it.
struct AccountRows {
    let bench: Bench

    func run() async throws {
        for place in Place.allCases {
            bench.table.title("Accounts, \(place == .store ? "over the store" : "in memory")")
            for accounts in bench.sizes(place == .store ? [1, 100, 1000, 10_000, 100_000] : [1, 1000, 10_000]) {
                do {
                    try await run(place, accounts)
                } catch {
                    bench.table.refused("accounts", at: accounts, because: "\(error.localizedDescription)")
                }
            }
        }
    }

    private func run(_ place: Place, _ accounts: Int) async throws {
        let (table, limits) = (bench.table, bench.limits)
        let hash = Limit(what: "hash", value: limits.hash)
        if place == .store { try await firstCalls(accounts) }

        let application = try await bench.application(place, accounts)
        var dice = Dice()
        let rounds = Rounds(samples: 21, calls: accounts > 1000 ? 20 : 200, seconds: 1.5)
        let target = place == .store ? 20.0 : nil
        table.row(
            "account(forIdentifier:)",
            at: accounts,
            try await measured(rounds) { _ in
                _ = try application.account(forIdentifier: Content.homeAccountID(dice.roll(accounts)))
            },
            limit: hash,
            key: "\(place)-account-id",
            target: target
        )
        table.row(
            "account(forUsername:)",
            at: accounts,
            try await measured(rounds) { _ in
                _ = try application.account(forUsername: Content.username(dice.roll(accounts)))
            },
            limit: hash,
            key: "\(place)-account-name",
            target: target
        )
        table.row(
            accounts == 1 ? "currentAccount(with:)" : "currentAccount(with:), which refuses to choose",
            at: accounts,
            await measured(rounds) { _ in _ = try? await application.currentAccount(with: nil) },
            limit: hash,
            target: target
        )
        table.row(
            "allAccounts(), each",
            at: accounts,
            try await measured(Rounds(samples: 15, calls: max(1, 200 / accounts), seconds: 1.5)) { _ in
                guard try application.allAccounts().count == accounts else { throw CocoaError(.fileReadCorruptFile) }
            }.divided(by: accounts),
            limit: Limit(what: "copy", value: limits.copy),
            key: "\(place)-all-accounts",
            target: 0.5
        )
        // What is asked for again and again is remembered; a name is looked for each time.
        let working = min(accounts, 1000)
        table.row(
            "by name, then a hit (1,000 accounts in turn)",
            at: accounts,
            try await measured(rounds) { _ in
                let account = try application.account(forUsername: Content.username(dice.roll(working)))
                let parameters = MSALSilentTokenParameters(scopes: [Content.scope], account: account)
                _ = try await application.acquireTokenSilent(with: parameters)
            },
            limit: Limit(what: "two hashes", value: 2 * limits.hash),
            key: "\(place)-name-hit",
            target: 30
        )
    }

    private func firstCalls(_ accounts: Int) async throws {
        let group = try await bench.filledStore(accounts)
        var figures: [[Cost]] = []
        let begin = Moment()
        while figures.count < 15, figures.isEmpty || begin.secondsSince < 3 {
            let output = try await Child.output(of: .first, [group, String(accounts), Place.store.rawValue])
            let numbers = output.split(separator: " ").compactMap { Double($0) }
            figures.append(
                stride(from: 0, to: numbers.count - 1, by: 2).map { Cost(cpu: numbers[$0], wall: numbers[$0 + 1]) }
            )
        }
        func figure(_ index: Int) -> Figure {
            Figure(figures.compactMap { $0.indices.contains(index) ? $0[index] : nil })
        }
        let (table, limits) = (bench.table, bench.limits)
        let row = Limit(what: "row, opened", value: limits.lookup + limits.open)
        table.row("opening: the first call of a process, for nobody", at: accounts, figure(0))
        table.row("account(forIdentifier:), the first after it", at: accounts, figure(1), limit: row, target: 300)
        table.row("account(forUsername:), the first of another", at: accounts, figure(2), limit: row, target: 300)
        table.row(
            "allAccounts(), the first of a process, each",
            at: accounts,
            figure(3).divided(by: accounts),
            limit: Limit(what: "2 rows, opened", value: 2 * (limits.lookup + limits.open)),
            target: accounts == 1 ? nil : 10
        )
    }

    /// What the first calls of a process cost. It is the child of ``firstCalls(_:)``.
    static func first(_ place: Place, group: String, accounts: Int) async throws {
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
            _ = try? application?.account(forIdentifier: "nobody." + Content.tenant)
        }
        guard let application else { throw CocoaError(.fileReadUnknown) }
        try note { _ = try application.account(forIdentifier: Content.homeAccountID(accounts / 2)) }
        try note { _ = try application.account(forUsername: Content.username(accounts / 3)) }
        try note { _ = try application.allAccounts() }
        say(output.joined(separator: " "))
    }
}
