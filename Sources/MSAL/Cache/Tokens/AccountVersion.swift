// Licensed under the MIT License. See LICENSE.

import SealedStore

/// The state of the records that decide about an account: its own, and those of no account.
///
/// Two versions of one store that are equal belong to equal records (docs/reference/Store.md#account-version).
package struct AccountVersion: Sendable, Hashable {
    let own: RecordVersion
    let shared: RecordVersion

    init(of homeAccountID: String, in store: any TokenStoreReading) throws(StoreError) {
        own = try store.version(ofAccount: homeAccountID)
        shared = try store.version(ofAccount: nil)
    }
}
