// Licensed under the MIT License. See LICENSE.

/// A group of values that are removed together: those of one user, session, or application.
///
/// The library derives the text from the names with a secret (HMAC-SHA256 of RFC 2104, truncated to 16 bytes). The
/// names cannot be recovered from it, and two stores with different secrets have no texts in common.
public struct MSALStorePartition: Hashable, Sendable {
    /// 22 letters of base64url.
    public let text: String

    /// Creates a partition. The library creates its own; this initializer is for the tests of a store.
    public init(_ text: String) { self.text = text }
}

/// The name of a value in a store.
public struct MSALStoreName: Hashable, Sendable {
    /// The partition with which the value is removed.
    public let partition: MSALStorePartition

    /// 22 letters of base64url, derived in the same manner as for the partition. No two partitions have the same text
    /// for a value, so it is unique within the store.
    public let text: String

    /// Creates a name. The library creates its own; this initializer is for the tests of a store.
    public init(_ text: String, in partition: MSALStorePartition) {
        self.partition = partition
        self.text = text
    }
}
