// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import DBus
import Foundation
import TestSupport
import Testing

@testable import SealedStore

/// The key of a store of an app in a sandbox (docs/reference/Store.md#key-providers). No test waits for the real two
/// seconds.
struct SecretPortalKeysTests {
    private let name = KeyName(group: "msal.shared", store: "0f4d", keyID: "k1", directory: "/nonexistent")

    @Test func `each name has its own key, the same in every process of the app`() throws {
        let bus = try FakeSecretPortal().bus()

        let key = try bytes(of: name, from: bus)
        let again = try bytes(of: name, from: bus)
        let ofAnotherStore = try bytes(of: KeyName(group: "g", store: "0f4e", keyID: "k1", directory: "/d"), from: bus)
        let thatReplacesIt = try bytes(of: KeyName(group: "g", store: "0f4d", keyID: "k2", directory: "/d"), from: bus)

        #expect(key.count == 32 && key == again)
        #expect(Set([key, ofAnotherStore, thatReplacesIt]).count == 3)
    }

    @Test func `the key is derived from the app's secret, and does not depend on the store's location`() throws {
        let portal = FakeSecretPortal()
        let bus = try portal.bus()

        let key = try bytes(of: name, from: bus)
        let elsewhere = try bytes(of: KeyName(group: "other", store: "0f4d", keyID: "k1", directory: "/x"), from: bus)
        portal.change { $0.secret[63] ^= 1 }
        let ofAnotherApp = try bytes(of: name, from: bus)

        // HKDF-SHA256 over the bytes 1 to 64, without salt, as another implementation computes it.
        let expected = "b3dce10f4c8fcf2d87f6e7414df6188db7c18f5becc706c2a74584f3b08b39bd"
        #expect(Data(key).map { String(format: "%02x", $0) }.joined() == expected)
        #expect(elsewhere == key)
        #expect(ofAnotherApp != key)
    }

    @Test func `outside a sandbox the portal is not called`() throws {
        let portal = FakeSecretPortal()
        let bus = try portal.bus()
        let keys = SecretPortalKeys(environment: bus.environment, isInSandbox: false)

        let error = #expect(throws: StoreError.self) { try keys.key(name, keyAccess: KeyAccessOptions()) }

        #expect(error?.kind == .keyUnavailable)
        #expect(error?.message.contains("does not run in a Flatpak sandbox") == true)
        #expect(try !keys.isOffered(KeyAccessOptions()))
        #expect(portal.change { $0.calls } == [])
    }

    @Test func `a portal of another user receives no call, and one of root is used`() throws {
        let portal = FakeSecretPortal()
        let bus = try portal.bus()
        let keys = SecretPortalKeys(environment: bus.environment, isInSandbox: true)
        bus.change(isReported: false) { $0.user = FakeBus.ownUser + 4242 }

        let read = #expect(throws: StoreError.self) { try keys.key(name, keyAccess: KeyAccessOptions()) }
        let asked = #expect(throws: StoreError.self) { try keys.isOffered(KeyAccessOptions()) }

        for error in [read, asked] {
            #expect(error?.message.contains("another user (uid \(FakeBus.ownUser + 4242))") == true)
        }
        #expect(portal.change { $0.calls } == [])
        bus.change(isReported: false) { $0.user = 0 }
        #expect(try keys.isOffered(KeyAccessOptions()))
        #expect(try keys.key(name, keyAccess: KeyAccessOptions()) != nil)
    }

    /// The portal's behavior, and a word of the message about it.
    struct BadHour: Sendable {
        let words: String
        let change: @Sendable (inout FakeSecretPortal.State) -> Void

        init(_ words: String, change: @escaping @Sendable (inout FakeSecretPortal.State) -> Void) {
            (self.words, self.change) = (words, change)
        }
    }

    @Test(
        arguments: [
            BadHour("dismissed") { $0.code = 1 },
            BadHour("reports a failure") { $0.code = 2 },
            BadHour("no portal that keeps secrets") { $0.hasSecrets = false },
            BadHour("does not contain a secret") { $0.secret = Array(1...15) },
            BadHour("does not contain a secret") { $0.secret = Array(repeating: 7, count: 4097) },
            BadHour("Error.Failed") {
                $0.failures = ["RetrieveSecret": [.error("org.freedesktop.portal.Error.Failed")]]
            },
            BadHour("exited before it responded") { $0.failures = ["RetrieveSecret": [.departure]] },
            BadHour("exited before it responded") { $0.failures = ["RetrieveSecret": [.hangUp]] },
        ]
    )
    func `without a secret there is no key, and the error gives the reason`(_ hour: BadHour) throws {
        let portal = FakeSecretPortal()
        portal.change(hour.change)
        let bus = try portal.bus()
        let keys = SecretPortalKeys(environment: bus.environment, isInSandbox: true)

        let error = #expect(throws: StoreError.self) { try keys.key(name, keyAccess: KeyAccessOptions()) }

        #expect(error?.kind == .keyUnavailable)
        #expect(error?.message.contains(hour.words) == true, "\(error?.message ?? "")")
    }

    @Test func `a prompt without a response times out`() throws {
        let portal = FakeSecretPortal(.init(code: nil))
        let bus = try portal.bus()
        let keys = SecretPortalKeys(environment: bus.environment, isInSandbox: true, question: .milliseconds(50))

        let error = #expect(throws: StoreError.self) {
            try keys.key(name, keyAccess: KeyAccessOptions(mayPrompt: true))
        }

        #expect(error?.message.contains("allowsUnlockPrompt") == true)
    }

    @Test func `a canceled call does not wait for the prompt`() throws {
        let portal = FakeSecretPortal(.init(code: nil))
        let bus = try portal.bus()
        let keys = SecretPortalKeys(environment: bus.environment, isInSandbox: true)
        let keyAccess = KeyAccessOptions(
            mayPrompt: true,
            isCanceled: { portal.change { $0.calls.contains("RetrieveSecret") } }
        )

        let error = #expect(throws: StoreError.self) { try keys.key(name, keyAccess: keyAccess) }

        #expect(error?.message.contains("canceled") == true)
    }

    @Test func `the portal cannot store a given key`() throws {
        let bus = try FakeSecretPortal().bus()
        let keys = SecretPortalKeys(environment: bus.environment, isInSandbox: true)
        let own = try #require(try keys.key(name, keyAccess: KeyAccessOptions()))
        let other = try #require(KeyMaterial(1...32))

        try keys.keep(own, as: name, keyAccess: KeyAccessOptions())
        let error = #expect(throws: StoreError.self) { try keys.keep(other, as: name, keyAccess: KeyAccessOptions()) }

        #expect(error?.message.contains("cannot store another one") == true)
    }

    private func bytes(of name: KeyName, from bus: FakeBus) throws -> [UInt8] {
        let keys = SecretPortalKeys(environment: bus.environment, isInSandbox: true)
        return try #require(try keys.key(name, keyAccess: KeyAccessOptions())).withBytes { Array($0) }
    }
}
