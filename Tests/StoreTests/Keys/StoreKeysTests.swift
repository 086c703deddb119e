// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import TestSupport
import Testing

@testable import SealedStore

/// The key provider of a store (docs/reference/Store.md#provider-change).
struct StoreKeysTests {
    @Test func `the Secret Service is chosen wherever one can be started, even if it is locked`() throws {
        let bus = try FakeKeyring(.init(isLocked: true)).bus()

        let provider = try StoreKeys(environment: bus.environment).providerForNewStore(KeyAccessOptions())

        #expect(provider?.kind == .secretService)
    }

    @Test func `the key file is chosen without a bus, and without a service on it`() throws {
        let empty = try FakeBus(names: []) { _ in [] }

        for environment in [[:], ["XDG_RUNTIME_DIR": "/nonexistent"], empty.environment] {
            let provider = try StoreKeys(environment: environment).providerForNewStore(KeyAccessOptions())
            #expect(provider?.kind == .keyFile)
        }
    }

    @Test func `a bus that does not respond does not lead to another key location`() throws {
        let bus = try FakeKeyring().bus()
        let keys = StoreKeys(
            environment: bus.environment,
            secretService: SecretServiceKeys(environment: bus.environment, operation: .zero)
        )

        let error = #expect(throws: StoreError.self) { try keys.providerForNewStore(KeyAccessOptions()) }

        #expect(error?.kind == .keyUnavailable)
    }

    @Test(
        arguments: [
            (.location(.secretService), .secretService), (.location(.portal), .portal), (.location(.keyFile), .keyFile),
            (.location(.credentialFile, file: "k"), .credentialFile), (.location(.none), nil),
        ] as [(StoreKeyChoice, KeyLocation?)]
    )
    func `an explicit choice is used without a check`(_ choice: StoreKeyChoice, _ kind: KeyLocation?) throws {
        let provider = try StoreKeys(choice, environment: [:]).providerForNewStore(KeyAccessOptions())

        #expect(provider?.kind == kind)
    }

    private func location() throws -> StoreLocation {
        try StoreLocation(group: "some app", environment: ["MSAL_STORE_DIR": "/nonexistent"])
    }

    private static let named: [(StoreKeyChoice, KeyLocation)] = [
        (.location(.secretService), .secretService), (.location(.portal), .portal), (.location(.keyFile), .keyFile),
        (.location(.credentialFile, file: "/k"), .credentialFile), (.location(.none), .none),
    ]

