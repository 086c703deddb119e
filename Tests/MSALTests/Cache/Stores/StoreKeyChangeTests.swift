// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import SealedStore

/// New keys for old rows (docs/reference/Store.md#rotation, #torture-rotation). Here, an operation that fails simulates
/// a process that dies.
@Suite struct StoreKeyChangeTests {
    private let keys = HeldKeys()
    private let secrets = (0..<450).map { "fake-\($0)" }.sorted()

    /// The reason for which a data key is replaced.
    fileprivate enum Wear {
        case year, rows
    }

    private func open(
        _ location: StoreLocation,
        _ source: (any StoreKeySource)? = nil,
        stopAfter step: StoreStep? = nil
    ) -> SQLiteStore {
        .open(location, keys: source ?? SingleKeySource(keys), stopAfter: step)
    }

    private func fill(_ location: StoreLocation, _ source: (any StoreKeySource)? = nil) throws {
        try open(location, source).write(.normal) { (transaction) throws(StoreError) in
            for secret in secrets {
                try transaction.save(.refreshToken(Sample.refreshToken(secret, client: secret)))
            }
            try transaction.saveExtra(ExtraItem(section: "S", name: "N", value: .integer(1)))
        }
    }

    private func isWhole(_ location: StoreLocation, _ source: (any StoreKeySource)? = nil) throws -> Bool {
        let store = open(location, source)
        // By index, one by one, and all at once.
        let single = try store.read { (store) throws(StoreError) in
            try store.record(Sample.refreshToken(client: secrets[7]).identity)
        }
        let extras = try store.read { (store) throws(StoreError) in try store.extras() }
        return try store.secrets() == secrets && single != nil && extras.count == 1
    }

    @Test(arguments: StoreStep.allCases)
    func `a change of keys that stops at any step leaves every row readable`(step: StoreStep) throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try fill(location)
            let stopping = open(location, stopAfter: step)
            if step != .rowsRewritten {
                let error = try #require(throws: StoreError.self) { try stopping.rotateKeys(KeyAccessOptions()) }
                #expect(error.underlying is Stop)
            }

