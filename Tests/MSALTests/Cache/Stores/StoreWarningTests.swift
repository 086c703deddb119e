// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import SealedStore
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase

/// The warnings of a store, and how often they are logged (docs/reference/Store.md#key-providers, #key-memory,
/// #unreadable-rows, #permissions).
@Suite struct StoreWarningTests {
    private let keys = HeldKeys()

    /// The log lines of `work`, down to this level.
    private func lines(_ least: Log.Level = .warning, of work: () throws -> Void) rethrows -> [String] {
        let lines = Mutex<[String]>([])
        let listener = Log.Listener { level, line in
            if level <= least { lines.withLock { $0.append(line) } }
        }
        try Log.$listener.withValue(listener) { try work() }
        return lines.withLock(\.self)
    }

    @Test func `a store without encryption logs a warning each time it is opened`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try SQLiteStore(location: location, keys: SingleKeySource(nil)).put(.account(Sample.account()))

            let said = try lines {
                for _ in 0..<2 {
                    let store = SQLiteStore(location: location, keys: SingleKeySource(nil))
                    for _ in 0..<3 { _ = try store.all(.account) }
                }
            }

            #expect(said.count == 2)
            #expect(said.allSatisfy { $0.contains("not encrypted") && $0.contains(location.file) })
        }
    }

    @Test func `rows that cannot be read are reported once`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try encryptedStore(in: location, keys).put(
                .refreshToken(Sample.refreshToken("fake-1")),
                .refreshToken(Sample.refreshToken("fake-2", client: Sample.otherClient)),
                .account(Sample.account())
            )
            let store = encryptedStore(in: location, keys)
            try store.sql(
                """
                UPDATE record SET sealed = zeroblob(60)
                WHERE id = (SELECT max(id) FROM record WHERE kind = 2002)
                """
            )

            let said = try lines { for _ in 0..<3 { _ = try store.secrets() } }

            #expect(said.count == 1)
            #expect(said.first?.contains("rowUnreadable") == true)
        }
    }

    @Test func `revoked permissions are reported once, with their former value`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try encryptedStore(in: location, keys).put(.account(Sample.account()))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: location.file)

            let said = try lines {
                for _ in 0..<2 { _ = try encryptedStore(in: location, keys).all(.account) }
            }

            #expect(said.count == 1)
            #expect(said.first?.contains("644") == true)
            #expect(said.first?.contains(location.file) == true)
        }
    }

    @Test func `normal use of a store logs no warning, and no line with a secret or a person`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            func live() throws {
                let cache = TokenCache(store: encryptedStore(in: location, keys), clientID: Sample.client)
                _ = try cache.save(Sample.save(family: "1"))
                _ = try cache.accessToken(for: Sample.query(), now: Sample.now, buffer: .zero)
                try cache.signOut(homeAccountID: Sample.alice, wipeAccount: true)
            }

            let warnings = try lines(of: live)
            let all = try lines(.verbose, of: live).joined(separator: "\n")

            #expect(warnings == [])
            for word in ["fake-", "alice", Sample.alice] { #expect(!all.contains(word)) }
        }
    }
}