    @Test(arguments: named)
    func `a named protection must match the store's, and the error says how to change the store`(
        _ choice: StoreKeyChoice,
        _ kind: KeyLocation
    ) throws {
        let keys = StoreKeys(choice, environment: [:], portal: inSandbox([:]))
        let location = try location()

        try keys.admit(kind, at: location, keyAccess: KeyAccessOptions())
        for other in KeyLocation.allCases where other != kind {
            let error = #expect(throws: StoreError.self) {
                try keys.admit(other, at: location, keyAccess: KeyAccessOptions())
            }
            #expect(error?.kind == .keyUnavailable)
            let command = "msal cache rotate-key --to \(choice.text) --group some app"
            #expect(error?.message.contains(command) == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("MSAL_STORE_KEY=none msal") == (other == .none))
        }
    }

    @Test func `an automatic choice accepts any protection, but never none`() throws {
        let keys = StoreKeys(environment: [:], portal: inSandbox([:]))
        let location = try location()

        for kind in [KeyLocation.secretService, .portal, .keyFile, .credentialFile] {
            try keys.admit(kind, at: location, keyAccess: KeyAccessOptions())
        }
        let error = #expect(throws: StoreError.self) {
            try keys.admit(.none, at: location, keyAccess: KeyAccessOptions())
        }
        #expect(error?.kind == .keyUnavailable)
        #expect(error?.message.contains("MSAL_STORE_KEY=none") == true)
    }

    @Test func `a key file is not used while the unlocked Secret Service has a key for the same location`() throws {
        let keyring = FakeKeyring()
        let bus = try keyring.bus()
        let keys = StoreKeys(environment: bus.environment)
        let location = try location()
        func keep(in directory: String) throws {
            let name = KeyName(group: "g", store: "s", keyID: "1", directory: directory)
            let key = try #require(KeyMaterial(1...32))
            try SecretServiceKeys(environment: bus.environment).keep(key, as: name, keyAccess: KeyAccessOptions())
        }
        try keep(in: "/nonexistent/msal/another")
        try keys.admit(.keyFile, at: location, keyAccess: KeyAccessOptions())
        keyring.change { $0.items = [:] }
        try keep(in: location.directory)

        let error = #expect(throws: StoreError.self) {
            try keys.admit(.keyFile, at: location, keyAccess: KeyAccessOptions())
        }
        #expect(error?.kind == .keyUnavailable)
        #expect(error?.message.contains("msal cache rotate-key --to secret-service") == true)
        // An explicit choice of a file is respected.
        try StoreKeys(.location(.keyFile), environment: bus.environment).admit(
            .keyFile,
            at: location,
            keyAccess: KeyAccessOptions()
        )
        keyring.change { $0.isLocked = true }
        try keys.admit(.keyFile, at: location, keyAccess: KeyAccessOptions())
        #expect(!keyring.change { $0.calls }.contains("Unlock"))
    }

    @Test func `a stopped Secret Service is not started for a check`() throws {
        let bus = try FakeBus(names: [FakeKeyring.name]) { _ in [.hangUp] }

        try StoreKeys(environment: bus.environment).admit(.keyFile, at: location(), keyAccess: KeyAccessOptions())
    }

    @Test func `the portal is chosen only in a sandbox`() throws {
        let portal = FakeSecretPortal()
        let bus = try portal.bus()

        let inside = try StoreKeys(environment: bus.environment, portal: inSandbox(bus.environment))
            .providerForNewStore(KeyAccessOptions())
        let outside = try StoreKeys(
            environment: bus.environment,
            portal: SecretPortalKeys(environment: bus.environment, isInSandbox: false)
        ).providerForNewStore(KeyAccessOptions())
        portal.change { $0.hasSecrets = false }
        let withoutSecrets = try StoreKeys(environment: bus.environment, portal: inSandbox(bus.environment))
            .providerForNewStore(KeyAccessOptions())
        let withoutBus = try StoreKeys(environment: [:], portal: inSandbox([:])).providerForNewStore(KeyAccessOptions())

        #expect(inside?.kind == .portal)
        #expect(![outside, withoutSecrets, withoutBus].contains { $0?.kind == .portal })
    }

    @Test func `a portal that does not respond does not lead to another key location`() throws {
        let portal = FakeSecretPortal()
        portal.change { $0.failures = ["Get": []] }
        let bus = try portal.bus()
        let slow = SecretPortalKeys(environment: bus.environment, isInSandbox: true, operation: .milliseconds(50))

        let error = #expect(throws: StoreError.self) {
            try StoreKeys(environment: bus.environment, portal: slow).providerForNewStore(KeyAccessOptions())
        }

        #expect(error?.kind == .keyUnavailable)
    }

    @Test(arguments: [StoreKeyChoice.automatic, .location(.portal), .location(.keyFile), .location(.none)])
    func `outside of the sandbox its store stays closed, whatever is named`(_ choice: StoreKeyChoice) throws {
        let outside = SecretPortalKeys(environment: [:], isInSandbox: false)
        let keys = StoreKeys(choice, environment: [:], portal: outside)

        let error = #expect(throws: StoreError.self) {
            try keys.admit(.portal, at: location(), keyAccess: KeyAccessOptions())
        }

        #expect(error?.kind == .keyUnavailable)
        #expect(error?.message.contains("belongs to an app in a sandbox") == true)
        #expect(error?.message.contains("MSAL_STORE_DIR") == true)
    }

    private func inSandbox(_ environment: [String: String]) -> SecretPortalKeys {
        SecretPortalKeys(environment: environment, isInSandbox: true)
    }

    @Test func `the environment applies only if the app does not choose`() throws {
        let environment = [StoreKeyChoice.variable: "credential-file:/run/key"]

        let open = try StoreKeyChoice.automatic.resolved(environment)
        let decided = try StoreKeyChoice.location(.keyFile).resolved(environment)
        let unset = try StoreKeyChoice.automatic.resolved([StoreKeyChoice.variable: ""])

        #expect(open == .location(.credentialFile, file: "/run/key"))
        #expect(decided == .location(.keyFile))
        #expect(unset == .automatic)
    }

    @Test(
        arguments: [
            ("auto", .automatic), ("secret-service", .location(.secretService)), ("portal", .location(.portal)),
            ("key-file", .location(.keyFile)), ("none", .location(.none)), ("memory", .memory),
            ("credential-file:name", .location(.credentialFile, file: "name")),
            ("credential-file:/a:b", .location(.credentialFile, file: "/a:b")),
        ] as [(String, StoreKeyChoice)]
    )
    func `the variable's values are read`(_ text: String, _ choice: StoreKeyChoice) throws {
        let read = try StoreKeyChoice(text: text)

        #expect(read == choice)
    }

    @Test(arguments: ["keyring", "credential-file", "credential-file:", "key-file:a", "auto:a", "Auto", "none "])
    func `an unknown value is rejected with a list of the known ones`(_ text: String) {
        let error = #expect(throws: StoreError.self) { try StoreKeyChoice(text: text) }

        #expect(error?.message.contains("secret-service") == true)
    }
}
