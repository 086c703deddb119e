// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import TestSupport

@testable import MSAL
@testable import SealedStore

/// Knows several providers, as an app does, and accepts every store.
struct KeyChoice: StoreKeySource {
    let providers: [HeldKeys]

    func providerForNewStore(_ keyAccess: KeyAccessOptions) throws(StoreError) -> (any KeyProvider)? { providers.first }

    func admit(_ kind: KeyLocation, at location: StoreLocation, keyAccess: KeyAccessOptions) throws(StoreError) {}

    func provider(_ kind: KeyLocation) throws(StoreError) -> (any KeyProvider)? {
        providers.first { $0.kind == kind }
    }
}

/// The error that stops maintenance in a test.
struct Stop: Error {}

extension SQLiteStore {
    /// A store whose maintenance fails after `step`.
    static func open(
        _ location: StoreLocation,
        keys: any StoreKeySource,
        stopAfter step: StoreStep?
    ) -> SQLiteStore {
        SQLiteStore(
            location: location,
            keys: keys,
            maintenance: StoreMaintenance(afterStep: { (done) throws(StoreError) in
                if done == step { throw StoreError(.unwritable, message: "stopped", underlying: Stop()) }
            })
        )
    }
}
