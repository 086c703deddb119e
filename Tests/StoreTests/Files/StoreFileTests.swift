// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import StoreWorker
import TestSupport
import Testing

@testable import MSAL
@testable import SealedStore

/// Owners and permissions, as far as every user can test them (docs/reference/Store.md#torture-rights).
@Suite struct StoreFileTests {
    private func saved(_ folder: StoreFolder) throws {
        _ = try TokenCache(store: folder.store(), clientID: Numbered.clientID).save(
            Numbered.save(account: 0, number: 1)
        )
    }

    private func number(_ folder: StoreFolder) throws -> Int? {
        try Numbered.numbers(of: 0, in: folder.store()).refreshToken
    }

    @Test(arguments: [0o644, 0o660, 0o606])
    func `other users' permissions on a file are removed`(mode: Int) throws {
        try StoreFolder.with { folder in
            try saved(folder)
            try folder.setMode(mode, folder.location.file)

            #expect(try number(folder) == 1)
            #expect(try folder.mode(folder.location.file) == 0o600)
        }
    }

    @Test func `other users' permissions on the directory are removed`() throws {
        try StoreFolder.with { folder in
            try saved(folder)
            try folder.setMode(0o770, folder.location.directory)

            #expect(try number(folder) == 1)
            #expect(try folder.mode(folder.location.directory) == 0o700)
        }
    }

    @Test func `a permissive umask grants nothing, and a strict one does not lock out the owner`() async {
        // In a separate process, because the umask applies to all tests that run at the time.
        await #expect(processExitsWith: .success) {
            for mask in [mode_t(0), 0o777] {
                try StoreFolder.with { folder in
                    let before = umask(mask)
                    defer { umask(before) }
                    try StoreFileTests().saved(folder)
                    try folder.store().heal(isCertain: true)
                    _ = try ProofKeyFile(directory: folder.directory.path + "/a/b").key()

                    let directory = folder.directory.path
                    let names = try #require(FileManager.default.enumerator(atPath: directory)).compactMap {
                        $0 as? String
                    }
                    for wanted in [".users", ".recovery", "tokens.db", "key", "report.json", "proof-key.pem"] {
                        #expect(names.contains { $0.hasSuffix("/" + wanted) }, "\(wanted)")
                    }
                    for name in names {
                        let attributes = try FileManager.default.attributesOfItem(atPath: directory + "/" + name)
                        let isDirectory = attributes[.type] as? FileAttributeType == .typeDirectory
                        #expect(try folder.mode(directory + "/" + name) == (isDirectory ? 0o700 : 0o600), "\(name)")
                    }
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func `a file that was moved after its check is not created again by opening it`(readonly: Bool) throws {
        try StoreFolder.with { folder in
            try saved(folder)
            try FileManager.default.removeItem(atPath: folder.location.file)
            let file = StoreFile(location: folder.location)

            let error = #expect(throws: StoreError.self) {
                _ = try file.connect(StoreSchema.configuration(readonly: readonly))
            }
            #expect(error?.underlying is StoreReplacedError)
            #expect(!FileManager.default.fileExists(atPath: folder.location.file))
        }
    }

    @Test(arguments: ["", "-wal", "-journal"])
    func `a symbolic link instead of a file is rejected and not followed`(suffix: String) throws {
        try StoreFolder.with { folder in
            try saved(folder)
            let target = folder.directory.path + "/elsewhere"
            try? FileManager.default.removeItem(atPath: folder.location.file + suffix)
            try FileManager.default.createSymbolicLink(
                atPath: folder.location.file + suffix,
                withDestinationPath: target
            )

            let error = #expect(throws: StoreError.self) { try saved(folder) }
            #expect(error?.kind == .insecure)
            #expect(!FileManager.default.fileExists(atPath: target))
        }
    }

    @Test func `a symbolic link instead of the directory is rejected`() throws {
        try StoreFolder.with { folder in
            let target = folder.directory.path + "/elsewhere"
            try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
            let parent = URL(filePath: folder.location.directory).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: folder.location.directory,
                withDestinationPath: target
            )

            let error = #expect(throws: StoreError.self) { try saved(folder) }
            #expect(error?.kind == .insecure)
            #expect(try FileManager.default.contentsOfDirectory(atPath: target).isEmpty)
        }
    }

