// Licensed under the MIT License. See LICENSE.

/// The steps of changing a store's keys, in order; each is durable before the next begins. Even if the process dies
/// between any two, every row can be opened (docs/reference/Store.md#rotation).
package enum StoreStep: String, Sendable, CaseIterable {
    // A new wrapping key.
    /// The file names the key that will be added.
    case newKeyAnnounced
    /// The provider has the new key.
    case newKeyKept
    /// Both keys wrap the data keys.
    case keysRewrapped
    /// The data keys wrapped by the old key are deleted.
    case oldWrapsDeleted
    /// The provider has deleted the old key.
    case oldKeyForgotten
    /// The file no longer mentions the old key.
    case oldKeyUnmentioned

    // A new data key.
    /// New rows are sealed with the new data key.
    case dataKeyAdded
    /// Up to 200 old rows were resealed; repeated as necessary.
    case rowsResealed
    /// A data key without rows was deleted.
    case dataKeyDropped

    // From plain to sealed, or back.
    /// All rows are in their new form.
    case rowsRewritten
}