            #expect(try isWhole(location))
            try open(location).rotateKeys(KeyAccessOptions())
            #expect(try isWhole(location))
            let statistics = try open(location).statistics(now: Sample.now)
            #expect(statistics.keys.map(\.state).sorted { $0.rawValue < $1.rawValue } == [.active, .index])
            // A key that was created and abandoned does not stay with the provider.
            #expect(keys.names.count == 1)
        }
    }

    @Test func `a running process continues after another one changed the keys`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try fill(location)
            let running = open(location)
            #expect(try running.secrets() == secrets)

            try open(location).rotateKeys(KeyAccessOptions())

            #expect(try running.secrets() == secrets)
            try running.put(.account(Sample.account()))
            #expect(try open(location).all(.account).count == 1)
            let statistics = try running.statistics(now: Sample.now)
            #expect(statistics.keys.first { $0.state == .active }?.rows == secrets.count + 2)
        }
    }

    @Test func `resealed rows count for the new key`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try fill(location)
            let store = open(location)
            func counted() throws -> Int64? {
                try store.transaction { try StoredKeys.meta(.counter, as: Int64.self, in: $0) }
            }
            let rows = Int64(secrets.count + 1)
            #expect(try counted() == rows)

            try store.rotateKeys(KeyAccessOptions())

            #expect(try counted() == 2 * rows)
            #expect(try store.storedKeys()?.rows.first { $0.state == .active }?.since == rows)
        }
    }

    @Test func `rows that cannot be decrypted keep their key`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try fill(location)
            let store = open(location)
            try store.sql("UPDATE record SET sealed = zeroblob(60) WHERE id = (SELECT min(id) FROM record)")

            try store.rotateDataKey(KeyAccessOptions())
            let left = try store.resealAll()

            #expect(left == 1)
            let states = try store.statistics(now: Sample.now).keys.filter { $0.rows > 0 }
            #expect(states.map(\.rows).sorted() == [1, secrets.count])
        }
    }

    @Test(arguments: [Wear.year, .rows])
    fileprivate func `the hourly sweep replaces a data key after a year or 2^30 rows`(_ wear: Wear) throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            let time = ManualTime(now: Sample.now)
            let work = Mutex<[@Sendable () -> Void]>([])
            let store = SQLiteStore(
                location: location,
                keys: SingleKeySource(keys),
                maintenance: StoreMaintenance(
                    time: time,
                    background: { job in work.withLock { $0.append(job) } }
                )
            )
            func sweep() throws {
                try store.write(.normal) { (transaction) throws(StoreError) in
                    try transaction.save(.refreshToken(Sample.refreshToken()))
                    try transaction.purgeAccessTokens(expiredBefore: time.now)
                }
            }
            try sweep()
            let first = try #require(try store.statistics(now: time.now).keys.first { $0.state == .active }?.id)
            // Just below the limit.
            switch wear {
            case .year: time.advance(by: .seconds(364 * 24 * 3600))
            case .rows:
                time.advance(by: .seconds(3600))
                try store.sql("UPDATE meta SET v = \((1 << 30) - 2) WHERE k = 'counter'")
            }
            try sweep()
            #expect(work.withLock { $0.isEmpty })

            time.advance(by: wear == .year ? .seconds(2 * 24 * 3600) : .seconds(3600))
            try sweep()
            let jobs = work.withLock { $0 }
            for job in jobs { job() }

            #expect(jobs.count == 1)
            let active = try store.statistics(now: time.now).keys.first { $0.state == .active }
            #expect(active?.id != first)
            #expect(active?.rows == 1)
            #expect(try store.secrets() == ["fake-rt"])
        }
    }

    @Test func `the key moves to another provider on request`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            let other = HeldKeys(.secretService)
            let source = KeyChoice(providers: [keys, other])
            try fill(location, source)

            try open(location, source).moveKey(to: other, keyAccess: KeyAccessOptions())

            #expect(try isWhole(location, source))
            #expect(try open(location, source).statistics(now: Sample.now).provider == .secretService)
            #expect(keys.names.isEmpty)
            #expect(other.names.count == 1)
        }
    }

    @Test func `a plain store is encrypted, and no plain text remains`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try fill(location, SingleKeySource(nil))

            try open(location, KeyChoice(providers: [keys])).moveKey(to: keys, keyAccess: KeyAccessOptions())

            #expect(try isWhole(location))
            for name in try FileManager.default.contentsOfDirectory(atPath: location.directory) {
                let bytes = try Data(contentsOf: URL(filePath: location.directory + "/" + name))
                #expect(bytes.range(of: Data("fake-".utf8)) == nil)
            }
        }
    }

    @Test func `text that another process kept in the log is removed by the second call`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try fill(location, SingleKeySource(nil))
            let reader = try DatabaseQueue(path: location.file)
            try reader.inDatabase { db in
                try db.execute(sql: "BEGIN; SELECT count(*) FROM record")
                #expect(throws: StoreError.self) {
                    try open(location, KeyChoice(providers: [keys])).moveKey(to: keys, keyAccess: KeyAccessOptions())
                }
                try db.execute(sql: "COMMIT")
            }

            try open(location, KeyChoice(providers: [keys])).moveKey(to: keys, keyAccess: KeyAccessOptions())

            #expect(try isWhole(location))
            for name in try FileManager.default.contentsOfDirectory(atPath: location.directory) {
                let bytes = try Data(contentsOf: URL(filePath: location.directory + "/" + name))
                #expect(bytes.range(of: Data("fake-".utf8)) == nil)
            }
        }
    }

    @Test func `an encrypted store is decrypted on request`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try fill(location)

            try open(location).moveKey(to: nil, keyAccess: KeyAccessOptions())

            #expect(try isWhole(location, SingleKeySource(nil)))
            #expect(keys.names.isEmpty)
        }
    }

    @Test(arguments: [StoreStep.newKeyAnnounced, .newKeyKept, .rowsRewritten])
    func `encrypting a plain store may stop at any step`(step: StoreStep) throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try fill(location, SingleKeySource(nil))
            let source = KeyChoice(providers: [keys])
            #expect(throws: StoreError.self) {
                try open(location, source, stopAfter: step).moveKey(to: keys, keyAccess: KeyAccessOptions())
            }

            #expect(try isWhole(location, source))
            try open(location, source).moveKey(to: keys, keyAccess: KeyAccessOptions())
            #expect(try isWhole(location))
            #expect(keys.names.count == 1)
        }
    }
}
