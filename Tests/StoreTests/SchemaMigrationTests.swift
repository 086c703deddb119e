// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import StoreWorker
import Testing

@testable import MSAL

/// R6, with a version 2 that exists here alone.
@Suite struct SchemaMigrationTests {
    private static let next = StoreSchema(migrations: [
        "ALTER TABLE record ADD COLUMN note TEXT; CREATE INDEX note_ix ON record(note)"
    ])

    private func store(_ place: StorePlace, _ schema: StoreSchema = .current) -> SQLiteStore {
        SQLiteStore(location: place.location, keys: SingleKeySource(KeyFileKeys()), schema: schema)
    }

    private func save(_ account: Int, _ store: SQLiteStore) throws {
        let cache = TokenCache(store: store, clientID: Numbered.clientID)
        _ = try cache.save(Numbered.save(account: account, number: 1))
    }

    private func isThere(_ account: Int, _ store: SQLiteStore) throws -> Bool {
        try Numbered.numbers(of: account, in: store).refreshToken == 1
    }

    private func version(_ path: String) throws -> Int? {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    }

    @Test(arguments: [true, false])
    func `an older file is brought up to date, and kept as it was beside it`(readsFirst: Bool) throws {
        try StorePlace.with { place in
            try save(0, store(place))

            let newer = store(place, Self.next)
            if readsFirst { #expect(try isThere(0, newer)) }
            try save(1, newer)

            let isWhole = try [isThere(0, newer), isThere(1, newer)]
            #expect(isWhole == [true, true])
            #expect(try version(place.location.file) == 2)
            let copy = place.location.file + ".v1"
            #expect(try place.mode(copy) == 0o600)
            #expect(try version(copy) == 1)
        }
    }

    @Test func `the copy is a store of its version`() throws {
        try StorePlace.with { place in
            let running = store(place)
            try save(0, running)
            #expect(try isThere(0, store(place, Self.next)))

            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: place.location.file + suffix)
            }
            try FileManager.default.moveItem(atPath: place.location.file + ".v1", toPath: place.location.file)
            #expect(try isThere(0, store(place)))
        }
    }

    @Test func `a migration that fails half-way leaves the file as it was`() throws {
        try StorePlace.with { place in
            try save(0, store(place))
            let broken = StoreSchema(migrations: Self.next.migrations + ["DROP TABLE nothing"])
            // What a process leaves behind that dies while it copies.
            try Data("half".utf8).write(to: URL(filePath: place.location.file + ".v1.new"))

            #expect(throws: StoreError.self) { try isThere(0, store(place, broken)) }
            #expect(try version(place.location.file) == 1)
            #expect(try isThere(0, store(place)))

            #expect(try isThere(0, store(place, Self.next)))
            #expect(try version(place.location.file) == 2)
            #expect(try !place.names().contains { $0.hasSuffix(".new") })
        }
    }

    @Test func `no migration happens where the copy cannot be made, and no half of it stays`() throws {
        try StorePlace.with { place in
            try save(0, store(place))
            try FileManager.default.createDirectory(
                atPath: place.location.file + ".v1",
                withIntermediateDirectories: false
            )

            let error = #expect(throws: StoreError.self) { try isThere(0, store(place, Self.next)) }
            #expect(error?.kind == .unwritable)
            #expect(try version(place.location.file) == 1)
            #expect(try !place.names().contains { $0.hasSuffix(".new") })
            #expect(try isThere(0, store(place)))
        }
    }

    @Test func `a process of the older version stops when the file is migrated under it`() throws {
        try StorePlace.with { place in
            let old = store(place)
            try save(0, old)
            #expect(try isThere(0, store(place, Self.next)))

            let reading = #expect(throws: StoreError.self) { try isThere(0, old) }
            let writing = #expect(throws: StoreError.self) { try save(1, old) }
            #expect(reading?.kind == .tooNew)
            #expect(writing?.kind == .tooNew)
        }
    }
}
