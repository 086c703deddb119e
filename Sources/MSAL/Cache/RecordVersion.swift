// Licensed under the MIT License. See LICENSE.

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
