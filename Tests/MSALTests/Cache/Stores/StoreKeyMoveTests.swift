// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import SealedStore

/// Keys that move: to their current location, from a location that cannot be reached, and between files with the same
/// name (docs/reference/Store.md#provider-change and #rotation).
@Suite struct StoreKeyMoveTests {
    private let keys = HeldKeys()
    private let keyring = HeldKeys(.secretService)
    private let secrets = ["fake-1", "fake-2"]

    private var choice: KeyChoice { KeyChoice(providers: [keys, keyring]) }

    private func open(
        _ location: StoreLocation,
        _ source: (any StoreKeySource)? = nil,
        stopAfter step: StoreStep? = nil
    ) -> SQLiteStore {
        .open(location, keys: source ?? choice, stopAfter: step)
    }

    private func fill(_ location: StoreLocation, _ source: (any StoreKeySource)? = nil) throws {
        for secret in secrets {
            try open(location, source).put(.refreshToken(Sample.refreshToken(secret, client: secret)))
        }
    }

    private func isWhole(_ location: StoreLocation, _ source: (any StoreKeySource)? = nil) throws -> Bool {
        try open(location, source).secrets() == secrets
    }

    private func activeKey(_ location: StoreLocation, _ source: (any StoreKeySource)? = nil) throws -> String? {
        try open(location, source).statistics(now: Sample.now).keys.first { $0.state == .active }?.id
    }

    private func note(_ name: StoredKeys.Meta, _ location: StoreLocation) throws -> String? {
        let store = open(location)
        return try store.transaction { try StoredKeys.meta(name, as: String.self, in: $0) }
    }

    /// Replaces all keys and returns the warnings.
    private func rotate(_ location: StoreLocation) throws -> [String] {
        let lines = Mutex<[String]>([])
        let listener = Log.Listener { level, line in
            if level == .warning { lines.withLock { $0.append(line) } }
        }
        let store = open(location)
        try Log.$listener.withValue(listener) { try store.rotateKeys(KeyAccessOptions()) }
        return lines.withLock(\.self)
    }

    /// A credential file with a key of repeated `byte`.
    private func credential(_ byte: UInt8, in directory: URL) throws -> CredentialFileKeys {
        let path = directory.path + "/credential-\(byte)"
        try Data(repeating: byte, count: 32).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return CredentialFileKeys(file: path, environment: [:])
    }

    // MARK: - To the current location

    @Test func `moving a key to its current location creates new keys`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try fill(location)
            let (key, dataKey) = (keys.names, try activeKey(location))

            try open(location).moveKey(to: keys, keyAccess: KeyAccessOptions())

