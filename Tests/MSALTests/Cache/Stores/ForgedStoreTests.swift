// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import GRDB
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import SealedStore

/// An attacker who can write the file but does not have its key achieves only that it stays closed
/// (docs/TokenStore.md#what-of-a-file-is-trusted).
@Suite struct ForgedStoreTests {
    private let keys = HeldKeys()

    private func open(_ location: StoreLocation) -> SQLiteStore { encryptedStore(in: location, keys) }

    private func withStore(_ body: (SQLiteStore) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try open(location).put(.refreshToken(Sample.refreshToken()), .account(Sample.account()))
            // As after the exit of all processes: everything is in one file.
            try change(location, "PRAGMA wal_checkpoint(TRUNCATE)")
            try body(open(location))
        }
    }

    /// Changes the file without the library and without the key.
    private func change(_ location: StoreLocation, _ sql: String) throws {
        let queue = try DatabaseQueue(path: location.file)
        defer { try? queue.close() }
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    private func files(_ location: StoreLocation) throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: location.directory)
        return Set(names.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") && $0 != ".recovery" })
    }

    /// Every call fails, and the files stay unchanged.
    private func expectClosed(_ location: StoreLocation, _ kind: StoreError.Kind = .unverified) throws {
        let (names, bytes) = (try files(location), try Data(contentsOf: URL(filePath: location.file)))
        let (kept, store) = (keys.names, open(location))

        let calls: [() throws -> Void] = [
            { _ = try store.secrets() },
            { try store.put(.account(Sample.account())) },
            { try store.wipe() },
            { try store.rotateKeys(KeyAccessOptions()) },
            { try store.moveKey(to: keys, keyAccess: KeyAccessOptions()) },
            { try store.heal(isCertain: true) },
        ]
        for call in calls {
            let error = #expect(throws: StoreError.self) { try call() }
            #expect(error?.kind == kind, "\(error?.message ?? "")")
            if kind == .unverified { #expect(error?.message.contains("msal cache repair") == true) }
        }
        #expect(try files(location) == names)
        #expect(try Data(contentsOf: URL(filePath: location.file)) == bytes)
        #expect(keys.names == kept)
    }

    @Test(arguments: [
        "DELETE FROM meta WHERE k = 'mac'", "UPDATE meta SET v = zeroblob(32) WHERE k = 'mac'",
        "UPDATE meta SET v = 7 WHERE k = 'mac'", "DELETE FROM keys WHERE state = 'index'",
        "UPDATE keys SET since = since + 1", "UPDATE keys SET created = 0",
        "UPDATE keys SET state = 'retiring' WHERE state = 'active'",
        "INSERT INTO keys SELECT 'f00d', wrapped_by, wrapped, 'retiring', created, since FROM keys WHERE state = 'active'",
        "UPDATE meta SET v = 'nowhere' WHERE k = 'provider'", "DELETE FROM meta WHERE k = 'provider'",
        "UPDATE meta SET v = '../../other' WHERE k = 'wrappingKey'",
    ])
    func `a change of the key records in the file keeps the store closed`(sql: String) throws {
        try withStore { store in
            try change(store.location, sql)

            try expectClosed(store.location)
        }
    }

    @Test(arguments: [
        "UPDATE meta SET v = 'none' WHERE k = 'provider'",
        "UPDATE meta SET v = 'none' WHERE k = 'provider'; DELETE FROM keys; DELETE FROM meta WHERE k = 'mac'",
        "UPDATE meta SET v = 'secretService' WHERE k = 'provider'",
        "UPDATE meta SET v = 'f00d' WHERE k = 'wrappingKey'",
        "UPDATE meta SET v = 'another' WHERE k = 'store'",
    ])
    func `another location or name of the key is reported as an unavailable key`(sql: String) throws {
        try withStore { store in
            try change(store.location, sql)

            try expectClosed(store.location, .keyUnavailable)
        }
    }

    @Test func `an older key of the same store is no longer accepted`() throws {
        try withStore { store in
            let old = try #require(try store.storedKeys())
            try store.rotateDataKey(KeyAccessOptions())
            try store.resealAll()
            let queue = try DatabaseQueue(path: store.location.file)
            try queue.write { db in
                try db.execute(sql: "DELETE FROM keys")
                for row in old.rows { try StoredKeys.insert(row, in: db) }
            }
            try queue.close()

            try expectClosed(store.location)
        }
    }

    @Test func `a process that has the keys does not accept forged ones`() throws {
        try withStore { store in
            #expect(try store.secrets() == ["fake-rt"])
            try change(
                store.location,
                "UPDATE keys SET state = 'retiring' WHERE state = 'active'; "
                    + "UPDATE meta SET v = v + 1 WHERE k = 'generation'"
            )

            let reading = #expect(throws: StoreError.self) { try store.secrets() }
            let writing = #expect(throws: StoreError.self) { try store.put(.account(Sample.account())) }
            #expect(reading?.kind == .unverified && writing?.kind == .unverified)
        }
    }

    @Test func `a change of keys does not sign forged records`() throws {
        try withStore { store in
            #expect(try store.secrets() == ["fake-rt"])
            // Unnoticed by processes that have the keys: the generation is the same.
            try change(store.location, "UPDATE keys SET since = 5")

            let wrapping = #expect(throws: StoreError.self) { try store.rotateKeys(KeyAccessOptions()) }
            let sealing = #expect(throws: StoreError.self) { try store.rotateDataKey(KeyAccessOptions()) }
            #expect(wrapping?.kind == .unverified && sealing?.kind == .unverified)
            try expectClosed(store.location)
        }
    }

    @Test func `a record of a key to be deleted cannot delete the one in use`() throws {
        try withStore { store in
            let id = try #require(try store.storedKeys()?.wrapping.id)
            try change(
                store.location,
                """
                INSERT INTO meta VALUES ('retiring', 'credentialFile:\(id)'), ('arriving', 'keyFile:x/../../elsewhere')
                """
            )

            try store.rotateKeys(KeyAccessOptions())

            #expect(try open(store.location).secrets() == ["fake-rt"])
        }
    }

    @Test func `a damaged file is moved aside only if its keys are unchanged`() throws {
        try withStore { store in
            let location = store.location
            let file = URL(filePath: location.file)
            let sound = try Data(contentsOf: file)
            func destroyHeader() throws {
                var bytes = try Data(contentsOf: file)
                bytes.replaceSubrange(0..<4096, with: Data(repeating: 0xFF, count: 4096))
                try bytes.write(to: file)
            }
            try change(location, "UPDATE keys SET since = 5; PRAGMA wal_checkpoint(TRUNCATE)")
            try destroyHeader()
            try expectClosed(location)

            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: location.file + suffix) }
            try sound.write(to: file)
            try destroyHeader()
            let mended = open(location)
            #expect(try mended.secrets() == ["fake-rt"])
            #expect(mended.recovered?.rowsLost == 0)
            #expect(Quarantine.all(in: location.directory).count == 1)
        }
    }

    @Test func `a damaged file is not moved while its key is unavailable`() throws {
        try withStore { store in
            let file = URL(filePath: store.location.file)
            var bytes = try Data(contentsOf: file)
            bytes.replaceSubrange(0..<4096, with: Data(repeating: 0xFF, count: 4096))
            try bytes.write(to: file)
            keys.isLocked = true
            let locked = #expect(throws: StoreError.self) { try open(store.location).secrets() }
            #expect(locked?.kind == .keyUnavailable)
            #expect(try Data(contentsOf: file) == bytes)

            keys.isLocked = false
            #expect(try open(store.location).secrets() == ["fake-rt"])
        }
    }

    // MARK: - Repair

    @Test(arguments: [
        "UPDATE meta SET v = 'none' WHERE k = 'provider'", "UPDATE meta SET v = 'f00d' WHERE k = 'wrappingKey'",
        "UPDATE meta SET v = 'secretService' WHERE k = 'provider'", "DELETE FROM meta WHERE k = 'mac'",
    ])
    func `a repair recognizes the key by the rows that it decrypts, and drops inserted records`(sql: String) throws {
        try withStore { store in
            try change(
                store.location,
                sql + """
                    ; INSERT INTO record(id, kind, modified, sealed)
                    VALUES (x'00', 2002, 9, CAST('{"secret":"fake-forged"}' AS BLOB))
                    """
            )
            let mended = open(store.location)

            let report = try #require(try mended.repair(KeyAccessOptions()).first)

            #expect((report.rowsKept, report.rowsLost) == (2, 1))
            #expect(try open(store.location).secrets() == ["fake-rt"])
            #expect(try mended.repair(KeyAccessOptions()).isEmpty)
            #expect(try mended.statistics(now: Sample.now).provider == .keyFile)
        }
    }

    @Test func `a repair without the key changes nothing`() throws {
        try withStore { store in
            try change(store.location, "UPDATE keys SET since = 5")
            let bytes = try Data(contentsOf: URL(filePath: store.location.file))
            for loses in [false, true] {
                keys.isLocked = !loses
                if loses { keys.loseAll() }

                let error = #expect(throws: StoreError.self) { try open(store.location).repair(KeyAccessOptions()) }

                #expect(error?.kind == .keyUnavailable)
                #expect(try Data(contentsOf: URL(filePath: store.location.file)) == bytes)
                #expect(Quarantine.all(in: store.location.directory).isEmpty)
            }
        }
    }

    @Test func `a repair leaves an intact store and a missing one unchanged`() throws {
        try withStore { store in
            let done = try store.repair(KeyAccessOptions())
            #expect(done.isEmpty)
            #expect(try store.secrets() == ["fake-rt"])
            #expect(Quarantine.all(in: store.location.directory).isEmpty)
        }
        try withTemporaryDirectory { directory in
            let done = try open(try location(in: directory)).repair(KeyAccessOptions())
            #expect(done.isEmpty)
        }
    }

    // MARK: - Requested protection

    @Test func `a store with another protection than requested stays closed`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            func store(_ choice: StoreKeyChoice) -> SQLiteStore {
                SQLiteStore(location: location, keys: StoreKeys(choice, environment: [:]))
            }
            let plain = directory.appending(path: "plain").path
            try store(.location(.none)).put(.refreshToken(Sample.refreshToken("fake-plain")))
            for choice in [
                .automatic, .location(.keyFile), .location(.secretService), .location(.credentialFile, file: "/k"),
            ] as [StoreKeyChoice] {
                let error = #expect(throws: StoreError.self) { try store(choice).secrets() }
                #expect(error?.kind == .keyUnavailable)
                #expect(error?.message.contains("MSAL_STORE_KEY=none") == true)
            }
            #expect(try store(.location(.none)).secrets() == ["fake-plain"])
            try FileManager.default.moveItem(atPath: location.directory, toPath: plain)

            try store(.automatic).put(.refreshToken(Sample.refreshToken()))
            for choice in [.location(.none), .location(.secretService), .location(.credentialFile, file: "/k")]
                as [StoreKeyChoice]
            {
                let error = #expect(throws: StoreError.self) { try store(choice).put(.account(Sample.account())) }
                #expect(error?.kind == .keyUnavailable)
                #expect(error?.message.contains("msal cache rotate-key --to \(choice.text)") == true)
            }
            for choice in [StoreKeyChoice.automatic, .location(.keyFile)] {
                #expect(try store(choice).secrets() == ["fake-rt"])
            }
        }
    }

    @Test func `a store that replaced one with its key in the keyring stays closed`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            let bus = try FakeKeyring().bus()
            func store(_ choice: StoreKeyChoice) -> SQLiteStore {
                SQLiteStore(location: location, keys: StoreKeys(choice, environment: bus.environment))
            }
            try store(.automatic).put(.refreshToken(Sample.refreshToken()))
            try FileManager.default.removeItem(atPath: location.directory)
            try store(.location(.keyFile)).put(.refreshToken(Sample.refreshToken("fake-forged")))

            let error = #expect(throws: StoreError.self) { try store(.automatic).secrets() }

            #expect(error?.kind == .keyUnavailable)
            #expect(error?.message.contains("the Secret Service has a key") == true)
            #expect(try store(.location(.keyFile)).secrets() == ["fake-forged"])
        }
    }
}
