// Licensed under the MIT License. See LICENSE.

import Foundation
import SealedStore
import TestSupport
import Testing

/// A key that the system provides in a file.
struct CredentialFileKeysTests {
    private let name = KeyName(group: "g", store: "s", keyID: "k", directory: "/nonexistent")
    private let directory: TemporaryDirectory
    private var folder: URL { directory.url }

    init() throws {
        directory = try TemporaryDirectory()
    }

    @Test(
        arguments: [
            Data(1...32),
            Data(Data(1...32).base64EncodedString().utf8),
            Data((Data(1...32).base64EncodedString().replacing("=", with: "") + "\n").utf8),
            Data((Data(1...32).map { String(format: "%02x", $0) }.joined() + "\r\n").utf8),
            Data(Data(1...32).map { String(format: "%02X", $0) }.joined().utf8),
        ]
    )
    func `bytes, base64 and hexadecimal are read`(_ content: Data) throws {
        let file = try write(content)

        let key = try CredentialFileKeys(file: file, environment: [:]).key(name, keyAccess: KeyAccessOptions())

        #expect(key?.withBytes { Array($0) } == Array(1...32))
    }

    @Test(arguments: [0, 31, 33, 64, 127, 128, 4096])
    func `any other length is refused`(_ count: Int) throws {
        let file = try write(Data(repeating: 0x80, count: count))

        let error = #expect(throws: StoreError.self) {
            try CredentialFileKeys(file: file, environment: [:]).key(name, keyAccess: KeyAccessOptions())
        }

        #expect(error?.kind == .keyUnavailable)
        #expect(error?.message.contains("head -c 32 /dev/urandom") == true)
    }

    @Test func `the error for a missing file says how to create one`() {
        let file = folder.appending(path: "none").path

        let error = #expect(throws: StoreError.self) {
            try CredentialFileKeys(file: file, environment: [:]).key(name, keyAccess: KeyAccessOptions())
        }

        #expect(error?.message.contains("head -c 32 /dev/urandom > \(file)") == true)
    }

    @Test func `a file that others can read is rejected, except in systemd's directory`() throws {
        let file = try write(Data(1...32), mode: 0o440)

        let error = #expect(throws: StoreError.self) {
            try CredentialFileKeys(file: file, environment: [:]).key(name, keyAccess: KeyAccessOptions())
        }
        let environment = ["CREDENTIALS_DIRECTORY": folder.path]
        let byPath = try CredentialFileKeys(file: file, environment: environment).key(
            name,
            keyAccess: KeyAccessOptions()
        )
        let byName = try CredentialFileKeys(file: "key", environment: environment).key(
            name,
            keyAccess: KeyAccessOptions()
        )

        #expect(error?.message.contains("chmod 600") == true)
        #expect(byPath != nil && byName != nil)
    }

    @Test(arguments: ["../key", "a/b", "..", ".", "", "key"])
    func `a name stays within the directory, which must be set`(_ file: String) throws {
        _ = try write(Data(1...32))
        let inside = folder.appending(path: "inside")
        try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)

        for environment in [[:], ["CREDENTIALS_DIRECTORY": "relative"], ["CREDENTIALS_DIRECTORY": inside.path]] {
            #expect(throws: StoreError.self) {
                try CredentialFileKeys(file: file, environment: environment).key(name, keyAccess: KeyAccessOptions())
            }
        }
    }

    @Test func `a folder and a pipe are rejected as key files`() throws {
        let pipe = folder.appending(path: "pipe").path
        mkfifo(pipe, 0o600)

        for path in [folder.path, pipe] {
            #expect(throws: StoreError.self) {
                try CredentialFileKeys(file: path, environment: [:]).key(name, keyAccess: KeyAccessOptions())
            }
        }
    }

    @Test func `only the existing key can be stored, and no key can be removed`() throws {
        let file = try write(Data(1...32))
        let keys = CredentialFileKeys(file: file, environment: [:])
        let same = try #require(KeyMaterial(1...32))
        let other = try #require(KeyMaterial(2...33))

        try keys.keep(same, as: name, keyAccess: KeyAccessOptions())
        #expect(throws: StoreError.self) { try keys.keep(other, as: name, keyAccess: KeyAccessOptions()) }
        try keys.forget(name, keyAccess: KeyAccessOptions())
        let key = try keys.key(name, keyAccess: KeyAccessOptions())

        #expect(key?.withBytes { Array($0) } == Array(1...32))
    }

    private func write(_ content: Data, mode: Int = 0o600) throws -> String {
        let file = folder.appending(path: "key")
        try content.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        return file.path
    }
}