    @Test func `the user's own link above the store is followed`() throws {
        try StoreFolder.with { folder in
            let real = folder.directory.appending(path: "real")
            try FileManager.default.createDirectory(at: real, withIntermediateDirectories: false)
            let link = folder.directory.appending(path: "link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
            let location = try StoreLocation(group: "group", environment: ["MSAL_STORE_DIR": link.path])
            let through = StoreFolder(directory: folder.directory, location: location)
            try saved(through)

            #expect(try number(through) == 1)
            #expect(FileManager.default.fileExists(atPath: real.path + "/msal/group/tokens.db"))
        }
    }

    @Test func `circular links are rejected`() throws {
        try StoreFolder.with { folder in
            let link = folder.directory.path + "/circle"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: link)
            let location = try StoreLocation(group: "group", environment: ["MSAL_STORE_DIR": link])
            let error = #expect(throws: StoreError.self) {
                try saved(StoreFolder(directory: folder.directory, location: location))
            }
            #expect(error?.kind == .unreadable)
        }
    }

    @Test func `a world-writable directory in the path is rejected`() throws {
        try StoreFolder.with { folder in
            try saved(folder)
            try folder.setMode(0o777, folder.directory.path)
            let open = #expect(throws: StoreError.self) { try number(folder) }
            #expect(open?.kind == .insecure)

            // With the sticky bit, as in /tmp, no user can replace other users' files.
            try folder.setMode(0o1777, folder.directory.path)
            #expect(try number(folder) == 1)
        }
    }

    @Test func `an access list that names others is recognized in the kernel's format`() {
        func entry(_ tag: UInt8, _ rights: UInt8) -> [UInt8] { [tag, 0, rights, 0, 0xD2, 4, 0, 0] }
        let version: [UInt8] = [2, 0, 0, 0]
        let owner = entry(0x01, 6)
        let others = entry(0x20, 0)

        #expect(AccessList.widensAccess(version + owner + entry(0x02, 4) + entry(0x10, 6) + others))
        #expect(AccessList.widensAccess(version + owner + entry(0x08, 4) + others))
        #expect(!AccessList.widensAccess(version + owner + entry(0x02, 4) + entry(0x10, 0) + others))
        #expect(!AccessList.widensAccess(version + owner + entry(0x04, 4) + others))
        #expect(!AccessList.widensAccess([2, 0]))
    }

    @Test(.enabled(if: WideAccessList.isKnownHere, "The file system of the temporary directory has no access lists."))
    func `a file that an access list opens to others is rejected`() throws {
        try StoreFolder.with { folder in
            try saved(folder)
            try #require(WideAccessList.set(on: folder.location.file))

            let error = #expect(throws: StoreError.self) { try number(folder) }
            #expect(error?.kind == .insecure)
            #expect(error?.message.contains("setfacl") == true)
        }
    }

    @Test func `a home that another user owns is rejected`() throws {
        try withTemporaryDirectory { directory in
            // Root can change the owner of a directory; for other users the root directory belongs to another user.
            let isRoot = geteuid() == 0
            try #require(!isRoot || chown(directory.path, 65_534, 65_534) == 0)
            let home = isRoot ? directory.path : "/"

            let foreign = #expect(throws: StoreError.self) {
                try StoreLocation(group: "a", environment: ["HOME": home])
            }
            #expect(foreign?.kind == .insecure)
            #expect(foreign?.message.contains(home) == true)
        }
    }

    @Test func `a missing home is rejected`() throws {
        let missing = #expect(throws: StoreError.self) {
            try StoreLocation(group: "a", environment: ["HOME": "/proc/1/nothing"])
        }
        #expect(missing?.kind == .insecure)
    }
}

/// An access list that lets user 1234 read a file: owner rw, that user r, group none, mask r, others none.
private enum WideAccessList {
    private typealias SetAttribute =
        @convention(c) (
            UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer?, Int, Int32
        ) -> Int32

    /// Whether files of the temporary directory can have an access list.
    static let isKnownHere: Bool = {
        let isSet = try? withTemporaryDirectory { directory in
            let path = directory.path + "/file"
            return FileManager.default.createFile(atPath: path, contents: nil) && set(on: path)
        }
        return isSet == true
    }()

    /// Whether the file has the list now.
    static func set(on path: String) -> Bool {
        // Swift's Glibc does not show it.
        guard let symbol = dlsym(nil, "setxattr") else { return false }
        func entry(_ tag: UInt8, _ rights: UInt8, _ id: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]) -> [UInt8] {
            [tag, 0, rights, 0] + id
        }
        let entries = [
            entry(0x01, 6), entry(0x02, 4, [0xD2, 4, 0, 0]), entry(0x04, 0), entry(0x10, 4), entry(0x20, 0),
        ]
        let list = [2, 0, 0, 0] + entries.joined()
        let setAttribute = unsafeBitCast(symbol, to: SetAttribute.self)
        return list.withUnsafeBytes { setAttribute(path, "system.posix_acl_access", $0.baseAddress, $0.count, 0) } == 0
    }
}
