// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// The memory of a process per account.
struct MemoryRows {
    let bench: Bench

    func run() async throws {
        bench.table.title("Memory per account looked up")
        let single = try await bench.filledStore(1)
        for location in Location.allCases {
            let figures = try await Child.figures(1, of: .having, [location.rawValue, single])
            bench.table.row(
                location == .store
                    ? "process after one hit, over the store" : "process after one hit, in memory",
                at: 1,
                value: figures[0],
                unit: .bytes,
                key: "\(location)-private"
            )
        }
        let accounts = min(4000, bench.options.most)
        let group = try await bench.filledStore(accounts)
        for location in Location.allCases {
            let growth = try await Child.figures(1, of: .growth, [location.rawValue, group, String(accounts)])
            bench.table.row(
                location == .store
                    ? "growth over the store, second half of the accounts" : "growth in memory, including the cache",
                at: accounts,
                value: growth[0],
                unit: .bytes,
                limit: Limit(what: "text", value: Double(Content.bytesPerAccount)),
                key: "\(location)-growth",
                target: Double(Content.bytesPerAccount + 1500)
            )
        }
    }

    /// Gets a token twice, and prints the anonymous resident memory of this process. Runs in a child of ``run()``.
    static func afterOneHit(_ location: Location, group: String) async throws {
        let application =
            switch location {
            case .store: try Application.overStore(group)
            case .memory: try Application.overMemory(Shelf(Content.text(0..<1)))
            }
        let account = try application.account(forIdentifier: Content.homeAccountID(0))
        for _ in 0..<2 {
            let parameters = MSALSilentTokenParameters(scopes: [Content.scope], account: account)
            _ = try await application.acquireTokenSilent(with: parameters)
        }
        say("\(memory("RssAnon"))")
    }

    /// Prints the bytes by which this process grows per account. Runs in a child of ``run()``.
    ///
    /// The first half fills SQLite's own cache, whose size does not depend on the number of accounts.
    static func growth(_ location: Location, group: String, accounts: Int) async throws {
        /// Fails after 30 seconds, so that a slow library does not delay the other rows.
        func request(_ application: MSALPublicClientApplication, _ numbers: Range<Int>) async throws {
            let begin = Moment()
            for number in numbers {
                guard begin.secondsSince < 30 else { throw CocoaError(.userCancelled) }
                let account = try application.account(forIdentifier: Content.homeAccountID(number))
                let parameters = MSALSilentTokenParameters(scopes: [Content.scope], account: account)
                _ = try await application.acquireTokenSilent(with: parameters)
            }
        }
        switch location {
        case .store:
            let application = try Application.overStore(group)
            try await request(application, 0..<accounts / 2)
            let before = residentBytes()
            try await request(application, accounts / 2..<accounts)
            say("\((residentBytes() - before) / (accounts - accounts / 2))")
        case .memory:
            // A small application first loads code and tables.
            let small = try Application.overMemory(Shelf(Content.text(0..<10)))
            try await request(small, 0..<10)
            let shelf = Shelf(Content.text(0..<accounts))
            let text = Content.text(0..<accounts).count
            let before = residentBytes() - text
            let application = try Application.overMemory(shelf)
            try await request(application, 0..<accounts)
            say("\((residentBytes() - before) / accounts)")
            withExtendedLifetime(small) {}
        }
    }
}
