// Licensed under the MIT License. See LICENSE.

/// A value as a store holds it.
public struct MSALStoreEntry: Sendable, Hashable {
    /// The bytes as they were written.
    public let value: [UInt8]

    /// The version that the store gave them.
    public let version: MSALStoreVersion

    /// The time until the value ends, by the store's clock when it was read. It is never longer than at the writing. With it
    /// the clocks of the instances need not agree.
    public let expiresIn: Duration

    /// A value of a store.
    public init(value: [UInt8], version: MSALStoreVersion, expiresIn: Duration) {
        self.value = value
        self.version = version
        self.expiresIn = expiresIn
    }
}

/// Tells apart what was written under a name, one after the other.
public struct MSALStoreVersion: Hashable, Sendable {
    /// A number that the name has never had before.
    public let number: UInt64

    /// A version.
    public init(_ number: UInt64) { self.number = number }
}
