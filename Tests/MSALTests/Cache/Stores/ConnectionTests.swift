// Licensed under the MIT License. See LICENSE.

import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import SealedStore

/// The connections of a store: their settings (docs/reference/Store.md#connection-settings), and the process that owns
/// them (docs/reference/Store.md#fork).
@Suite struct ConnectionTests {
    private func settings(_ db: Database, _ names: [String]) throws -> [String: Int?] {
        try Dictionary(uniqueKeysWithValues: names.map { ($0, try Int.fetchOne(db, sql: "PRAGMA \($0)")) })
    }

    @Test func `a hostile file can neither run code nor be mapped, and deleted data is overwritten`() throws {
        try withTemporaryDirectory { directory in
            let store = encryptedStore(in: try location(in: directory))
            try store.put(.account(Sample.account()))
            let expected = ["trusted_schema": 0, "cell_size_check": 1, "mmap_size": 0]
            let expectedOfWriter = expected.merging(["secure_delete": 1, "foreign_keys": 1]) { $1 }

            let reader = try #require(try store.rows.reader().connection)
            let reading = try reader.read { try settings($0, Array(expected.keys)) }
            let writing = try store.rows.writer(KeyAccessOptions()).inDatabase {
                try settings($0, Array(expectedOfWriter.keys))
            }

            #expect(reading == expected)
            #expect(writing == expectedOfWriter)
        }
    }

    @Test func `connections from before a fork are neither used nor closed by the child`() throws {
        try withTemporaryDirectory { directory in
            let store = encryptedStore(in: try location(in: directory))
            try store.put(.refreshToken(Sample.refreshToken("fake-parent")))
            #expect(try store.secrets() == ["fake-parent"])
            let parent = store.rows.open.withLock { connections in
                connections.process += 1  // As the child finds it: the id of another process.
                return (reader: connections.reader, writer: connections.writer)
            }

            #expect(try store.secrets() == ["fake-parent"])
            try store.put(.account(Sample.account()))
            let child = store.rows.open.withLock { ($0.reader, $0.writer, $0.process) }

            #expect(parent.reader != nil && child.0 != nil && child.0 !== parent.reader)
            #expect(parent.writer != nil && child.1 != nil && child.1 !== parent.writer)
            #expect(child.2 == getpid())
            #expect(try parent.writer?.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM record") } == 2)
        }
    }
}
