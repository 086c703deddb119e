// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization

/// Shared by all parts: the options, the filled stores, the limits of the machine, and the table.
final class Bench: Sendable {
    let options: Options
    let limits: Limits
    let table: Table
    private let folder: String

    init(_ options: Options) throws {
        self.options = options
        folder = options.folder ?? NSTemporaryDirectory() + "msal-benchmark-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        setenv("MSAL_STORE_DIR", folder, 1)
        setenv("MSAL_STORE_KEY", "key-file", 1)
        limits = try Limits(folder: folder)
        table = try Table(peers: options.peers)
    }

    /// The numbers of accounts to measure at.
    func sizes(_ wanted: [Int] = [1, 100, 1000, 10_000, 100_000]) -> [Int] {
        let fitting = wanted.filter { $0 <= options.most }
        return fitting.isEmpty ? [options.most] : fitting
    }

    /// The number of accounts that are requested repeatedly. They fit into the library's cache.
    func workingSet(of accounts: Int) -> Int { min(accounts, 1000) }

    /// Measures in each location at each number of accounts. After a failure it continues with the next.
    func eachSize(_ title: String, _ body: (Location, Int) async throws -> Void) async {
        for location in Location.allCases {
            table.title("\(title), \(location == .store ? "over the store" : "in memory")")
            for accounts in location == .store ? sizes() : sizes([1, 1000, 10_000]) {
                do {
                    try await body(location, accounts)
                } catch {
                    table.failed(title, at: accounts, because: "\(error)")
                }
            }
        }
    }

    func removeFolder() {
        if options.folder == nil { try? FileManager.default.removeItem(atPath: folder) }  // A temporary folder.
    }

    func path(_ name: String) -> String { folder + "/" + name }

    /// An application with `accounts` accounts.
    func application(_ location: Location, _ accounts: Int) async throws -> MSALPublicClientApplication {
        switch location {
        case .store: try Application.overStore(try await filledStore(accounts))
        case .memory: try Application.overMemory(Shelf(Content.text(0..<accounts)))
        }
    }

    /// The group of a store with `accounts` accounts, which the first call fills.
    func filledStore(_ accounts: Int) async throws -> String {
        let group = "accounts-\(accounts)"
        let note = path(group + ".filled")
        guard !FileManager.default.fileExists(atPath: note) else { return group }
        say("  (filling a store with \(accounts) accounts)")
        // In a separate process, because the rows must not include the memory that this needs.
        _ = try await Child.output(of: .fill, [folder, group, String(accounts)])
        _ = FileManager.default.createFile(atPath: note, contents: nil)
        return group
    }

    func printHead() {
        say(
            """
            Uses the public API only. CPU is the time of all threads of the process; wall is the median elapsed time. The column
            "machine" has the cost of similar basic operations. Targets are for the median CPU time.
            """
        )
        limits.show()
    }
}
