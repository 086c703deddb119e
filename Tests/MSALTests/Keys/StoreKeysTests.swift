// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

/// Which provider a store gets (decisions T2, token-store-linux.md R16).
struct StoreKeysTests {
    @Test func `the Secret Service is chosen wherever one can be started, even if it is locked`() throws {
        let bus = try FakeKeyring(.init(isLocked: true)).bus()

        let provider = try StoreKeys(environment: bus.environment).providerForNewStore(KeyPatience())

        #expect(provider?.kind == .secretService)
    }

    @Test func `the key file is chosen without a bus, and without a service on it`() throws {
        let empty = try FakeBus(names: []) { _ in [] }

        for environment in [[:], ["XDG_RUNTIME_DIR": "/nonexistent"], empty.environment] {
            let provider = try StoreKeys(environment: environment).providerForNewStore(KeyPatience())
            #expect(provider?.kind == .keyFile)
        }
    }

    @Test func `a bus that does not say is no reason for another place`() throws {
        let bus = try FakeKeyring().bus()
        let keys = StoreKeys(
            environment: bus.environment,
            secretService: SecretServiceKeys(environment: bus.environment, operation: .zero)
        )

        let error = #expect(throws: StoreError.self) { try keys.providerForNewStore(KeyPatience()) }

        #expect(error?.kind == .keyUnavailable)
    }

    @Test(
        arguments: [
            (.secretService, .secretService), (.keyFile, .keyFile), (.credentialFile("k"), .credentialFile),
            (.none, nil),
        ] as [(StoreKeyChoice, KeyProviderKind?)]
    )
    func `an explicit choice is taken without asking`(_ choice: StoreKeyChoice, _ kind: KeyProviderKind?) throws {
        let provider = try StoreKeys(choice, environment: [:]).providerForNewStore(KeyPatience())

        #expect(provider?.kind == kind)
    }

    @Test func `an existing store goes on with what it recorded, whatever is chosen now`() {
        for choice in [StoreKeyChoice.automatic, .none, .keyFile] {
            let keys = StoreKeys(choice, environment: [:])
            for kind in [KeyProviderKind.secretService, .keyFile, .credentialFile] {
                #expect(keys.provider(kind)?.kind == kind)
            }
            #expect(keys.provider(.none) == nil)
        }
    }

    @Test func `the environment decides only where the app does not`() throws {
        let environment = [StoreKeyChoice.variable: "credential-file:/run/key"]

        let open = try StoreKeyChoice.automatic.resolved(environment)
        let decided = try StoreKeyChoice.keyFile.resolved(environment)
        let unset = try StoreKeyChoice.automatic.resolved([StoreKeyChoice.variable: ""])

        #expect(open == .credentialFile("/run/key"))
        #expect(decided == .keyFile)
        #expect(unset == .automatic)
    }

    @Test(
        arguments: [
            ("auto", .automatic), ("secret-service", .secretService), ("key-file", .keyFile), ("none", .none),
            ("memory", .memory), ("credential-file:name", .credentialFile("name")),
        ] as [(String, StoreKeyChoice)]
    )
    func `the variable's words`(_ text: String, _ choice: StoreKeyChoice) throws {
        let read = try StoreKeyChoice(text: text)

        #expect(read == choice)
    }

    @Test(arguments: ["keyring", "credential-file:", "Auto", "none "])
    func `an unknown word is refused with the known ones`(_ text: String) {
        let error = #expect(throws: StoreError.self) { try StoreKeyChoice(text: text) }

        #expect(error?.message.contains("secret-service") == true)
    }
}
