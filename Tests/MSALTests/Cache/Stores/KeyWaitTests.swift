// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import MSAL
@testable import SealedStore

/// No call waits for a prompt that another call shows to the user (docs/reference/Store.md#key-deadlines).
@Suite struct KeyWaitTests {
    @Test(arguments: [false, true])
    func `a call that may not prompt does not wait for one that prompts`(isCanceled: Bool) throws {
        try withTemporaryDirectory { directory in
            let storeLocation = try location(in: directory)
            let keys = HeldKeys()
            try encryptedStore(in: storeLocation, keys).put(.account(Sample.account()))
            let asking = AskingKeys(keys)
            let store = encryptedStore(in: storeLocation, asking)
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                try? store.prepare(KeyAccessOptions(mayPrompt: true), for: .reading)
                done.signal()
            }
            asking.asked.wait()

            let pauses = Mutex(0)
            var keyAccess = KeyAccessOptions(isCanceled: { isCanceled })
            keyAccess.pause = { pauses.withLock { $0 += 1 } }
            let error = #expect(throws: StoreError.self) { try store.prepare(keyAccess, for: .reading) }
            #expect(error?.kind == .keyUnavailable)
            // Two seconds of 25 ms.
            #expect(pauses.withLock(\.self) == (isCanceled ? 0 : 80))
            #expect(!store.isPrepared)

            asking.answer.signal()
            done.wait()
            #expect(store.isPrepared)
        }
    }

    @Test func `keys of a store that was replaced while they were fetched are not cached`() throws {
        try withTemporaryDirectory { directory in
            let storeLocation = try location(in: directory)
            let keys = HeldKeys()
            try encryptedStore(in: storeLocation, keys).put(.refreshToken(Sample.refreshToken("fake-old")))
            let asking = AskingKeys(keys)
            let store = encryptedStore(in: storeLocation, asking)
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                try? store.prepare(KeyAccessOptions(mayPrompt: true), for: .reading)
                done.signal()
            }
            asking.asked.wait()
            try FileManager.default.removeItem(atPath: storeLocation.directory)
            try encryptedStore(in: storeLocation, keys).put(.refreshToken(Sample.refreshToken("fake-new")))
            // Another thread opens the new file.
            _ = try store.rows.reader()

            for _ in 0..<2 { asking.answer.signal() }
            done.wait()

            let present = try store.storedKeys()?.store
            #expect(store.rows.open.withLock { $0.ring?.store } == present)
            #expect(try store.secrets() == ["fake-new"])
        }
    }
}

/// A key provider whose prompt the test answers.
private final class AskingKeys: KeyProvider {
    let asked = DispatchSemaphore(value: 0)
    let answer = DispatchSemaphore(value: 0)
    private let keys: HeldKeys

    init(_ keys: HeldKeys) {
        self.keys = keys
    }

    var kind: KeyLocation { keys.kind }

    func key(_ name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) -> KeyMaterial? {
        if keyAccess.mayPrompt {
            asked.signal()
            // A store that waits for the prompt fails the test instead of hanging it.
            _ = answer.wait(timeout: .now() + 20)
        }
        return try keys.key(name, keyAccess: keyAccess)
    }

    func keep(_ key: KeyMaterial, as name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) {
        try keys.keep(key, as: name, keyAccess: keyAccess)
    }

    func forget(_ name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) {
        try keys.forget(name, keyAccess: keyAccess)
    }
}
