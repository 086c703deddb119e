// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import SealedStore
import Synchronization
import Testing

@testable import MSALSupport

/// A cache that the app keeps itself, through the public hook.
struct SerializedStoreTests {
    /// An app's vault: it loads what it has before each access, and notes when it is asked to save.
    private final class Vault: NSObject, MSALSerializedCacheProviderDelegate, Sendable {
        let contents = Mutex<Data?>(nil)
        let calls = Mutex<[String]>([])
        let fails = Mutex(false)

        struct Locked: Error {}

        func willAccessCache(_ cache: MSALSerializedCacheProvider) throws {
            calls.withLock { $0.append("willAccess") }
            if let text = contents.withLock({ $0 }) { try cache.deserialize(text) }
        }

        func didAccessCache(_ cache: MSALSerializedCacheProvider) throws {
            calls.withLock { $0.append("didAccess") }
        }

        func willWriteCache(_ cache: MSALSerializedCacheProvider) throws {
            calls.withLock { $0.append("willWrite") }
        }

        func didWriteCache(_ cache: MSALSerializedCacheProvider) throws {
            calls.withLock { $0.append("didWrite") }
            if fails.withLock({ $0 }) { throw Locked() }
            let text = try cache.serializeData()
            contents.withLock { $0 = text }
        }
    }

    private let vault = Vault()

    private func store() -> SerializedStore { MSALSerializedCacheProvider(delegate: vault).store }

    private func saved(_ store: SerializedStore, _ secret: String) throws {
        try store.write(.full) { (transaction) throws(StoreError) in
            try transaction.save(
                .refreshToken(
                    RefreshTokenRecord(homeAccountID: "a.b", environment: "h", clientID: "c", secret: Secret(secret))
                )
            )
        }
    }

    private func secrets(_ store: SerializedStore) throws -> [String] {
        try store.read { (reading) throws(StoreError) in try reading.records(RecordFilter(.refreshToken)) }
            .compactMap { $0.members["secret"]?.string }
    }

    @Test func `what one process saved another finds`() throws {
        try saved(store(), "fake-1")

        let other = store()
        #expect(try secrets(other) == ["fake-1"])
        let before = try other.changeCounter()
        try saved(store(), "fake-2")
        #expect(try other.changeCounter() != before)
        #expect(try secrets(other) == ["fake-2"])
    }

    @Test func `the app is called in order, and asked to save only after a change`() throws {
        let store = store()
        try saved(store, "fake-1")
        #expect(vault.calls.withLock { $0 } == ["willAccess", "willWrite", "didWrite", "didAccess"])

        vault.calls.withLock { $0 = [] }
        try saved(store, "fake-1")
        #expect(vault.calls.withLock { $0 } == ["willAccess", "willWrite", "didAccess"])
        #expect(!store.hasChanged)
    }

    @Test func `a vault that cannot save fails the write, and is asked again`() throws {
        let store = store()
        vault.fails.withLock { $0 = true }

        let error = try #require(throws: StoreError.self) { try saved(store, "fake-1") }
        #expect(error.kind == .unwritable)
        #expect(store.hasChanged)

        vault.fails.withLock { $0 = false }
        try saved(store, "fake-1")
        #expect(vault.contents.withLock { $0 } != nil)
    }

    @Test func `a text that is no cache fails the access and changes nothing`() throws {
        let store = store()
        try saved(store, "fake-1")
        let good = vault.contents.withLock { $0 }

        vault.contents.withLock { $0 = Data("{".utf8) }
        #expect(throws: StoreError.self) { try secrets(store) }

        vault.contents.withLock { $0 = good }
        #expect(try secrets(store) == ["fake-1"])
    }

    @Test func `the public face throws errors with numbers`() throws {
        let cache = MSALSerializedCacheProvider(delegate: vault)

        let error = try #require(throws: NSError.self) { try cache.deserialize(Data("[]".utf8)) }
        #expect(error.code == MSALError.internal.rawValue)

        try cache.deserialize(Data())
        let text = String(decoding: try cache.serializeData(), as: UTF8.self)
        #expect(text.contains("\"RefreshToken\": {}"))
        #expect(!cache.hasStateChanged)
    }

    @Test func `sign-outs are remembered although they are not in the text`() throws {
        let store = store()
        try saved(store, "fake-1")
        try TokenCache(store: store, clientID: "c").signOut(homeAccountID: "a.b", wipeAccount: false)
        try saved(self.store(), "fake-2")

        #expect(try TokenCache(store: store, clientID: "c").metadata(homeAccountID: "a.b")?.signInState == .signedOut)
        #expect(
            vault.contents.withLock { $0 }.map { !String(decoding: $0, as: UTF8.self).contains("signed_out") } == true
        )
    }
}
