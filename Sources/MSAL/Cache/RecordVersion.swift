// Licensed under the MIT License. See LICENSE.

import SealedStore

/// The version of an account's records. Two different states have different versions.
///
/// Two versions of one store that are equal belong to equal records. Two that differ say nothing: the records may be
/// the same.
package struct RecordVersion: Sendable, Hashable {
    /// Distinguishes stores, and the files that a store used one after the other.
    var store = 0
    /// The sum of the records' numbers, which grow with each save. If records go and as many come, the sum grows.
    var sum: Int64 = 0
    var count: Int64 = 0
    /// The state of the responses that wait above the store; zero if none does.
    var waiting = 0
}

/// The version of the records that matter for an account: its own records, and the records that belong to no account.
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
