// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import SealedStore

/// The key in a file next to the store (docs/reference/Store.md#key-providers).
@Suite struct KeyFileKeysTests {
    private let keys = KeyFileKeys()

    private func name(_ directory: URL, _ id: String = KeyName.firstID) -> KeyName {
        KeyName(group: "g", store: "s", keyID: id, directory: directory.path)
    }

    private func material(_ byte: UInt8) throws -> KeyMaterial {
        try #require(KeyMaterial(repeatElement(byte, count: 32)))
    }

    @Test func `a key is stored with access only for its owner, and found again`() throws {
        try withTemporaryDirectory { directory in
            let name = name(directory)
            #expect(try keys.key(name, keyAccess: KeyAccessOptions()) == nil)

            try keys.keep(try material(7), as: name, keyAccess: KeyAccessOptions())

            let found = try #require(try keys.key(name, keyAccess: KeyAccessOptions()))
            #expect(found.isEqual(to: try material(7)))
            let attributes = try FileManager.default.attributesOfItem(atPath: directory.path + "/key")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["key"])
            try keys.forget(name, keyAccess: KeyAccessOptions())
            #expect(try keys.key(name, keyAccess: KeyAccessOptions()) == nil)
        }
    }

    @Test func `the first key that is kept stays`() throws {
        try withTemporaryDirectory { directory in
            let name = name(directory)

            try keys.keep(try material(1), as: name, keyAccess: KeyAccessOptions())
            try keys.keep(try material(2), as: name, keyAccess: KeyAccessOptions())

            let found = try #require(try keys.key(name, keyAccess: KeyAccessOptions()))
            #expect(found.isEqual(to: try material(1)))
        }
    }

    @Test func `concurrent creators end up with one key`() async throws {
        try await withTemporaryDirectory { directory in
            let name = name(directory)
            let keys = keys

            let found = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<16 {
                    group.addTask { try keys.ensureKey(name, keyAccess: KeyAccessOptions()).withBytes(Array.init) }
                }
                return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
            }

            #expect(found.count == 1)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["key"])
        }
    }

    @Test func `other users' permissions are removed`() throws {
        try withTemporaryDirectory { directory in
            let name = name(directory)
            try keys.keep(try material(1), as: name, keyAccess: KeyAccessOptions())
            let path = directory.path + "/key"
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)

            #expect(try keys.key(name, keyAccess: KeyAccessOptions()) != nil)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `a creator that crashed between its two names leaves no problem`() throws {
        try withTemporaryDirectory { directory in
            let name = name(directory)
            try keys.keep(try material(1), as: name, keyAccess: KeyAccessOptions())
            let path = directory.path + "/key"
            try FileManager.default.linkItem(atPath: path, toPath: path + ".new-0123")

            #expect(try keys.key(name, keyAccess: KeyAccessOptions()) != nil)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["key"])
        }
    }

    @Test(arguments: ["link", "second name", "short", "directory"])
    func `a file that is not a valid key file of this user is rejected`(fault: String) throws {
        try withTemporaryDirectory { directory in
            let name = name(directory)
            let path = directory.path + "/key"
            let other = directory.path + "/other"
            try Data(repeating: 1, count: fault == "short" ? 31 : 32).write(to: URL(filePath: other))
            switch fault {
            case "link": try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
            case "second name": try FileManager.default.linkItem(atPath: other, toPath: path)
            case "short": try FileManager.default.moveItem(atPath: other, toPath: path)
            default: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            }

            let error = try #require(throws: StoreError.self) { try keys.key(name, keyAccess: KeyAccessOptions()) }

            #expect(error.kind == .keyUnavailable)
            #expect(error.message.contains(path))
        }
    }

    @Test func `a failed read is reported with the system's reason`() throws {
        try withTemporaryDirectory { directory in
            // The system does not read bytes of a directory. The check of the file would reject one earlier, so this opens it
            // itself.
            let descriptor = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            try #require(descriptor >= 0)
            defer { close(descriptor) }

            let error = try #require(throws: StoreError.self) { try KeyFileKeys.key(in: descriptor, path: "/a/key") }

            #expect(error.kind == .keyUnavailable)
            #expect(error.message.contains("/a/key cannot be read (Is a directory). Check the disk"))
        }
    }

    @Test func `a replacement key has a different name`() throws {
        try withTemporaryDirectory { directory in
            try keys.keep(try material(1), as: name(directory), keyAccess: KeyAccessOptions())
            try keys.keep(try material(2), as: name(directory, "abc"), keyAccess: KeyAccessOptions())

            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["key", "key.abc"])
        }
    }
}
