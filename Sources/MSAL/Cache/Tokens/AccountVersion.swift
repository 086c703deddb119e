// Licensed under the MIT License. See LICENSE.

import SealedStore

/// The version of the records that matter for an account: its own records, and the records without an account.
///
/// If two versions from one store are equal, the records are equal too (docs/reference/Store.md#account-version).
package struct AccountVersion: Sendable, Hashable {
    let own: RecordVersion
    let shared: RecordVersion

    init(of homeAccountID: String, in store: any TokenStoreReading) throws(StoreError) {
        own = try store.version(ofAccount: homeAccountID)
        shared = try store.version(ofAccount: nil)
    }
}
