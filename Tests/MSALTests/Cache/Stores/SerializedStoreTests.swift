// Licensed under the MIT License. See LICENSE.

import Foundation
import SealedStore
import Synchronization
import Testing

@testable import MSAL
@testable import MSALBase

/// A cache that the app stores itself, through the public delegate.
struct SerializedStoreTests {
    /// An app's vault, which loads its data before each access and records when it is asked to save.
    private final class Vault: NSObject, MSALSerializedCacheProviderDelegate, Sendable {
        let contents = Mutex<Data?>(nil)
        let calls = Mutex<[String]>([])
        let fails = Mutex(false)
        /// Whether the vault serializes the text after each change.
        let saves = Mutex(true)
        /// The provider of the last call.
        let caller = Mutex<ObjectIdentifier?>(nil)

        struct Locked: Error {}

        func willAccessCache(_ cache: MSALSerializedCacheProvider) throws {
            calls.withLock { $0.append("willAccess") }
            if let text = contents.withLock({ $0 }) { try cache.deserialize(text) }
        }

        func didAccessCache(_ cache: MSALSerializedCacheProvider) throws {
            calls.withLock { $0.append("didAccess") }
            caller.withLock { $0 = ObjectIdentifier(cache) }
        }

        func willWriteCache(_ cache: MSALSerializedCacheProvider) throws {
            calls.withLock { $0.append("willWrite") }
        }

