// Licensed under the MIT License. See LICENSE.

/// The version of an account's rows. Two different states have different versions.
///
/// A saved row gets a number larger than any before it. If rows are deleted and the same number is added, the sum of
/// the numbers grows. Therefore, two states with the same sum and the same count are the same state. A row with a
/// forged number does not hide changes of other rows.
package struct RowVersion: Sendable, Hashable {
    /// Distinguishes the stores and files that one process uses in succession, whose numbers are unrelated.
    package let store: Int
    /// The sum of the rows' numbers.
    package let sum: Int64
    /// The count of the rows.
    package let count: Int64
}
