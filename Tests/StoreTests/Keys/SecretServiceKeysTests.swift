// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import DBus
import Foundation
import TestSupport
import Testing

@testable import SealedStore

/// A working and a failing Secret Service (docs/reference/Store.md#torture-keyring). No test waits for the real two
/// seconds, because the timeout is shorter here.
struct SecretServiceKeysTests {
    private let name = KeyName(group: "msal.shared", store: "0f4d", keyID: "k1", directory: "/nonexistent")
    private let prompting = KeyAccessOptions(mayPrompt: true)
    private let key: KeyMaterial

    init() throws {
        key = try #require(KeyMaterial(1...32))
    }

    @Test func `a key is stored as one item that contains only the key, and found again`() throws {
        let keyring = FakeKeyring()
        let bus = try keyring.bus()
        let keys = SecretServiceKeys(environment: bus.environment)

        let before = try keys.key(name, keyAccess: KeyAccessOptions())
        try keys.keep(key, as: name, keyAccess: KeyAccessOptions())
        let after = try SecretServiceKeys(environment: bus.environment).key(name, keyAccess: KeyAccessOptions())

        #expect(before == nil)
        #expect(bytes(after) == Array(1...32))
        let items = keyring.change { Array($0.items.values) }
        #expect(items.map(\.secret) == [Array(Data(1...32).base64EncodedString().utf8)])
        let attributes = DBusValue.strings([
            ("xdg:schema", "msal.swift.StoreKey"), ("group", "msal.shared"), ("store", "0f4d"), ("key", "k1"),
            ("v", "1"), ("location", "/nonexistent"),
        ])
        #expect(items.map(\.attributes) == [attributes])
    }

    @Test func `a service of another user gets neither the key nor the search for it, and one of root does`() throws {
        let keyring = FakeKeyring()
        let bus = try keyring.bus()
        let keys = SecretServiceKeys(environment: bus.environment)
        bus.change(isReported: false) { $0.user = FakeBus.ownUser + 4242 }

        let kept = #expect(throws: StoreError.self) { try keys.keep(key, as: name, keyAccess: KeyAccessOptions()) }
        let read = #expect(throws: StoreError.self) { try keys.key(name, keyAccess: prompting) }
        let forgotten = #expect(throws: StoreError.self) { try keys.forget(name, keyAccess: KeyAccessOptions()) }
        let reached = #expect(throws: StoreError.self) { try keys.canBeReached(KeyAccessOptions()) }

        for error in [kept, read, forgotten, reached] {
            #expect(error?.kind == .keyUnavailable)
            #expect(error?.message.contains("another user (uid \(FakeBus.ownUser + 4242))") == true)
        }
        #expect(keyring.change { $0.calls } == [])
        bus.change(isReported: false) { $0.user = 0 }
        #expect(try keys.canBeReached(KeyAccessOptions()))
        try keys.keep(key, as: name, keyAccess: KeyAccessOptions())
    }

    @Test func `keeping the same key twice makes one item, and another key is refused`() throws {
        let keyring = FakeKeyring()
        let bus = try keyring.bus()
        let keys = SecretServiceKeys(environment: bus.environment)
        let other = try #require(KeyMaterial(repeatElement(9, count: 32)))

        try keys.keep(key, as: name, keyAccess: KeyAccessOptions())
        try keys.keep(key, as: name, keyAccess: KeyAccessOptions())
        let error = #expect(throws: StoreError.self) { try keys.keep(other, as: name, keyAccess: KeyAccessOptions()) }
        let found = try keys.key(name, keyAccess: KeyAccessOptions())

        #expect(error?.message.contains("another key") == true)
        #expect(keyring.change { $0.items.count } == 1)
        #expect(bytes(found) == Array(1...32))
    }

    @Test func `a removed key is gone, and removing it again succeeds`() throws {
        let keyring = FakeKeyring()
        let bus = try keyring.bus()
        let keys = SecretServiceKeys(environment: bus.environment)
        try keys.keep(key, as: name, keyAccess: KeyAccessOptions())

        try keys.forget(name, keyAccess: KeyAccessOptions())
        try keys.forget(name, keyAccess: KeyAccessOptions())
        let found = try keys.key(name, keyAccess: KeyAccessOptions())

        #expect(found == nil)
    }

    @Test(arguments: [true, false])
    func `a locked collection is an error instead of a missing key, without a prompt`(_ showsItems: Bool) throws {
        let keyring = FakeKeyring(.init(consents: true, showsLockedItems: showsItems))
        let bus = try keyring.bus()
        let keys = SecretServiceKeys(environment: bus.environment)
        try keys.keep(key, as: name, keyAccess: KeyAccessOptions())
        keyring.change { $0.isLocked = true }

        let read = #expect(throws: StoreError.self) { try keys.key(name, keyAccess: KeyAccessOptions()) }
        let write = #expect(throws: StoreError.self) { try keys.keep(key, as: name, keyAccess: KeyAccessOptions()) }

        for error in [read, write] {
            #expect(error?.kind == .keyUnavailable)
            #expect(error?.message.contains("locked") == true)
        }
        #expect(!keyring.change { $0.calls }.contains("Unlock"))
        #expect(keyring.change { $0.items.count } == 1)
    }

