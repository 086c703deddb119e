// Licensed under the MIT License. See LICENSE.

import Foundation
import SealedStore
import Testing

@testable import MSAL

struct MSALCacheConfigTests {
    @Test func `a copy keeps every setting`() throws {
        let configuration = MSALPublicClientApplicationConfig(clientId: "c")
        configuration.cacheConfig.keychainSharingGroup = "g"
        configuration.cacheConfig.storeProtection = .systemCredential("k")
        configuration.cacheConfig.allowsUnlockPrompt = true
        configuration.cacheConfig.maximumStoredRecords = 7

        let copy = try #require(configuration.copy() as? MSALPublicClientApplicationConfig).cacheConfig

        #expect(copy.keychainSharingGroup == "g" && copy.storeProtection == .systemCredential("k"))
        #expect(copy.allowsUnlockPrompt && copy.maximumStoredRecords == 7)
    }

    @available(*, deprecated)
    @Test func `the property of macOS names the app's own cache`() throws {
        /// Written for macOS: its members do not throw.
        final class File: NSObject, MSALSerializedADALCacheProviderDelegate {
            func willAccessCache(_ cache: MSALSerializedADALCacheProvider) {}
            func didAccessCache(_ cache: MSALSerializedADALCacheProvider) {}
            func willWriteCache(_ cache: MSALSerializedADALCacheProvider) {}
            func didWriteCache(_ cache: MSALSerializedADALCacheProvider) {}
        }
        let configuration = MSALPublicClientApplicationConfig(clientId: "c")
        let cache = MSALSerializedADALCacheProvider(delegate: File())

        configuration.cacheConfig.serializedADALCache = cache

        #expect(configuration.cacheConfig.serializedCache === cache)
        #expect(configuration.cacheConfig.serializedADALCache === cache)
    }

    @Test func `by default the protection is automatic and no prompt is allowed`() {
        let configuration = MSALCacheConfig()

        #expect(configuration.storeProtection == .automatic)
        #expect(!configuration.allowsUnlockPrompt)
        #expect(configuration.maximumStoredRecords == 250_000)
    }

    @Test(
        arguments: [
            (.automatic, .automatic), (.secretService, .location(.secretService)), (.portal, .location(.portal)),
            (.keyFile, .location(.keyFile)), (.none, .location(.none)), (.inMemory, .memory),
            (.systemCredential("k"), .location(.credentialFile, file: "k")),
            (.credentialFile(URL(filePath: "/run/a key")), .location(.credentialFile, file: "/run/a key")),
        ] as [(MSALStoreProtection, StoreKeyChoice)]
    )
    func `each protection maps to a choice of the core`(_ protection: MSALStoreProtection, _ choice: StoreKeyChoice) {
        #expect(protection.choice == choice)
    }

    @Test func `a store in memory needs no location on disk`() throws {
        let chosen = try SystemMachine.store(group: "g", keys: .memory, [:])
        let byVariable = try SystemMachine.store(group: "g", ["MSAL_STORE_KEY": "memory"])

        #expect(chosen is MemoryStore)
        #expect(byVariable is MemoryStore)
    }

    @Test func `a variable with an invalid value is not ignored`() {
        let error = #expect(throws: StoreError.self) {
            try SystemMachine.store(group: "g", ["MSAL_STORE_DIR": "/nonexistent", "MSAL_STORE_KEY": "keychain"])
        }

        #expect(error?.message.contains("secret-service") == true)
        let code = error.map { AuthError($0).nsError.userInfo[MSALInternalErrorCodeKey] as? Int }
        #expect(code == MSALInternalError.internalErrorInvalidParameter.rawValue)
    }
}
