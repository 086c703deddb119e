// Licensed under the MIT License. See LICENSE.

import Dispatch
import TestSupport
import Testing

@testable import MSAL

/// R17: nobody waits for an answer that another call asks of the user.
@Suite struct KeyWaitTests {
    @Test(arguments: [false, true])
    func `a call that may not ask does not wait for one that asks`(isCanceled: Bool) throws {
        try withTemporaryDirectory { directory in
            let place = try location(in: directory)
            let keys = HeldKeys()
            try encryptedStore(in: place, keys).put(.account(Sample.account()))
            let asking = AskingKeys(keys)
            let store = encryptedStore(in: place, asking)
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                try? store.prepare(KeyPatience(mayPrompt: true), for: .reading)
                done.signal()
            }
            asking.asked.wait()

            let error = #expect(throws: StoreError.self) {
                try store.prepare(KeyPatience(isCanceled: { isCanceled }), for: .reading)
            }
            #expect(error?.kind == .keyUnavailable)
            #expect(!store.isPrepared)

            asking.answer.signal()
            done.wait()
            #expect(store.isPrepared)
        }
    }
}

/// A key provider whose question the test answers.
private final class AskingKeys: KeyProvider {
    let asked = DispatchSemaphore(value: 0)
    let answer = DispatchSemaphore(value: 0)
    private let keys: HeldKeys

    init(_ keys: HeldKeys) {
        self.keys = keys
    }

    var kind: KeyProviderKind { keys.kind }

    func key(_ name: KeyName, _ patience: KeyPatience) throws(StoreError) -> KeyMaterial? {
        if patience.mayPrompt {
            asked.signal()
            // A store that waits for the answer fails the test; it need not hang.
            _ = answer.wait(timeout: .now() + 20)
        }
        return try keys.key(name, patience)
    }

    func keep(_ key: KeyMaterial, as name: KeyName, _ patience: KeyPatience) throws(StoreError) {
        try keys.keep(key, as: name, patience)
    }

    func forget(_ name: KeyName, _ patience: KeyPatience) throws(StoreError) {
        try keys.forget(name, patience)
    }
}
