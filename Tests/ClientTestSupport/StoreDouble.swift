// Licensed under the MIT License. See LICENSE.

package import MSAL
package import SealedStore

/// A store double: an in-memory store that is ready immediately, except for what the double overrides.
package protocol StoreDouble: TokenStore {
    /// The store that holds everything.
    var base: MemoryStore { get }
}

extension StoreDouble {
    package var isPrepared: Bool { true }

    package func prepare(_ keyAccess: KeyAccessOptions, for use: StoreUse) throws(StoreError) {}

    package func changeCounter() throws(StoreError) -> Int64 { try base.changeCounter() }

    package func read<R: Sendable>(
        _ body: (any TokenStoreReading) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try base.read(body)
    }

    package func write<R: Sendable>(
        _ durability: Durability,
        body: (any TokenStoreWriting) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try base.write(durability, body: body)
    }
}
