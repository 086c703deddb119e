// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// The memory that a process needs for each account.
struct MemoryRows {
    let bench: Bench

    func run() async throws {
        bench.table.title("Memory for each account that was asked for: growth of the process")
        let single = try await bench.filledStore(1)
        for location in Location.allCases {
            let figures = try await Child.figures(1, of: .having, [location.rawValue, single])
            bench.table.row(
                location == .store
                    ? "what a process alone has after one hit, over the store" : "the same in memory",
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
                    ? "over the store, the second half of the accounts" : "in memory, from the empty application",
                at: accounts,
                value: growth[0],
                unit: .bytes,
                limit: Limit(what: "text", value: Double(Content.bytesPerAccount)),
                key: "\(location)-growth",
                target: Double(Content.bytesPerAccount + 1500)
            )
        }
    }

    /// Gets a token, has one hit, and prints what no other process shares of this one's memory. It is a child of ``run()``.
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

    /// Prints by how many bytes this process grows with each account. It is the child of ``run()``.
    ///
    /// SQLite fills a cache of its own during the first half, and that cache has the same size for any number.
    static func growth(_ location: Location, group: String, accounts: Int) async throws {
        /// Fails if the library is so slow that it holds up the other rows.
        func ask(_ application: MSALPublicClientApplication, _ numbers: Range<Int>) async throws {
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
            try await ask(application, 0..<accounts / 2)
            let before = residentBytes()
            try await ask(application, accounts / 2..<accounts)
            say("\((residentBytes() - before) / (accounts - accounts / 2))")
        case .memory:
            // Code and tables are loaded by a small application first. Texts come in parts, as a growing cache does.
            let small = try Application.overMemory(Shelf(Content.text(0..<10)))
            try await ask(small, 0..<10)
            let shelf = Shelf(Content.text(0..<accounts))
            let text = Content.text(0..<accounts).count
            let before = residentBytes() - text
            let application = try Application.overMemory(shelf)
            try await ask(application, 0..<accounts)
            say("\((residentBytes() - before) / accounts)")
            withExtendedLifetime(small) {}
        }
    }
}
