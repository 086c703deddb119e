// Licensed under the MIT License. See LICENSE.

package import SealedStore
import Synchronization

/// A key provider that keeps keys in memory, and can simulate being locked or losing them.
package final class HeldKeys: KeyProvider {
    private struct State {
        var keys: [String: KeyMaterial] = [:]
        var isLocked = false
        var fetches = 0
    }

    private let state = Mutex(State())
    package let kind: KeyLocation

    /// `kind` is the kind of provider that a store records.
    package init(_ kind: KeyLocation = .keyFile) {
        self.kind = kind
    }

    /// The number of times that a key was requested.
    package var fetches: Int { state.withLock { $0.fetches } }

    /// The names of its keys.
    package var names: [String] { state.withLock { $0.keys.keys.sorted() } }

    /// Whether every call fails, as with a locked keyring.
    package var isLocked: Bool {
        get { state.withLock { $0.isLocked } }
        set { state.withLock { $0.isLocked = newValue } }
    }

    /// Removes all keys, like a deleted keyring.
    package func loseAll() {
        state.withLock { $0.keys = [:] }
    }

    /// Replaces every key by another.
    package func exchangeAll() {
        state.withLock { state in
            state.keys = state.keys.compactMapValues { _ in KeyMaterial((0..<32).map { _ in .random(in: 0...255) }) }
        }
    }

    package func key(_ name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) -> KeyMaterial? {
        try check()
        return state.withLock {
            $0.fetches += 1
            return $0.keys[name.store + "/" + name.keyID]
        }
    }

    package func keep(_ key: KeyMaterial, as name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) {
        try check()
        state.withLock { $0.keys[name.store + "/" + name.keyID] = key }
    }

    package func forget(_ name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) {
        try check()
        state.withLock { $0.keys[name.store + "/" + name.keyID] = nil }
    }

    private func check() throws(StoreError) {
        if isLocked { throw StoreError(.keyUnavailable, message: "The test's key provider is locked. Unlock it.") }
    }
}
