// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import StoreWorker
import Testing

@testable import MSAL

/// Damage (R28) in files of another version (R6), with a version 2 that exists here alone.
@Suite struct OlderFileRecoveryTests {
    private static let next = StoreSchema(migrations: [
        "ALTER TABLE record ADD COLUMN note TEXT NOT NULL DEFAULT 'none'; CREATE INDEX note_ix ON record(note)"
    ])

    private func store(_ place: StorePlace, _ schema: StoreSchema) -> SQLiteStore {
        SQLiteStore(location: place.location, keys: SingleKeySource(KeyFileKeys()), schema: schema)
    }

    /// Fills a store of a version and closes it.
    private func fill(_ place: StorePlace, _ schema: StoreSchema, accounts: Int = 5) throws {
        let cache = TokenCache(store: store(place, schema), clientID: Numbered.clientID)
        for account in 0..<accounts { _ = try cache.save(Numbered.save(account: account, number: 1, padding: 1000)) }
    }

    private func count(_ store: SQLiteStore, accounts: Int = 5) throws -> Int {
        var count = 0
        for account in 0..<accounts where try Numbered.numbers(of: account, in: store).refreshToken == 1 { count += 1 }
        return count
    }

    private func destroyPage(_ number: UInt64, _ place: StorePlace) throws {
        // A log that was left would have another one of it.
        try change(place) { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        let handle = try FileHandle(forUpdating: URL(filePath: place.location.file))
        defer { try? handle.close() }
        try handle.seek(toOffset: number * 4096)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 4096))
    }

    private func change<R>(_ place: StorePlace, _ body: (Database) throws -> R) throws -> R {
        let queue = try DatabaseQueue(path: place.location.file)
        defer { try? queue.close() }
        return try queue.writeWithoutTransaction(body)
    }

    /// Whether the file is what version 2 makes of it.
    private func isUpToDate(_ place: StorePlace) throws -> Bool {
        try change(place) { db in
            let versions = try [
                Int.fetchOne(db, sql: "PRAGMA user_version"),
                Int.fetchOne(db, sql: "SELECT v FROM meta WHERE k = 'schema'"),
            ]
            let notes = try String.fetchSet(db, sql: "SELECT note FROM record INDEXED BY note_ix")
            return versions == [2, 2] && notes == ["none"]
        }
    }

    @Test func `an older file without its first page is salvaged and brought up to date`() throws {
        try StorePlace.with { place in
            try fill(place, .current)
            try destroyPage(0, place)

            let newer = store(place, Self.next)
            #expect(try count(newer) == 5)
            #expect(newer.recovered?.rowsLost == 0)
            #expect(try isUpToDate(place))
            #expect(try newer.faultsFound().isEmpty)
        }
    }

    @Test func `a lost page of an older file costs what was on it`() throws {
        try StorePlace.with { place in
            try fill(place, .current, accounts: 60)
            let size = try #require(StoreFile(location: place.location).size(of: ""))
            try destroyPage(UInt64(size / 4096 / 2), place)

            let newer = store(place, Self.next)
            try newer.heal(isCertain: false)
            #expect(newer.recovered != nil)
            #expect(try count(newer, accounts: 60) > 50)
            #expect(try isUpToDate(place))
            #expect(try newer.faultsFound().isEmpty)
        }
    }

    @Test func `a newer file without its first page is not taken for an older one`() throws {
        try StorePlace.with { place in
            try fill(place, .current)
            #expect(try count(store(place, Self.next)) == 5)
            try destroyPage(0, place)

            let newer = store(place, Self.next)
            #expect(try count(newer) == 5)
            #expect(newer.recovered?.rowsLost == 0)
            #expect(try isUpToDate(place))
        }
    }

    @Test(arguments: [StoreSchema.current, next])
    func `where no version can be believed, rows are salvaged by the columns that are there`(
        schema: StoreSchema
    ) throws {
        try StorePlace.with { place in
            try fill(place, .current)
            try change(place) { db in
                try db.execute(sql: "PRAGMA user_version = 0; UPDATE meta SET v = 0 WHERE k = 'schema'")
            }

            let store = store(place, schema)
            #expect(try count(store) == 5)
            #expect(store.recovered?.rowsLost == 0)
            #expect(Quarantine.all(in: place.location.directory).count == 1)
            #expect(try store.statistics(now: Numbered.now).schemaVersion == Int(schema.version))
        }
    }

    @Test(arguments: [0, 77, -1])
    func `an older file whose header alone is wrong is what it notes`(header: Int) throws {
        try StorePlace.with { place in
            try fill(place, .current)
            try change(place) { try $0.execute(sql: "PRAGMA user_version = \(header)") }

            let newer = store(place, Self.next)
            #expect(try count(newer) == 5)
            #expect(newer.recovered?.rowsLost == 0)
            #expect(try isUpToDate(place))
        }
    }

    @Test func `damage of a newer file is left to the newer version`() throws {
        try StorePlace.with { place in
            try fill(place, .current)
            let older = store(place, .current)
            #expect(try count(older) == 5)
            #expect(try count(store(place, Self.next)) == 5)
            let before = StoreFile(location: place.location).identity

            let error = #expect(throws: StoreError.self) { try older.heal(isCertain: true) }

            #expect(error?.kind == .tooNew)
            #expect(StoreFile(location: place.location).identity == before)
            #expect(Quarantine.all(in: place.location.directory).isEmpty)
        }
    }

    @Test func `what an older version cannot mend waits for the newer one`() throws {
        try StorePlace.with { place in
            try fill(place, .current)
            #expect(try count(store(place, Self.next)) == 5)
            try destroyPage(0, place)

            for _ in 0..<2 {
                let error = #expect(throws: StoreError.self) { try count(store(place, .current)) }
                #expect(error?.kind == .tooNew)
            }
            let newer = store(place, Self.next)
            #expect(try count(newer) == 5)
            #expect(newer.recovered?.rowsLost == 0)
            #expect(try isUpToDate(place))
        }
    }
}
