// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import StoreWorker
import Testing

@testable import MSAL
@testable import SealedStore

extension Torture {
    /// See docs/reference/Store.md#torture-watching.
    @Test func `the log's index tells of every commit that SQLite tells of`() throws {
        try TortureRun.with("Watching") { run in
            let kills = TortureSize.of(small: 10, full: 200)
            let store = try run.store()
            _ = try TokenCache(store: store, clientID: Numbered.clientID).save(Numbered.save(account: 0, number: 1))
            let witness = try DatabaseQueue(path: run.location.file)
            var random = run.random
            // The counter is read after SQLite's number. So a commit that this number tells of lies after the counter of
            // the look before the last one.
            var versions: [Int64] = []
            var counters: [Int64] = []
            var looks = 0
            var changes = 0

            for round in 0..<kills {
                let workers = try (0..<3).map { id in
                    try Worker(
                        id == 2 ? "empty" : "save",
                        in: run.directory,
                        ["first=\((round * 3 + id) * 1_000_000 + 2)", "signout=no"]
                    )
                }
                for worker in workers { _ = try worker.next() }
                for _ in 0..<Int.random(in: 500..<5000, using: &random) {
                    let version = try witness.inDatabase { try Int64.fetchOne($0, sql: "PRAGMA data_version") } ?? 0
                    let counter = try store.changeCounter()
                    if let last = versions.last, last != version {
                        changes += 1
                        let before = counters.count > 1 ? counters[counters.count - 2] : nil
                        #expect(counter != before, "round \(round)")
                    }
                    versions = [version]
                    counters = counters.suffix(1) + [counter]
                    looks += 1
                }
                for worker in workers { worker.kill() }
            }

            #expect(changes > 0)
            #expect(store.rows.open.withLock { $0.changesInLog } != nil)
            run.say("\(looks) looks, \(changes) changes, \(kills * 3) processes killed, none missed")
        }
    }
}