        func didWriteCache(_ cache: MSALSerializedCacheProvider) throws {
            calls.withLock { $0.append("didWrite") }
            if fails.withLock({ $0 }) { throw Locked() }
            guard saves.withLock({ $0 }) else { return }
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

    @Test func `a record that one process saved is found by another`() throws {
        try saved(store(), "fake-1")

        let other = store()
        #expect(try secrets(other) == ["fake-1"])
        let before = try other.changeCounter()
        try saved(store(), "fake-2")
        #expect(try other.changeCounter() != before)
        #expect(try secrets(other) == ["fake-2"])
    }

    @Test func `the callbacks come in order, and a save is requested only after a change`() throws {
        let store = store()
        try saved(store, "fake-1")
        #expect(vault.calls.withLock { $0 } == ["willAccess", "willWrite", "didWrite", "didAccess"])

        vault.calls.withLock { $0 = [] }
        try saved(store, "fake-1")
        #expect(vault.calls.withLock { $0 } == ["willAccess", "willWrite", "didAccess"])
        #expect(!store.hasChanged)
    }

    @Test func `the delegate is called with the app's own provider, which the app need not retain`() throws {
        var provider: MSALSerializedCacheProvider? = MSALSerializedCacheProvider(delegate: vault)
        let store = try #require(provider?.store)
        weak let own = provider
        try saved(store, "fake-1")
        #expect(vault.caller.withLock { $0 } == provider.map { ObjectIdentifier($0) })

        provider = nil
        #expect(own == nil)
        try saved(store, "fake-2")
        #expect(try secrets(store) == ["fake-2"])
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

    @Test func `a text that is not a cache fails the access and changes nothing`() throws {
        let store = store()
        try saved(store, "fake-1")
        let good = vault.contents.withLock { $0 }

        vault.contents.withLock { $0 = Data("{".utf8) }
        #expect(throws: StoreError.self) { try secrets(store) }

        vault.contents.withLock { $0 = good }
        #expect(try secrets(store) == ["fake-1"])
    }

    @Test func `the public methods throw errors with codes`() throws {
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

    @Test func `changes that are not in the text do not request a save`() throws {
        let store = store()
        try saved(store, "fake-1")
        vault.calls.withLock { $0 = [] }

        try store.put(.accessToken(Sample.accessToken(tokenType: "pop", keyID: "k")))
        try store.put(.accountMetadata(AccountMetadataRecord(clientID: "c", homeAccountID: "a.b")))
        try store.write(.normal) { (transaction) throws(StoreError) in
            try transaction.saveLease(RefreshLease(name: "n", holder: "h", until: Sample.now))
            try transaction.saveExtra(ExtraItem(section: "S", name: "", value: .null))
            try transaction.deleteExtra(section: "S", name: "")
            try transaction.save(.account(Sample.account()))
            try transaction.delete(Sample.account().identity)
        }

        #expect(!vault.calls.withLock { $0 }.contains("didWrite"))
        #expect(!store.hasChanged)
    }

    /// Changes that are part of an export.
    enum Change: CaseIterable {
        case account, deletion, extra, deletionOfAll, signOut

        func make(in store: any TokenStoreWriting) throws(StoreError) {
            switch self {
            case .account:
                try store.save(.account(Sample.account()))
            case .deletion:
                let token = RefreshTokenRecord(
                    homeAccountID: "a.b",
                    environment: "h",
                    clientID: "c",
                    secret: Secret("")
                )
                try store.delete(token.identity)
            case .extra:
                try store.saveExtra(ExtraItem(section: "S", name: "", value: .null))
            case .deletionOfAll:
                try store.deleteAll()
            case .signOut:
                let signedOut = AccountMetadata(signInState: .signedOut)
                try store.setAccountMetadata(signedOut, clientID: "c", homeAccountID: "a.b")
            }
        }
    }

    @Test(arguments: Change.allCases)
    func `each change that is part of the text requests a save`(change: Change) throws {
        let store = store()
        try saved(store, "fake-1")
        let before = vault.contents.withLock { $0 }
        vault.calls.withLock { $0 = [] }

        try store.write(.normal) { (transaction) throws(StoreError) in try change.make(in: transaction) }

        #expect(vault.calls.withLock { $0 }.contains("didWrite"))
        #expect(vault.contents.withLock { $0 } != before)
    }

    @Test func `an app may serialize many changes at once`() throws {
        let store = store()
        try saved(store, "fake-1")
        let first = vault.contents.withLock { $0 }
        vault.saves.withLock { $0 = false }

        try saved(store, "fake-2")
        try saved(store, "fake-3")

        #expect(store.hasChanged)
        #expect(vault.contents.withLock { $0 } == first)
        // The known text is loaded before each access. It undoes no change.
        #expect(try secrets(store) == ["fake-3"])
        let text = String(decoding: try store.serialized(), as: UTF8.self)
        #expect(text.contains("fake-3") && !text.contains("fake-2"))
        #expect(!store.hasChanged)
    }

    @Test func `a new text changes only the accounts that differ`() throws {
        let (store, other) = (store(), self.store())
        try store.put(
            .account(Sample.account()),
            .refreshToken(Sample.refreshToken("fake-old")),
            .accessToken(Sample.accessToken("fake-bob", account: "bob"))
        )
        func versions() throws -> [RecordVersion] {
            try store.read { (store) throws(StoreError) in
                [try store.version(ofAccount: Sample.alice), try store.version(ofAccount: "bob")]
            }
        }
        let before = try versions()

        try other.put(.refreshToken(Sample.refreshToken("fake-new")))

        let after = try versions()
        #expect(after[0] != before[0])
        #expect(after[1] == before[1])
        #expect(try store.secrets() == ["fake-bob", "fake-new"])

        try other.write(.normal) { (transaction) throws(StoreError) in
            try transaction.delete(Sample.accessToken(account: "bob").identity)
        }
        #expect(try store.secrets() == ["fake-new"])
        #expect(try versions()[0] == after[0])
    }

    @Test func `the limit for the length of a text is configurable`() throws {
        let text = Data(#"{"AccessToken": {}}"#.utf8)
        let narrow = MSALSerializedCacheProvider(delegate: vault, maximumTextSize: text.count - 1)
        let exact = MSALSerializedCacheProvider(delegate: vault, maximumTextSize: text.count)

        let error = try #require(throws: NSError.self) { try narrow.deserialize(text) }
        #expect(error.localizedDescription.contains("\(text.count - 1) bytes"))
        try exact.deserialize(text)
        #expect(MSALSerializedCacheProvider.defaultMaximumTextSize == 256 << 20)
    }
}