            #expect(try isWhole(location))
            #expect(keys.names.count == 1 && keys.names != key)
            #expect(try activeKey(location) != dataKey)
            #expect(try open(location).storedKeys()?.rows.count == 2)
        }
    }

    @Test func `a plain store that is to stay plain is unchanged`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            let source = SingleKeySource(nil)
            try fill(location, source)
            let generation = try open(location, source).storedKeys()?.generation

            try open(location, source).moveKey(to: nil, keyAccess: KeyAccessOptions())

            #expect(try open(location, source).storedKeys()?.generation == generation)
            #expect(try isWhole(location, source))
        }
    }

    // MARK: - From a location that cannot be reached

    @Test(arguments: [true, false])
    func `a location that cannot be reached is not mentioned, and blocks no later change`(isPlain: Bool) throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try fill(location, isPlain ? SingleKeySource(nil) : nil)
            keyring.isLocked = true

            let failed = try #require(throws: StoreError.self) {
                try open(location).moveKey(to: keyring, keyAccess: KeyAccessOptions())
            }

            #expect(failed.kind == .keyUnavailable)
            #expect(try note(.arriving, location) == nil)
            try open(location).moveKey(to: keys, keyAccess: KeyAccessOptions())
            #expect(try isWhole(location))
            #expect(keys.names.count == 1)
        }
    }

    @Test(arguments: [StoreStep.newKeyAnnounced, .newKeyKept])
    func `an announced key in an unreachable location is left there with a warning`(step: StoreStep) throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try fill(location)
            let key = keys.names
            #expect(throws: StoreError.self) {
                try open(location, stopAfter: step).moveKey(to: keyring, keyAccess: KeyAccessOptions())
            }
            keyring.isLocked = true

            let said = try rotate(location)

            #expect(said.filter { $0.contains("was not deleted") && $0.contains("the Secret Service") }.count == 1)
            #expect(try isWhole(location))
            #expect(keys.names.count == 1 && keys.names != key)
            // The record was deleted with the change, so the next change reports nothing.
            #expect(try rotate(location).isEmpty)
        }
    }

    @Test func `an announced key is deleted before a store becomes plain, or left behind`() throws {
        for isLocked in [false, true] {
            try withTemporaryDirectory { directory in
                let location = try location(in: directory)
                let (keys, keyring) = (HeldKeys(), HeldKeys(.secretService))
                let source = KeyChoice(providers: [keys, keyring])
                try fill(location, source)
                #expect(throws: StoreError.self) {
                    try open(location, source, stopAfter: .newKeyKept).moveKey(
                        to: keyring,
                        keyAccess: KeyAccessOptions()
                    )
                }
                keyring.isLocked = isLocked

                try open(location, source).moveKey(to: nil, keyAccess: KeyAccessOptions())

                #expect(try isWhole(location, source))
                #expect(keys.names.isEmpty)
                #expect(keyring.names.count == (isLocked ? 1 : 0))
            }
        }
    }

    @Test(arguments: [StoreStep.keysRewrapped, .oldWrapsDeleted])
    func `a replaced key in an unreachable location is left there with a warning`(step: StoreStep) throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try fill(location)
            #expect(throws: StoreError.self) {
                try open(location, stopAfter: step).moveKey(to: keyring, keyAccess: KeyAccessOptions())
            }
            keys.isLocked = true

            let said = try rotate(location)

            #expect(said.filter { $0.contains("was not deleted") && $0.contains("the key file") }.count == 1)
            #expect(try isWhole(location))
            #expect(keyring.names.count == 1)
            #expect(try open(location).storedKeys()?.rows.count == 2)
        }
    }

    @Test func `a failure to delete a replaced key is an error of the change itself`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            try fill(location)
            let (keys, keyring) = (keys, keyring)
            let store = SQLiteStore(
                location: location,
                keys: choice,
                maintenance: StoreMaintenance(afterStep: { (step) throws(StoreError) in
                    if step == .oldWrapsDeleted { keys.isLocked = true }
                })
            )

            #expect(throws: StoreError.self) { try store.moveKey(to: keyring, keyAccess: KeyAccessOptions()) }

            #expect(try isWhole(location))
            #expect(try note(.retiring, location) != nil)
            // A remaining key is deleted as soon as possible.
            keys.isLocked = false
            try open(location).rotateKeys(KeyAccessOptions())
            #expect(keys.names.isEmpty)
            #expect(try note(.retiring, location) == nil)
        }
    }

    // MARK: - Between credential files

    @Test func `another credential file replaces the one in use`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            let (old, new) = (try credential(1, in: directory), try credential(2, in: directory))
            try fill(location, SingleKeySource(old))
            let dataKey = try activeKey(location, SingleKeySource(old))

            try open(location, SingleKeySource(old)).moveKey(to: new, keyAccess: KeyAccessOptions())

            #expect(try isWhole(location, SingleKeySource(new)))
            #expect(try activeKey(location, SingleKeySource(new)) != dataKey)
            let error = try #require(throws: StoreError.self) { try isWhole(location, SingleKeySource(old)) }
            #expect(error.kind == .keyUnavailable)
            #expect(error.message.contains("MSAL_STORE_KEY=credential-file:"))
        }
    }

    @Test(arguments: StoreStep.allCases.filter { $0 != .rowsRewritten })
    func `a move between credential files that stops at any step can be repeated`(step: StoreStep) throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            let (old, new) = (try credential(1, in: directory), try credential(2, in: directory))
            try fill(location, SingleKeySource(old))
            let error = try #require(throws: StoreError.self) {
                try open(location, SingleKeySource(old), stopAfter: step).moveKey(
                    to: new,
                    keyAccess: KeyAccessOptions()
                )
            }
            #expect(error.message == "stopped")

            // One of the two opens the store, the other changes nothing.
            let isMoved = ![StoreStep.newKeyAnnounced, .newKeyKept].contains(step)
            let (present, other) = isMoved ? (new, old) : (old, new)
            #expect(throws: StoreError.self) { try isWhole(location, SingleKeySource(other)) }
            #expect(try isWhole(location, SingleKeySource(present)))

            try open(location, SingleKeySource(present)).moveKey(to: new, keyAccess: KeyAccessOptions())
            #expect(try isWhole(location, SingleKeySource(new)))
            #expect(try open(location, SingleKeySource(new)).storedKeys()?.rows.count == 2)
        }
    }

    @Test func `no data key is sealed with a key that replaced the right one`() throws {
        try withTemporaryDirectory { directory in
            let location = try location(in: directory)
            let keys = try credential(1, in: directory)
            let store = open(location, SingleKeySource(keys))
            try fill(location, SingleKeySource(keys))
            #expect(try store.secrets() == secrets)
            let path = directory.path + "/credential-1"
            try Data(repeating: 9, count: 32).write(to: URL(filePath: path))

            let error = try #require(throws: StoreError.self) { try store.rotateDataKey(KeyAccessOptions()) }

            #expect(error.kind == .keyUnavailable)
            try Data(repeating: 1, count: 32).write(to: URL(filePath: path))
            #expect(try isWhole(location, SingleKeySource(keys)))
        }
    }
}
