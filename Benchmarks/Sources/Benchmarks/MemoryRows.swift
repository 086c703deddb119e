// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// The memory that a process needs for each account.
struct MemoryRows {
    let bench: Bench

    func run() async throws {
        bench.table.title("Memory for each account that was asked for: growth of the process")
        let accounts = min(4000, bench.options.most)
        let group = try await bench.filledStore(accounts)
        for place in Place.allCases {
            let output = try await Child.output(of: .growth, [place.rawValue, group, String(accounts)])
            bench.table.row(
                place == .store
                    ? "over the store, the second half of the accounts" : "in memory, from the empty application",
                at: accounts,
                value: Double(output) ?? .nan,
                unit: .bytes,
                limit: Limit(what: "text", value: Double(Content.bytesPerAccount)),
                key: "\(place)-growth",
                target: Double(Content.bytesPerAccount + 1500)
            )
        }
    }

    /// Prints by how many bytes this process grows with each account. It is the child of ``run()``.
    ///
    /// What the first half costs over the store is SQLite's own cache besides, which is the same for any number.
    static func growth(_ place: Place, group: String, accounts: Int) async throws {
        /// Gives the number of accounts that it came to. A library that is slow does not hold up the other rows.
        func ask(_ application: MSALPublicClientApplication, _ numbers: Range<Int>) async throws -> Int {
            let begin = Moment()
            for number in numbers {
                if begin.secondsSince > 15 { return number - numbers.lowerBound }
                let account = try application.account(forIdentifier: Content.homeAccountID(number))
                let parameters = MSALSilentTokenParameters(scopes: [Content.scope], account: account)
                _ = try await application.acquireTokenSilent(with: parameters)
            }
            return numbers.count
        }
        switch place {
        case .store:
            let application = try Application.overStore(group)
            _ = try await ask(application, 0..<accounts / 2)
            let before = residentBytes()
            let asked = try await ask(application, accounts / 2..<accounts)
            say("\((residentBytes() - before) / max(1, asked))")
        case .memory:
            // Code and tables are loaded by a small application first. Texts come in parts, as a growing cache does.
            let small = try Application.overMemory(Shelf(Content.text(0..<10)))
            _ = try await ask(small, 0..<10)
            let shelf = Shelf(Content.text(0..<accounts))
            let text = Content.text(0..<accounts).count
            let before = residentBytes() - text
            let application = try Application.overMemory(shelf)
            _ = try await ask(application, 0..<accounts)
            say("\((residentBytes() - before) / accounts)")
            withExtendedLifetime(small) {}
        }
    }
}
