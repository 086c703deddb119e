// Licensed under the MIT License. See LICENSE.

/// The steps of changing a store's keys, in their order; each is durable before the next begins. A process that ends
/// between any two leaves a store in which every row can be opened (docs/reference/Store.md#rotation).
package enum StoreStep: String, Sendable, CaseIterable {
    // A new wrapping key.
    /// The file says which key is about to come.
    case newKeyAnnounced
    /// The provider holds the new key.
    case newKeyKept
    /// Both keys wrap the data keys.
    case keysRewrapped
    /// The data keys that the old key had wrapped are gone.
    case oldWrapsDeleted
    /// The provider has forgotten the old key.
    case oldKeyForgotten
    /// The file does not mention the old key any more.
    case oldKeyUnmentioned

    // A new data key.
    /// New rows are sealed with the new data key.
    case dataKeyAdded
    /// Up to 200 old rows were sealed anew; as often as it takes.
    case rowsResealed
    /// A data key without rows is gone.
    case dataKeyDropped

    // From plain to sealed, or back.
    /// All rows are in their new form.
    case rowsRewritten
}
