// Licensed under the MIT License. See LICENSE.

import SealedStore

/// The version of an account's records. Two different states have different versions.
///
/// If two versions from one store are equal, the records are equal. If they differ, the records may still be the same.
package struct RecordVersion: Sendable, Hashable {
    /// Distinguishes stores, and the files that a store used in succession.
    var store = 0
    /// The sum of the records' numbers, which increase with each save. If records are deleted and the same number is
    /// added, the sum increases.
    var sum: Int64 = 0
    var count: Int64 = 0
    /// The state of the responses that wait on top of the store; zero if there are none.
    var waiting = 0
}

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
