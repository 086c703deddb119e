// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import StoreWorker
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import SealedStore

/// How a process detects other processes' changes: with the index of SQLite's log, or with `data_version`
/// (docs/reference/Store.md#change-counter).
@Suite struct ChangeCounterTests {
    private let account = AccountRecord(homeAccountID: "a", environment: "e", realm: "r")

    private func save(_ store: SQLiteStore) throws {
        try store.write(.normal) { (transaction) throws(StoreError) in try transaction.save(.account(account)) }
    }

    private func count(_ store: SQLiteStore) throws -> Int {
        try store.read { (store) throws(StoreError) in try store.records(RecordFilter(.account)).count }
    }

    /// Whatever happens to the file, the counter changes at least whenever SQLite's own number does.
    @Test(arguments: [1, 2, 3])
    func `the counter misses nothing that SQLite notices`(seed: UInt64) throws {
        try StoreFolder.with { place in
            var random = SeededRandom(seed: seed)
            let store = place.store()
            try save(store)
            var visitors: [SQLiteStore] = []
            let queue = try DatabaseQueue(path: place.location.file)
            let witness = try DatabaseQueue(path: place.location.file)
            func version() throws -> Int64? {
                try witness.inDatabase { try Int64.fetchOne($0, sql: "PRAGMA data_version") }
            }
            var last = (version: try version(), counter: try store.changeCounter())
            #expect(store.rows.open.withLock { $0.changesInLog } != nil)

            for step in 0..<400 {
                let operation = Int.random(in: 0..<10, using: &random)
                switch operation {
                case 0: try save(store)
                case 1: visitors.append(place.store())
                case 2: if !visitors.isEmpty { visitors.removeFirst() }
                case 3: for visitor in visitors { try save(visitor) }
                case 4: try queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }
                case 5: try queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(RESTART)") }
                case 6: try queue.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
                case 7: try queue.write { try $0.execute(sql: "DELETE FROM lease") }
                case 8: try queue.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
                default: _ = try count(store)
                }
                let now = (version: try version(), counter: try store.changeCounter())
                if now.version != last.version { #expect(now.counter != last.counter, "step \(step): \(operation)") }
                #expect(try store.changeCounter() == now.counter)
                last = now
            }
        }
    }

    @Test func `the counter does not move when the log is only checkpointed`() throws {
        try StoreFolder.with { place in
            let store = place.store()
            try save(store)
            let before = try store.changeCounter()

            try DatabaseQueue(path: place.location.file).inDatabase {
                try $0.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)")
            }

            #expect(try store.changeCounter() == before)
        }
    }

    @Test func `without a shared log the counter moves with each commit, too`() throws {
        try StoreFolder.with { place in
            let store = place.store(on: .shared("nfs4"))
            let other = place.store(on: .shared("nfs4"))
            try save(store)
            #expect(store.rows.open.withLock { $0.changesInLog } == nil)
            var counters = [try store.changeCounter()]

            for _ in 0..<3 {
                try save(other)
                counters.append(try store.changeCounter())
                #expect(try store.changeCounter() == counters.last)
            }

            #expect(Set(counters).count == 4)
        }
    }

    @Test func `a replaced file is checked for once a tick, and at each read`() throws {
        try StoreFolder.with { place in
            let tick = Mutex<Int64>(1)
            let store = SQLiteStore(
                location: place.location,
                keys: SingleKeySource(KeyFileKeys()),
                maintenance: StoreMaintenance(ticks: { tick.withLock(\.self) })
            )
            try save(store)
            let before = try store.changeCounter()
            func exchange() throws {
                try FileManager.default.removeItem(atPath: place.location.directory)
                try save(place.store())
            }

            try exchange()
            #expect(try store.changeCounter() == before)
            tick.withLock { $0 += 1 }
            let after = try store.changeCounter()
            #expect(after != before)

            try exchange()
            #expect(try count(store) == 1)
            #expect(try store.changeCounter() != after)
        }
    }

    @Test func `a store that is closed and opened again never has a counter from before`() throws {
        try StoreFolder.with { place in
            let store = place.store()
            try save(store)
            var seen: Set<Int64> = []

            for _ in 0..<10 {
                #expect(seen.insert(try store.changeCounter()).inserted)
                store.rows.close()
            }
        }
    }
}
