// Licensed under the MIT License. See LICENSE.

import Foundation
import SealedStore
import TestSupport
import Testing

@testable import MSAL

@Suite struct SQLiteStoreTests {
    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `reading a store that does not exist creates nothing`() throws {
        try withTemporaryDirectory { directory in
            let store = encryptedStore(in: try location(in: directory))

            #expect(try store.secrets().isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
        }
    }

    @Test func `only the owner can access files and directories`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            let store = encryptedStore(in: location)
            try store.put(.account(Sample.account()))

            #expect(try mode(location.directory) == 0o700)
            #expect(try mode(directory.path + "/msal") == 0o700)
            for suffix in ["", "-wal", "-shm"] { #expect(try mode(location.file + suffix) == 0o600) }
            #expect(try store.all(.account).count == 1)
        }
    }

    @Test func `wrong permission bits of the user's own file are repaired`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try encryptedStore(in: location).put(.account(Sample.account()))
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: location.file)

            #expect(try encryptedStore(in: location).all(.account).count == 1)
            #expect(try mode(location.file) == 0o600)
        }
    }

    @Test func `a symbolic link instead of the file is rejected`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            let target = directory.path + "/elsewhere"
            try FileManager.default.createDirectory(atPath: location.directory, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(atPath: location.file, withDestinationPath: target)
            let store = encryptedStore(in: location)

            let error = try #require(throws: StoreError.self) { try store.put(.account(Sample.account())) }
            #expect(error.kind == .insecure)
            #expect(throws: StoreError.self) { try store.secrets() }
            #expect(!FileManager.default.fileExists(atPath: target))
        }
    }

    @Test func `a second hard link is rejected`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try encryptedStore(in: location).put(.account(Sample.account()))
            try FileManager.default.linkItem(atPath: location.file, toPath: directory.path + "/second")

            let error = try #require(throws: StoreError.self) { try encryptedStore(in: location).secrets() }
            #expect(error.kind == .insecure)
        }
    }

    @Test func `a file without a readable row is moved aside, kept, and replaced`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try FileManager.default.createDirectory(
                atPath: location.directory,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let damaged = Data(repeating: 0x2A, count: 8192)
            try damaged.write(to: URL(filePath: location.file))
            let store = encryptedStore(in: location)

            #expect(try store.secrets().isEmpty)
            try store.put(.account(Sample.account()))

            #expect(try store.all(.account).count == 1)
            let aside = try FileManager.default.subpathsOfDirectory(atPath: location.directory)
                .filter { $0.hasPrefix("corrupt-") && $0.hasSuffix("/tokens.db") }
            #expect(aside.count == 1)
            #expect(try aside.map { try Data(contentsOf: URL(filePath: location.directory + "/" + $0)) } == [damaged])
        }
    }

    @Test func `an empty file is a new store`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try FileManager.default.createDirectory(atPath: location.directory, withIntermediateDirectories: true)
            #expect(FileManager.default.createFile(atPath: location.file, contents: nil))
            let store = encryptedStore(in: location)

            #expect(try store.secrets().isEmpty)
            try store.put(.account(Sample.account()))
            #expect(try store.all(.account).count == 1)
        }
    }

    @Test func `a file instead of the directory is an error with a remedy, and not an empty store`() throws {
        try withTemporaryDirectory { directory in
            let blocked = directory.appending(path: "file")
            try Data().write(to: blocked)
            let store = encryptedStore(in: try location(in: blocked))

            let reading = try #require(throws: StoreError.self) { try store.secrets() }
            let writing = try #require(throws: StoreError.self) { try store.put(.account(Sample.account())) }
            // A cache above the store does not hide this: no store ever existed there.
            let covered = try #require(throws: StoreError.self) { try BufferedStore(over: store).secrets() }

            for error in [reading, writing, covered] {
                #expect(error.kind == .unreadable)
                #expect(error.message.contains(blocked.path))
                #expect(error.message.contains("MSAL_STORE_DIR"))
            }
        }
    }

    // `/proc` does not allow new directories, not even for root.
    @Test func `a directory that cannot be created is an error with a remedy, on writing only`() throws {
        let store = encryptedStore(in: try location(in: URL(filePath: "/proc/msal")))

        #expect(try store.secrets().isEmpty)
        let error = try #require(throws: StoreError.self) { try store.put(.account(Sample.account())) }
        #expect(error.kind == .unwritable)
        #expect(error.message.contains("MSAL_STORE_DIR"))
    }

    @Test func `two stores on one file see each other's changes`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            let first = encryptedStore(in: location)
            let second = encryptedStore(in: location)
            #expect(try second.secrets().isEmpty)
            let before = try second.changeCounter()

            try first.put(.refreshToken(Sample.refreshToken("fake-1")))
            let between = try second.changeCounter()
            #expect(try second.secrets() == ["fake-1"])
            try first.put(.refreshToken(Sample.refreshToken("fake-2")))

            #expect(before != between)
            #expect(try second.changeCounter() != between)
            #expect(try second.secrets() == ["fake-2"])
        }
    }

    @Test func `a store whose file was deleted is recreated empty`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            let store = encryptedStore(in: location)
            try store.put(.refreshToken(Sample.refreshToken()))
            let before = try store.changeCounter()
            try FileManager.default.removeItem(atPath: location.directory)

            #expect(try store.secrets().isEmpty)
            try store.put(.account(Sample.account()))
            #expect(try store.all(.account).count == 1)
            #expect(try store.changeCounter() != before)
        }
    }

    @Test(arguments: [true, false])
    func `a store that was deleted is no longer ready, and is recreated for its owner only`(
        alsoTheDirectory: Bool
    ) throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            let store = encryptedStore(in: location)
            try store.put(.refreshToken(Sample.refreshToken()))
            #expect(store.isPrepared)
            try FileManager.default.removeItem(atPath: alsoTheDirectory ? location.directory : location.file)

            #expect(try store.secrets().isEmpty)
            #expect(!store.isPrepared)
            try store.prepare(KeyAccessOptions(), for: .writing)

            #expect(store.isPrepared)
            #expect(try mode(location.directory) == 0o700)
            #expect(try mode(location.file) == 0o600)
            try store.put(.account(Sample.account()))
            #expect(try encryptedStore(in: location).all(.account).count == 1)
        }
    }

    @Test func `a store moves with its directory`() throws {
        try withTemporaryDirectory { directory in
            let first = try location(in: directory, group: "first")
            let second = try location(in: directory, group: "second")
            try encryptedStore(in: first).put(.refreshToken(Sample.refreshToken()))

            try FileManager.default.moveItem(atPath: first.directory, toPath: second.directory)

            #expect(try encryptedStore(in: second).secrets() == ["fake-rt"])
        }
    }

    @Test func `the path is derived from the environment`() throws {
        #expect(
            try StoreLocation(group: "a", environment: ["MSAL_STORE_DIR": "/s/", "XDG_STATE_HOME": "/x"]).file
                == "/s/msal/a/tokens.db"
        )
        #expect(
            try StoreLocation(group: ".a/é", environment: ["XDG_STATE_HOME": "/x"]).directory
                == "/x/msal/%2Ea%2F%C3%A9"
        )
        #expect(try StoreLocation(group: "a", environment: [:]).directory.hasSuffix("/.local/state/msal/a"))
    }

    @Test(arguments: [
        ("a", ["MSAL_STORE_DIR": "relative"], StoreError.Kind.invalidLocation),
        ("", ["MSAL_STORE_DIR": "/s"], .invalidLocation),
        (String(repeating: "a", count: 129), ["MSAL_STORE_DIR": "/s"], .invalidLocation),
        ("a", ["HOME": "/proc/nobody-has-this"], .insecure),
    ])
    func `a path that leads elsewhere is rejected`(
        group: String,
        environment: [String: String],
        kind: StoreError.Kind
    ) throws {
        let error = try #require(throws: StoreError.self) {
            try StoreLocation(group: group, environment: environment)
        }
        #expect(error.kind == kind)
    }
}
