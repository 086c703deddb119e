// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import StoreWorker
import Testing

@testable import MSAL
@testable import SealedStore

/// Stores on network file systems and in read-only places (docs/reference/Store.md#network-file-systems, #read-only).
@Suite struct FileSystemTests {
    private func journal(_ store: SQLiteStore) throws -> String? {
        try store.statistics(now: Numbered.now).journalMode
    }

    private func save(_ number: Int, _ store: SQLiteStore) throws {
        _ = try TokenCache(store: store, clientID: Numbered.clientID).save(Numbered.save(account: 0, number: number))
    }

    @Test(arguments: [
        ("ext4", FileSystemKind.local), ("tmpfs", .local), ("overlay", .local), ("nfs4", .shared("nfs4")),
        ("cifs", .shared("cifs")), ("fuse.sshfs", .shared("fuse.sshfs")), ("fuseblk", .shared("fuseblk")),
        ("9p", .shared("9p")), ("virtiofs", .shared("virtiofs")),
    ])
    func `file systems of several machines are told by their type`(type: String, kind: FileSystemKind) {
        #expect(FileSystemKind(type: type) == kind)
    }

    @Test func `the type is found in the table of mounts`() {
        let mounts = """
            36 35 98:0 / /mnt1 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
            37 35 0:52 / /home/amy rw,relatime shared:2 master:3 - nfs4 server:/export rw,vers=4.2
            broken line
            """
        #expect(FileSystemKind.type(ofDevice: "0:52", mounts: mounts) == "nfs4")
        #expect(FileSystemKind.type(ofDevice: "98:0", mounts: mounts) == "ext3")
        #expect(FileSystemKind.type(ofDevice: "0:1", mounts: mounts) == nil)
    }

    @Test func `a local store has a log, one on NFS has a journal`() throws {
        try StoreFolder.with { folder in
            let local = folder.store(on: .local)
            try save(1, local)
            #expect(try journal(local) == "wal")
        }
        try StoreFolder.with { folder in
            let shared = folder.store(on: .shared("nfs4"))
            try save(1, shared)
            #expect(try journal(shared) != "wal")
            #expect(!FileManager.default.fileExists(atPath: folder.location.file + "-wal"))
            #expect(!FileManager.default.fileExists(atPath: folder.location.file + "-shm"))

            // Two stores on it see each other's changes.
            let other = folder.store(on: .shared("nfs4"))
            try save(2, other)
            #expect(try Numbered.numbers(of: 0, in: shared).refreshToken == 2)
            try save(3, shared)
            #expect(try Numbered.numbers(of: 0, in: other).refreshToken == 3)
        }
    }

    @Test func `a store that was copied to NFS stops using its write-ahead log`() throws {
        try StoreFolder.with { folder in
            try save(1, folder.store(on: .local))
            let shared = folder.store(on: .shared("nfs4"))
            #expect(try Numbered.numbers(of: 0, in: shared).refreshToken == 1)
            try save(2, shared)
            #expect(try journal(shared) != "wal")

            // And keeps its journal where it is local again: the mode is the file's.
            let local = folder.store(on: .local)
            try save(3, local)
            #expect(try journal(local) != "wal")
            #expect(try Numbered.numbers(of: 0, in: shared).refreshToken == 3)
        }
    }

    @Test func `locks of this file system exclude`() throws {
        try StoreFolder.with { folder in
            try LockProbe(directory: folder.directory.path, fileSystem: "test").run()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.directory.path).isEmpty)
        }
    }

    @Test func `locks that do not exclude, fail or hang are refused with a remedy`() throws {
        let never = DispatchSemaphore(value: 0)
        defer { never.signal() }
        let probes: [@Sendable (String) -> LockProbe.Outcome] = [
            { _ in .doesNotExclude },
            { _ in .failed(ENOLCK) },
            { _ in
                never.wait()
                return .excludes
            },
        ]
        for attempt in probes {
            var probe = LockProbe(directory: "/home/amy", fileSystem: "nfs4")
            probe.timeout = .milliseconds(50)
            probe.attempt = attempt
            let error = #expect(throws: StoreError.self) { try probe.run() }
            #expect(error?.kind == .unsupportedFilesystem)
            #expect(error?.message.contains("XDG_RUNTIME_DIR") == true)
        }
    }

    @Test func `a complete file can be opened as immutable`() throws {
        let location = try StoreLocation(group: "g", environment: ["MSAL_STORE_DIR": "/tmp/a b?c#d%e"])
        #expect(location.immutableURI == "file:///tmp/a%20b%3Fc%23d%25e/msal/g/tokens.db?immutable=1")
    }

    @Test func `a new log invalidates a file that was opened as immutable`() throws {
        try StoreFolder.with { folder in
            try save(1, folder.store())
            let file = StoreFile(location: folder.location)
            file.noteImmutable()
            let before = file.identity
            try Data(repeating: 1, count: 100).write(to: URL(filePath: folder.location.file + "-wal"))

            #expect(before != nil)
            #expect(file.identity != before)
        }
    }

    @Test func `a clean end leaves one complete file`() throws {
        try StoreFolder.with { folder in
            do {
                let store = folder.store()
                try save(1, store)
                #expect(try Numbered.numbers(of: 0, in: store).refreshToken == 1)
            }
            #expect(!FileManager.default.fileExists(atPath: folder.location.file + "-wal"))
        }
    }

    @Test func `the last one to close leaves one complete file, even if it only read`() throws {
        try StoreFolder.with { folder in
            let reading = folder.store()
            do {
                let writing = folder.store()
                try save(1, writing)
                #expect(try Numbered.numbers(of: 0, in: reading).refreshToken == 1)
            }
            #expect(FileManager.default.fileExists(atPath: folder.location.file + "-wal"))

            reading.rows.close()
            #expect(!FileManager.default.fileExists(atPath: folder.location.file + "-wal"))
            #expect(try Numbered.numbers(of: 0, in: reading).refreshToken == 1)
        }
    }

    @Test func `a process that ends without letting go of its store leaves one complete file`() throws {
        try StoreFolder.with { folder in
            let worker = try Worker("hold", in: folder.directory, [])
            #expect(worker.wait() == 0)
            #expect(worker.lines == ["saved true"])

            let location = try StoreLocation(group: "torture", environment: ["MSAL_STORE_DIR": folder.directory.path])
            #expect(FileManager.default.fileExists(atPath: location.file))
            #expect(!FileManager.default.fileExists(atPath: location.file + "-wal"))
        }
    }
}