    @Test func `the user may unlock it if the app allows the prompt`() throws {
        let keyring = FakeKeyring(.init(consents: true))
        let bus = try keyring.bus()
        let keys = SecretServiceKeys(environment: bus.environment)
        try keys.keep(key, as: name, keyAccess: KeyAccessOptions())
        keyring.change { $0.isLocked = true }

        let found = try keys.key(name, keyAccess: prompting)

        #expect(bytes(found) == Array(1...32))
    }

    @Test func `a prompt that is declined, or gets no response, ends the call`() throws {
        let keyring = FakeKeyring(.init(isLocked: true, consents: false))
        let bus = try keyring.bus()
        let keys = SecretServiceKeys(environment: bus.environment, question: .milliseconds(1))

        let declined = #expect(throws: StoreError.self) {
            try SecretServiceKeys(environment: bus.environment).key(name, keyAccess: prompting)
        }
        keyring.change { $0.consents = nil }
        let unanswered = #expect(throws: StoreError.self) { try keys.key(name, keyAccess: prompting) }

        #expect(declined?.message.contains("dismissed") == true)
        #expect(unanswered?.message.contains("not answered") == true)
        #expect(keyring.change { $0.calls.last } == "Dismiss")
    }

    @Test func `a service that ends during the prompt ends the call`() throws {
        let keyring = FakeKeyring(.init(isLocked: true, failures: ["Prompt": [.answer([]), .departure]]))
        let bus = try keyring.bus()

        let error = #expect(throws: StoreError.self) {
            try SecretServiceKeys(environment: bus.environment).key(name, keyAccess: prompting)
        }

        #expect(error?.message.contains("exited before it responded") == true)
    }

    @Test func `a default collection is created only if the user may be prompted`() throws {
        let keyring = FakeKeyring(.init(hasCollection: false, consents: true))
        let bus = try keyring.bus()
        let keys = SecretServiceKeys(environment: bus.environment)

        let error = #expect(throws: StoreError.self) { try keys.key(name, keyAccess: KeyAccessOptions()) }
        let asked = keyring.change { $0.calls }.contains("CreateCollection")
        try keys.keep(key, as: name, keyAccess: prompting)
        let found = try keys.key(name, keyAccess: KeyAccessOptions())

        #expect(error?.message.contains("no default collection") == true)
        #expect(!asked)
        #expect(bytes(found) == Array(1...32))
    }

    @Test(
        arguments: [
            ("SearchItems", [], "did not respond"),
            ("GetSecret", [], "did not respond"),
            ("GetSecret", [.hangUp], "exited"),
            ("GetSecret", [.error("org.freedesktop.DBus.Error.NoReply")], "exited"),
            ("SearchItems", [.error("org.freedesktop.DBus.Error.ServiceUnknown")], "none can be started"),
            ("SearchItems", [.error("org.freedesktop.DBus.Error.Spawn.ChildExited")], "none can be started"),
            ("OpenSession", [.error("org.example.Strange")], "org.example.Strange"),
            ("SearchItems", [.answer([.string("?")])], "protocol"),
            ("OpenSession", [.answer([])], "protocol"),
        ] as [(String, [FakeBus.Action], String)]
    )
    func `each failure has its message`(_ member: String, _ failure: [FakeBus.Action], _ words: String) throws {
        let keyring = FakeKeyring()
        let bus = try keyring.bus()
        try SecretServiceKeys(environment: bus.environment).keep(key, as: name, keyAccess: KeyAccessOptions())
        keyring.change { $0.failures = [member: failure] }
        // A missing response times out soon; a response may take as long as it needs.
        let limit = failure.isEmpty ? Duration.milliseconds(100) : .seconds(20)

        let error = #expect(throws: StoreError.self) {
            try SecretServiceKeys(environment: bus.environment, operation: limit).key(
                name,
                keyAccess: KeyAccessOptions()
            )
        }

        #expect(error?.kind == .keyUnavailable)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        #expect(keyring.change { $0.items.count } == 1)
    }

    @Test func `an item without a key is an error, and a missing item is not`() throws {
        let keyring = FakeKeyring()
        let bus = try keyring.bus()
        let keys = SecretServiceKeys(environment: bus.environment)
        try keys.keep(key, as: name, keyAccess: KeyAccessOptions())
        let elsewhere = KeyName(group: name.group, store: "other", keyID: "k1", directory: "/nonexistent")

        let missing = try keys.key(elsewhere, keyAccess: KeyAccessOptions())
        keyring.change { state in
            state.items = state.items.mapValues { .init(attributes: $0.attributes, secret: [0x41]) }
        }
        let error = #expect(throws: StoreError.self) { try keys.key(name, keyAccess: KeyAccessOptions()) }

        #expect(missing == nil)
        #expect(error?.message.contains("32 bytes") == true)
    }

    @Test func `a caller that gives up returns immediately`() throws {
        let keyring = FakeKeyring(.init(isLocked: true))
        let bus = try keyring.bus()
        let keyAccess = KeyAccessOptions(
            mayPrompt: true,
            isCanceled: { keyring.change { $0.calls.contains("Prompt") } }
        )

        let error = #expect(throws: StoreError.self) {
            try SecretServiceKeys(environment: bus.environment).key(name, keyAccess: keyAccess)
        }

        #expect(error?.message.contains("canceled") == true)
    }

    private func bytes(_ key: KeyMaterial?) -> [UInt8]? {
        key.map { $0.withBytes { Array($0) } }
    }
}
