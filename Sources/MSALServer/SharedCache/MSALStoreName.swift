// Licensed under the MIT License. See LICENSE.

/// Values of a store that are removed together: those of one user, session or application.
///
/// The library makes the text out of the names with a secret (HMAC-SHA256 of RFC 2104, cut to 16 bytes). Nobody reads a
/// name in it, and two stores with different secrets have nothing in common.
public struct MSALStorePartition: Hashable, Sendable {
    /// 22 letters of base64url.
    public let text: String

    /// A partition. The library makes its own; this one is for the tests of a store.
    public init(_ text: String) { self.text = text }
}

/// The name of a value in a store.
public struct MSALStoreName: Hashable, Sendable {
    /// The values with which it is removed.
    public let partition: MSALStorePartition

    /// 22 letters of base64url, made as those of the partition are. No two partitions have the same text for a value, so
    /// that it is a name by itself.
    public let text: String

    /// A name. The library makes its own; this one is for the tests of a store.
    public init(_ text: String, in partition: MSALStorePartition) {
        self.partition = partition
        self.text = text
    }
}
