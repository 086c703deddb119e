// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// Silent calls while other processes write to the same store.
struct ChangeRows {
    let bench: Bench

    func run() async throws {
        bench.table.title("Hits while another process commits, over the store")
        for accounts in bench.sizes([1, 1000, 10_000]) {
            try await afterCommits(accounts)
        }
        for accounts in bench.sizes([1000, 10_000]) {
            for perSecond in [1, 10] { try await whileCommitting(accounts, perSecond: perSecond) }
        }
    }

    private func afterCommits(_ accounts: Int) async throws {
        let group = try await bench.filledStore(accounts)
        let application = try Application.overStore(group)
        let all = Array(try application.allSilentParameters(of: accounts).prefix(1000))
        for parameters in all { _ = try await application.acquireTokenSilent(with: parameters) }
        let child = try Child(.commit, [group, String(accounts)])
        defer { child.end() }
        func commit(_ number: Int) throws -> String {
            child.write(String(number))
            guard let secret = child.nextLine() else { throw CocoaError(.fileReadUnknown) }
            return secret
        }
        var (own, others): ([Cost], [Cost]) = ([], [])
        var dice = Dice()
        let begin = Moment()
        while own.count < 60, begin.secondsSince < 3 {
            let number = dice.roll(all.count)
            let secret = try commit(number)
            let start = Moment()
            let result = try await application.acquireTokenSilent(with: all[number])
            own.append(start.cost())
            guard result.accessToken.hasPrefix(secret) else { throw Stale(expected: secret) }
            if all.count > 1 {
                _ = try commit(number)
                let other = (number + 1 + dice.roll(all.count - 1)) % all.count
                let start = Moment()
                _ = try await application.acquireTokenSilent(with: all[other])
                others.append(start.cost())
            }
        }
        let row = Limit(what: "row, unsealed", value: bench.limits.lookup + bench.limits.open)
        bench.table.row(
            "first hit after a commit, changed account",
            at: accounts,
            Figure(own),
            limit: row,
            key: "store-after-commit",
            target: 80
        )
        guard !others.isEmpty else { return }
        bench.table.row(
            "first hit after a commit, another account",
            at: accounts,
            Figure(others),
            limit: Limit(what: "hash", value: bench.limits.hash),
            key: "store-after-commit",
            target: 40
        )
    }

    private struct Stale: Error {
        let expected: String
    }

    private func whileCommitting(_ accounts: Int, perSecond: Int) async throws {
        let group = try await bench.filledStore(accounts)
        let application = try Application.overStore(group)
        let all = Array(try application.allSilentParameters(of: accounts).prefix(1000))
        for parameters in all { _ = try await application.acquireTokenSilent(with: parameters) }
        let child = try Child(.commit, [group, String(accounts)])
        let stopped = Flag()
        // Commits at fixed times, concurrently with the hits. The task ends before this function does: it is canceled if a
        // hit fails.
        async let commits = Self.commits(child, upTo: min(accounts, 1000), perSecond: perSecond, until: stopped)
        var dice = Dice()
        let start = Moment()
        var hits = 0
        while start.secondsSince < 3 {
            for _ in 0..<50 { _ = try await application.acquireTokenSilent(with: all[dice.roll(all.count)]) }
            hits += 50
        }
        let mean = start.cost(calls: hits)
        stopped.set()
        let count = try await commits
        bench.table.row(
            "mean hit at \(perSecond) commit\(perSecond == 1 ? "" : "s") per second, 1,000 accounts",
            at: accounts,
            Figure([mean]),
            limit: Limit(what: "\(count) commits in 3 s", value: nil),
            key: "store-during-commits-\(perSecond)",
            target: 10
        )
    }

    private static func commits(
        _ child: sending Child,
        upTo accounts: Int,
        perSecond: Int,
        until stopped: Flag
    ) async throws -> Int {
        defer { child.end() }
        var count = 0
        var dice = Dice()
        while !stopped.isSet {
            child.write(String(dice.roll(accounts)))
            guard child.nextLine() != nil else { throw CocoaError(.fileReadUnknown) }
            count += 1
            try await Task.sleep(for: .milliseconds(1000 / perSecond))
        }
        return count
    }

    /// Stores a new token for each number that it reads. Runs in a child of the other functions.
    static func commit(_ group: String) async throws {
        let store = try MSALTokenStore(group: group, protection: .keyFile)
        var count = 0
        while let line = readLine(), let number = Int(line) {
            count += 1
            let secret = "c\(getpid())-\(count)-"
            try await store.importCache(Content.newToken(number, secret: secret))
            say(secret)
        }
    }
}
