// Licensed under the MIT License. See LICENSE.

/// The version of an account's rows. Two different states have different versions.
///
/// A row that is saved gets a number larger than any before it. If rows go and as many come, the sum of the numbers
/// grows. So two states with the same sum and the same count of rows are one state. One row with a forged number does
/// not hide the changes of others.
package struct RowVersion: Sendable, Hashable {
    /// Distinguishes the stores and the files that one process uses one after the other, whose numbers mean nothing to
    /// each other.
    package let store: Int
    /// The sum of the rows' numbers.
    package let sum: Int64
    /// The count of the rows.
    package let count: Int64
}
